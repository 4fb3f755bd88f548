"""The surrogate of each type of identifier: one function a type, and the table of them.

Each takes one `Mention`, and gives the replacement and its strategy, empty for the policy's own.
Nothing is checked here (`engine`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from stream_deid.labels import CALLED, NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import CONTROL, Finding, Part
from stream_deid.surrogate import descriptors, generalise, professions
from stream_deid.surrogate.contacts import addresses as contacts
from stream_deid.surrogate.contacts import user_names
from stream_deid.surrogate.context import Context
from stream_deid.surrogate.dates import births, expiry, lone_days, slashed, tuesdays
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names import half_days, named, relatives
from stream_deid.surrogate.names.distinctive import LADIES
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.numbers import abroad, codes, mexican_ids, misread, phones, resource_ids
from stream_deid.surrogate.numbers.scramble import (
    masked,
    scramble,
    scramble_digits,
    starred,
    unstarred,
)
from stream_deid.surrogate.organizations import rooms
from stream_deid.surrogate.organizations.rename import Organizations
from stream_deid.surrogate.places import countries, streets
from stream_deid.surrogate.places.states import Places
from stream_deid.surrogate.policy import Policy
from stream_deid.text.canonical import canonical, words

_LISTS = Vocabulary("by_type", "surrogates")

T = PhiType
Made = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Mention:
    """What is replaced: `core`, the text of a finding without white space at its edges, where it
    stands, and what the note shares. `drawn`: the scope of a mention that is not (or no longer) the
    patient's own, None for it.
    """

    core: str = field(repr=False)
    part: Part = field(repr=False)
    finding: Finding
    note: Context = field(repr=False)
    policy: Policy
    drawn: Scope | None = None

    @property
    def scope(self) -> Scope:
        """Where its surrogates are drawn from."""
        return self.drawn or self.note.scope

    @property
    def language(self) -> str:
        return self.note.places.language

    @property
    def people(self) -> People:
        """The people of the note, with names drawn anew for a mention of its own."""
        people = self.note.people
        return people if self.drawn is None else people.anew(self.drawn.sub("name"))

    @property
    def places(self) -> Places:
        """The places of the note, drawn anew for a mention of its own."""
        places = self.note.places
        return places if self.drawn is None else places.anew(self.drawn.sub("place"))

    def before(self, count: int) -> str:
        """So many characters before it."""
        return self.part.text[max(self.finding.start - count, 0) : self.finding.start]

    def after(self, count: int) -> str:
        """So many characters behind it."""
        return self.part.text[self.finding.end : self.finding.end + count]


Maker = Callable[[Mention], Made]

_BETWEEN_DATES = _LISTS.words("between_dates")
"""Words beside a date that tell nothing by themselves."""
_BED = 2  # letters of a bed, bay or chair
_YEARS = 11  # characters of two years ("2019 - 2020")

_UNIT = 16  # characters in which the unit of an age stands


def _date(m: Mention) -> Made:
    said = births.before(m.part.text, m.finding.start)
    stated = m.part.role == "birth_date" or canonical(m.core) in m.note.births
    birth = stated or births.near_birth(said)
    since = births.since(said)
    calendar = m.note.calendar
    if _says_nothing(m.core):
        return m.core, "keep"
    if len(m.core) == 2 and m.core.isdecimal() and said[-1:] in {"'", "’"}:
        made, how = calendar.replace("'" + m.core, birth=birth, since=since)
        return made.removeprefix("'"), how
    if month := expiry.as_meant(m.core, m.before(expiry.BEFORE)):
        made, how = calendar.replace(month)
        return made.replace("/20", "/", 1), how
    short = len(m.core) <= _YEARS
    near = m.note.dates_near(m.part, m.finding.start, m.finding.end) if short else ()
    meant = tuesdays.as_meant(m.core, m.before(_UNIT), m.after(_UNIT), calendar)
    asked = lone_days.beside(calendar, m.core, near)
    return asked.replace(m.core, birth=birth, since=since, near=near, meant=meant)


def _says_nothing(text: str) -> bool:
    """Whether only words that stand between dates are here, and no sign of a number."""
    said = text.replace(" ", "")
    return said.isalpha() and _BETWEEN_DATES.issuperset(word.key for word in words(text))


def _age(m: Mention) -> Made:
    return generalise.age(
        m.core, m.note.scope, language=m.language, over=m.policy.age_over_89,
        under=m.policy.age_under_90, after=m.after(_UNIT),
    )  # fmt: skip


def _sex(m: Mention) -> Made:
    return generalise.sex(m.core, m.language, m.before(_UNIT)), "generalise"


def _other(m: Mention) -> Made:
    if any(map(str.isdecimal, m.core)):
        return scramble(m.scope.sub("number"), m.core), ""
    if named.is_name(m.core):
        return m.people.render(m.core), ""
    return generalise.other(m.language, m.core), ""


def _relative(m: Mention) -> Made:
    return relatives.relative(
        m.core, m.language, m.scope, m.people.render,
        kinship=m.policy.kinship, under=m.policy.age_under_90,
        persons=m.note.persons | _rival_names(m),
    )  # fmt: skip


def _rival_names(m: Mention) -> frozenset[str]:
    """The words of what somebody took for a person's name where a finding stands."""
    rivals = (one for one in m.finding.rivals if one.type in PERSONS)
    return frozenset(w.key for one in rivals for w in words(m.part.text[one.start : one.end]))


def _person(m: Mention) -> Made:
    if half_days.is_one(m.core, m.before(half_days.BEFORE)):
        return m.core, "keep"
    staff = m.finding.type is T.DOCTOR
    apart = _doctors_own(m) if staff and m.drawn is None else None
    numbers = (apart or m.note.scope if m.drawn is None else m.drawn.sub("name")).sub("number")
    if not any(map(str.isalpha, m.core)):
        return scramble(numbers, m.core), ""
    made = m.people.render(m.core, apart, staff=staff)
    if not any(map(str.isdecimal, made)):
        return made, ""
    return scramble_digits(numbers, made), ""


def _doctors_own(m: Mention) -> Scope | None:
    """The scope of staff, where they have one and the name is not the patient's."""
    note = m.note
    if note.doctors is note.scope:
        return None
    keys = {w.key for w in note.people.parts(m.core)}
    patients = keys & note.patient_parts and not keys & note.doctor_parts
    return None if patients else note.doctors.sub("name")


def _number(m: Mention) -> Made:
    tenant = m.note.tenant
    if m.part.role == CONTROL:
        return resource_ids.control_id(tenant, m.core), "token"
    if m.part.role == "id":
        note_only = tenant.sub("reference", m.note.note.note_id) if m.drawn is not None else None
        return resource_ids.resource_id(tenant, m.core, note_only), ""
    if m.finding.type in CALLED and (sign := abroad.sign_before(m.before(abroad.BEFORE), m.core)):
        made, how = _written_number(replace(m, core=sign + m.core))
        return made.removeprefix(sign), how
    return _written_number(m)


def _written_number(m: Mention) -> Made:
    mask, shown = masked(m.core)
    made, how = _shown_number(replace(m, core=shown) if mask else m)
    return mask + made, how


def _shown_number(m: Mention) -> Made:
    if m.language == "es" and descriptors.says(m.core):
        return descriptors.less(m.core), "generalise"
    digits = canonical(m.core)
    whole = m.note.numbers.get(digits)
    if whole is not None and m.drawn is None:
        tail = canonical(_by_kind(m, *whole))[-len(digits) :]
        made = codes.poured(m.core, tail)
        if canonical(made) != digits:
            return made, ""
    dates = slashed.dates(m.core)
    return _around_dates(m, dates) if dates else _by_kind(m, m.finding.type, m.core), ""


def _around_dates(m: Mention, dates: Sequence[tuple[int, int]]) -> str:
    """A number with whole dates inside (`8/28/25-10/26/25`): they stay dates, and move as such."""
    if len(dates) > 1 and not _holds(m.core[: dates[0][0]] + m.core[dates[-1][1] :]):
        return m.note.calendar.replace(m.core)[0]
    pieces: list[str] = []
    last = 0
    for start, end in dates:
        between = m.core[last:start]
        pieces += [_by_kind(m, m.finding.type, between) if _holds(between) else between]
        pieces += [m.note.calendar.replace(m.core[start:end])[0]]
        last = end
    rest = m.core[last:]
    return "".join([*pieces, _by_kind(m, m.finding.type, rest) if _holds(rest) else rest])


def _holds(text: str) -> bool:
    return any(map(str.isalnum, text))


def _by_kind(m: Mention, phi: PhiType, text: str) -> str:
    """A telephone number or another identifier of digits and letters."""
    scope = m.scope.sub("number")
    if phi in CALLED or abroad.is_dialled(text):
        return phones.phone(scope, text, m.language, m.scope.sub("place"))
    if phi is T.SSN and (read := misread.digits(text)) != text:
        return misread.as_written(text, codes.code(scope, read, m.language))
    shifts = m.drawn is None and m.policy.strategy_kind_of_date == "consistent"
    if shifts and mexican_ids.is_one(text):
        return mexican_ids.number(scope, text, m.people.abbreviation, m.note.calendar.born)
    if resource_ids.is_uuid(text):
        return resource_ids.uuid(scope, text)
    return codes.code(scope, text, m.language)


def _organization(m: Mention) -> Made:
    if m.finding.type is T.HOSPITAL and rooms.are(m.core):
        return _room(m)
    own = _organizations(m)
    return (own.employer if m.finding.type is T.ORGANIZATION else own.replace)(m.core), ""


def _organizations(m: Mention) -> Organizations:
    own = m.note.organizations
    if m.drawn is None:
        return own
    return replace(own, scope=m.drawn.sub("organisation"), places=m.places,
                   person=m.people.render, taken={})  # fmt: skip


def _location(m: Mention) -> Made:
    """A bed or room by pattern, a building or ward by name."""
    if len(m.core) <= _BED:
        return rooms.short(m.scope.sub("room"), m.core), ""
    if streets.opens_address(m.core, m.language):
        return m.places.street(m.core), ""
    if not any(map(str.isdecimal, m.core)):
        return _organization(m)
    return _room(m)


def _room(m: Mention) -> Made:
    return rooms.replaced(m.scope.sub("room"), m.core, _organizations(m).replace), ""


def _profession(m: Mention) -> Made:
    scope = m.scope.sub("profession")
    made = professions.profession(m.core, scope, m.language, _organizations(m).employer)
    return made, "keep" if made == m.core else ""


def _city(m: Mention) -> Made:
    """A town; what is called by a title of the Virgin is a house or a quarter, and stays one."""
    if m.core.partition(" ")[0].rstrip(".").casefold() in LADIES:
        return _organization(m)
    return m.places.city(m.core), ""


def _country(m: Mention) -> Made:
    if m.note.places.is_home(m.core):
        return m.core, "keep"
    if countries.find(m.core) is None and m.note.places.find_state(m.core) is not None:
        return m.places.state(m.core), ""  # a province that a model took for a country
    return m.places.country(m.core), ""


def _contact(make: Callable[[People, str, Scope], str]) -> Maker:
    return lambda m: (make(m.people, m.core, m.scope.sub("contact")), "")


def _hosted(make: Callable[..., str]) -> Maker:
    def hosted(m: Mention) -> Made:
        drawn = m.policy.hosts == "drawn"
        return make(m.people, m.core, m.scope.sub("contact"), drawn=drawn), ""

    return hosted


def _behind_masks(maker: Maker, least: int = 3) -> Maker:
    """`maker`, for which letters that mask (`least` of X at once) are no letters of the value."""

    def behind(m: Mention) -> Made:
        if not masked(m.core)[1]:
            return m.core, "keep"
        hidden = starred(m.core, least)
        made, how = maker(replace(m, core=hidden))
        return unstarred(m.core, hidden, made), how

    return behind


MAKERS: Mapping[PhiType, Maker] = MappingProxyType(
    {
        **dict.fromkeys(PERSONS, _person),
        **dict.fromkeys(NUMBERS, _behind_masks(_number)),
        **dict.fromkeys(ORGANIZATIONS, _organization),
        T.DATE: _behind_masks(_date, least=2),
        T.AGE: _age,
        T.SEX: _sex,
        T.OTHER: _other,
        T.RELATIVE: _relative,
        T.PROFESSION: _profession,
        T.LOCATION_OTHER: _location,
        T.USERNAME: _contact(user_names.handle),
        T.EMAIL: _hosted(contacts.email),
        T.URL: _hosted(contacts.url),
        T.IPADDR: _contact(contacts.ip_address),
        T.COUNTRY: _country,
        T.CITY: _city,
        T.STATE: lambda m: (m.places.state(m.core), ""),
        T.ZIP: _behind_masks(lambda m: (m.places.postal(m.core, m.policy.zip_rule), ""), least=2),
        T.STREET: lambda m: (m.places.street(m.core), ""),
    }
)
"""Every type has its maker; `tests/unit/test_surrogate_engine.py` holds it."""
