"""The surrogate of each type of identifier: one function a type, and the table of them.

Each takes one `Mention`, and gives the replacement and its strategy, empty for the policy's own.
Nothing is checked here (`engine`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.kinds_of_organizations import ABBREVIATED, SPANISH_KIND_WORDS
from stream_deid.lists.lexicon import load_names
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate import checks, may_stay
from stream_deid.surrogate.contacts import addresses as contacts
from stream_deid.surrogate.contacts import user_names
from stream_deid.surrogate.contacts.hosts import Houses
from stream_deid.surrogate.dates import births, expiry, feasts, lone_days, tuesdays, unread
from stream_deid.surrogate.demographics import (
    ages,
    kinship,
    neutral,
    peoples,
    professions,
    relatives,
)
from stream_deid.surrogate.identifiers import behind_masks, number
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.mention import Made, Maker, Mention
from stream_deid.surrogate.names import half_days, named, written
from stream_deid.surrogate.names.affixes import names_no_one_yet
from stream_deid.surrogate.names.distinctive import LADIES
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.organizations import acronyms, forms, rooms
from stream_deid.surrogate.organizations.rename import Organizations
from stream_deid.surrogate.places import countries, streets
from stream_deid.surrogate.scramble import scramble, scramble_digits
from stream_deid.surrogate.taken import Taken
from stream_deid.text.canonical import canonical, last_key, words

_LISTS = Vocabulary("by_type", "surrogates")

T = PhiType
_BETWEEN_DATES = _LISTS.words("between_dates")
"""Words beside a date that tell nothing by themselves."""
_OF_NAMES = ("name-", "nombre-")
_SURE = 0.6
_DECIMAL = 8  # characters around a number in which the rest of a decimal stands
_CUT = re.compile(r"(?:^|[ (=])\|\d{1,3}\|[.]\d{1,2}(?:[^\d.,/-]|[.,]?(?:\s|$))")
_BED = 2  # letters of a bed, bay or chair
_STRETCH = 32  # characters of a part of a year, or of two years ("second half of September 2020")

_CALLED = _LISTS.words("called")
_ASKED = _LISTS.words("asked")
_OPENING = " \t\"'«“‘("
"""Between a word of a sentence and a name in it."""
_AROUND = 100  # characters around a word in small letters
_UNIT = 16  # characters in which the unit of an age stands


def _date(m: Mention) -> Made:
    said = births.before(m.part.text, m.finding.start)
    stated = m.part.role == "birth_date" or canonical(m.core) in m.note.births
    birth = stated or births.near_birth(said)
    of_birth = stated or births.is_birth(said)  # an age behind it is not one on that day
    since = 0 if of_birth else births.since(said, m.part.text, m.finding.start, m.finding.end)
    calendar = m.note.calendar
    if _says_nothing(m.core) or _cut_from_decimal(m):
        return m.core, "keep"
    if len(m.core) == 2 and m.core.isdecimal() and said[-1:] in {"'", "’"}:
        made, how = calendar.replace("'" + m.core, birth=birth, since=since)
        return made.removeprefix("'"), how
    if month := expiry.as_meant(m.core, m.before(expiry.BEFORE)):
        made, how = calendar.replace(month)
        return made.replace("/20", "/", 1), how
    if feasts.is_of_many(m.core):
        dates, place = m.note.dated.get(id(m.part), ()), (m.finding.start, m.finding.end)
        if said_day := feasts.day_of(calendar, m.part.text, place, dates):
            return calendar.replace(said_day, near=m.note.dates_near(m.part, *place))
    short = len(m.core) <= _STRETCH
    near = m.note.dates_near(m.part, m.finding.start, m.finding.end) if short else ()
    meant = tuesdays.as_meant(m.core, m.before(_UNIT), m.after(_UNIT), calendar)
    before = m.note.dates_before(m.part, m.finding.start) if short else ()
    asked = lone_days.beside(calendar, m.core, near, before)
    if births.near_birthday(said):
        asked = lone_days.of_birth(asked, m.core)
    made, how = asked.replace(m.core, birth=birth, since=since, near=near, meant=meant)
    if how == "tag" and m.policy.strategy_kind_of_date == "consistent":
        return _salvaged(m) or (made, how)
    return feasts.as_said(m.core, made, m.before(feasts.BEFORE)), how


def _cut_from_decimal(m: Mention) -> bool:
    """Whether a model alone took one side of a decimal for a date, and isn't sure ("hb 11.9")."""
    alone = len(m.finding.detectors) == 1 and m.finding.score < _SURE
    if not alone or not m.core.isdecimal():
        return False
    around = m.before(_DECIMAL) + "|" + m.core + "|" + m.after(_DECIMAL)
    return _CUT.search(around) is not None


def _salvaged(m: Mention) -> Made | None:
    """A date that can't be read as it stands, without a tag where there is another way."""
    scope = m.scope.sub("unread")
    return unread.salvaged(m.core, m.after(_UNIT), m.note.calendar, scope, m.people.render)


def _says_nothing(text: str) -> bool:
    """Whether only words that stand between dates are here, and no sign of a number."""
    said = text.replace(" ", "")
    return said.isalpha() and _BETWEEN_DATES.issuperset(word.key for word in words(text))


def _age(m: Mention) -> Made:
    if any(map(str.isalpha, m.core)):
        read = m.note.calendar.read(m.core) or ()
        if any(r.month is not None and r.day is not None for r in read):
            return _date(m)  # "17 mzo", which a model took for an age
    if ages.is_measured(m.core, m.after(_UNIT)):
        return m.core, "keep"
    return ages.age(
        m.core, m.note.scope, language=m.language, over=m.policy.age_over_89,
        under=m.policy.age_under_90, after=m.after(_UNIT),
    )  # fmt: skip


def _sex(m: Mention) -> Made:
    return neutral.sex(m.core, m.language, m.before(_UNIT), m.after(_UNIT)), "generalise"


def _other(m: Mention) -> Made:
    if m.language == "es" and canonical(m.core) in _ASKED:
        return m.core, "keep"  # "de etnia mapuche"
    if any(map(str.isdecimal, m.core)):
        return scramble(m.scope.sub("number"), m.core), ""
    if named.is_name(m.core):
        return m.people.render(m.core), ""
    if m.language != "es":
        return neutral.other(m.language, m.core), ""
    if people := peoples.another(m.core, m.scope):
        return people, ""
    inside = m.before(_UNIT).rstrip(_OPENING)[-1:]
    called = (inside.isalnum() or inside == ",") and named.may_be_called(m.core)
    return m.people.render(m.core) if called else neutral.other(m.language, m.core), ""


def _relative(m: Mention) -> Made:
    if m.language == "es" and (people := peoples.another(m.core, m.scope)):
        return people, ""  # "nieto de italianos"
    kin = relatives.Relatives(
        m.language, m.scope, m.people.render, m.people.parts,
        kinship=m.policy.kinship, under=m.policy.age_under_90,
        persons=m.note.persons | _rival_names(m),
    )  # fmt: skip
    return kin.relative(written.plain(m.core), called=_is_called(m))


def _is_called(m: Mention) -> bool:
    """Whether a word in small letters is a name here: behind a title, or where all is small."""
    if last_key(m.before(_UNIT)) in _CALLED:
        return True
    around = m.before(_AROUND) + m.after(_AROUND)
    return m.core.isalpha() and len(around) > _UNIT and not any(map(str.isupper, around))


def _rival_names(m: Mention) -> frozenset[str]:
    """The words of what somebody took for a person's name where a finding stands."""
    rivals = (one for one in m.finding.rivals if one.type in PERSONS)
    return frozenset(w.key for one in rivals for w in words(m.part.text[one.start : one.end]))


def _nobody(m: Mention) -> Made | None:
    """What stands for kin in capitals, or an insurer ("Ioma"), that was taken for a person."""
    if _is_kin_in_capitals(m.core):
        return _relative(m)
    body = acronyms.public(m.note.organizations.scope, m.core)
    return (body, "") if body else None


def _person(m: Mention) -> Made:
    if m.language == "es" and (nobody := _nobody(m)):
        return nobody
    if half_days.is_one(m.core, m.before(half_days.BEFORE)) or names_no_one_yet(m.core):
        return m.core, "keep"
    staff = m.finding.type is T.DOCTOR
    apart = _doctors_own(m) if staff and m.drawn is None else None
    numbers = (apart or m.note.scope if m.drawn is None else m.drawn.sub("name")).sub("number")
    if not any(map(str.isalpha, m.core)):
        return scramble(numbers, m.core), ""
    if rank := (
        written.without_rank(m.core)
        or written.before_label(m.core, m.after(_UNIT))
        or written.before_age(m.core, m.before(_STRETCH))
    ):
        made, how = _person(replace(m, core=m.core[slice(*rank)]))
        return m.core[: rank[0]] + made + m.core[rank[1] :], how
    made = written.rendered(m.core, lambda name: m.people.render(name, apart, staff=staff))
    if not any(map(str.isdecimal, made)):
        return made, ""
    return scramble_digits(numbers, made), ""


def _is_kin_in_capitals(text: str) -> bool:
    """Whether a model took a noun of kinship, of which no list has a name, for one ("ESPOSO")."""
    kin = text.isupper() and kinship.is_kin_phrase(text)
    return kin and not any(load_names().label(word.key) for word in words(text))


def _doctors_own(m: Mention) -> Scope | None:
    """The scope of staff, where they have one and the name is not the patient's."""
    note = m.note
    if note.doctors is note.scope:
        return None
    keys = {w.key for w in note.people.parts(m.core)}
    patients = keys & note.patient_parts and not keys & note.doctor_parts
    return None if patients else note.doctors.sub("name")


def _organization(m: Mention) -> Made:
    if forms.is_form(m.core) or forms.is_citizen(m.core, m.before(_UNIT), m.language):
        return m.core, "keep"
    if m.finding.type is T.HOSPITAL and rooms.are(m.core):
        return _room(m)
    if m.language == "es" and _only_says_what(m):
        return m.core, "keep"
    own = _organizations(m)
    if m.language == "es" and (body := acronyms.public(own.scope, m.core)):
        return body, ""
    make = own.employer if m.finding.type is T.ORGANIZATION else own.replace
    made = written.rendered(m.core, make)
    if m.language != "es" and checks.leaves_a_name(m.part, m.finding, made):
        return own.anew(m.core), ""
    return made, ""


def _only_says_what(m: Mention) -> bool:
    """Whether one word says what something is, in small letters or short before its name ("el
    supermercado Froiz", "Htal. Posadas").
    """
    short = canonical(m.core) in ABBREVIATED and m.after(1) == "."
    return short or (m.core.islower() and m.core in SPANISH_KIND_WORDS)


def _organizations(m: Mention) -> Organizations:
    own = m.note.organizations
    if m.drawn is None:
        return own
    return replace(own, scope=m.drawn.sub("organisation"), places=m.places,
                   person=m.people.render, taken=Taken())  # fmt: skip


def _location(m: Mention) -> Made:
    """A bed or room by pattern, a building or ward by name."""
    if len(m.core) <= _BED:
        return rooms.short(m.scope.sub("room"), m.core), ""
    if streets.opens_address(m.core, m.language):
        return m.places.street(m.core), ""
    if not any(map(str.isdecimal, m.core)):
        made = rooms.said(m.scope.sub("room"), m.core, m.language)
        return (made, "") if made else _organization(m)
    return _room(m)


def _room(m: Mention) -> Made:
    return rooms.replaced(m.scope.sub("room"), m.core, _organizations(m).replace), ""


def _profession(m: Mention) -> Made:
    if any(one.startswith(_OF_NAMES) for one in m.finding.detectors):
        return m.people.render(m.core), ""  # a model took "bustamante" for an occupation
    scope = m.scope.sub("profession")
    made = professions.profession(m.core, scope, m.language, _organizations(m).employer)
    return made, "keep" if made == m.core else ""


def _people(m: Mention) -> str:
    """What stands for a people that a model took for a place ("nacional alemán")."""
    town = may_stay.is_city(m.core)
    return peoples.another(m.core, m.scope) if m.language == "es" and not town else ""


def _city(m: Mention) -> Made:
    """A town; what is called by a title of the Virgin is a house or a quarter, and stays one, and a
    people one.
    """
    if people := _people(m):
        return people, ""
    if forms.is_form(m.core):
        return m.core, "keep"
    if m.core.isupper() and acronyms.letters_of(m.core) in m.note.organizations.spelled:
        return _organization(m)
    if m.core.partition(" ")[0].rstrip(".").casefold() in LADIES:
        return _organization(m)
    return m.places.city(m.core), ""


def _country(m: Mention) -> Made:
    if m.note.places.is_home(m.core):
        return m.core, "keep"
    if countries.find(m.core) is None and (people := _people(m)):
        return people, ""
    if countries.find(m.core) is None and m.note.places.gazetteer.find_state(m.core) is not None:
        return m.places.state(m.core), ""  # a province that a model took for a country
    return m.places.country(m.core), ""


def _contact(make: Callable[[People, str, Scope], str]) -> Maker:
    return lambda m: (make(m.people, m.core, m.scope.sub("contact")), "")


def _hosted(make: Callable[..., str]) -> Maker:
    def hosted(m: Mention) -> Made:
        drawn = m.policy.hosts == "drawn"
        renamed = replace(_organizations(m), taken=Taken(), spelled={}).replace
        houses = Houses(renamed, m.note.houses)
        return make(m.people, m.core, m.scope.sub("contact"), houses, drawn=drawn), ""

    return hosted


MAKERS: Mapping[PhiType, Maker] = MappingProxyType(
    {
        **dict.fromkeys(PERSONS, _person),
        **dict.fromkeys(NUMBERS, behind_masks(number)),
        **dict.fromkeys(ORGANIZATIONS, _organization),
        T.DATE: behind_masks(_date, least=2),
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
        T.ZIP: behind_masks(lambda m: (m.places.postal(m.core, m.policy.zip_rule), ""), least=2),
        T.STREET: lambda m: (m.places.street(m.core), ""),
    }
)
"""Every type has its maker; `tests/unit/test_surrogate_engine.py` holds it."""
