"""The surrogate of each type of identifier: one function a type, and the table of them.

Each takes the policy, what the note shares, the part and finding, the text without white space at
its edges, and the scope of a mention that is not (or no longer) the patient's own, None for it.
Each gives the replacement and its strategy, empty for the policy's own. Nothing is checked here
(`engine`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.note import CONTROL, Finding, Part
from stream_deid.surrogate import descriptors, generalise
from stream_deid.surrogate.contacts import addresses as contacts
from stream_deid.surrogate.contacts import user_names
from stream_deid.surrogate.context import Context
from stream_deid.surrogate.dates import births
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names import relatives
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.numbers import codes, phones, resource_ids
from stream_deid.surrogate.numbers.scramble import (
    canonical,
    masked,
    scramble,
    scramble_digits,
    starred,
    unstarred,
)
from stream_deid.surrogate.organizations.rename import Organizations
from stream_deid.surrogate.places.states import Places
from stream_deid.surrogate.policy import Policy
from stream_deid.text.canonical import listed, words

T = PhiType
Made = tuple[str, str]
Maker = Callable[[Policy, Context, Part, Finding, str, Scope | None], Made]

_TIME_OF_DAY = frozenset({"am", "pm"})
_DAY_WORDS = frozenset(
    listed(
        """
    this tomorrow yesterday every each q monday tuesday wednesday thursday friday saturday sunday
    mon tue tues wed thu thurs fri sat sun noon midnight"""
    )
)
"""Words before `AM` that make it a half of the day."""
_BED = 2  # letters of a bed, bay or chair
_BEFORE = 26  # characters in which such a word stands
_YEARS = 11  # characters of two years ("2019 - 2020")
_UNIT = 16  # characters in which the unit of an age stands


def _date(
    _policy: Policy, c: Context, part: Part, finding: Finding, core: str, _drawn: Scope | None
) -> Made:
    said = births.before(part.text, finding.start)
    stated = part.role == "birth_date" or (c.births and canonical(core) in c.births)
    birth = bool(stated) or births.near_birth(said)
    since = births.since(said)
    if len(core) == 2 and core.isdecimal() and said[-1:] in {"'", "’"}:
        made, how = c.calendar.replace("'" + core, birth=birth, since=since)
        return made.removeprefix("'"), how
    near = c.dates_near(part, finding.start, finding.end) if len(core) <= _YEARS else ()
    return c.calendar.replace(core, birth=birth, since=since, near=near)


def _age(
    policy: Policy, c: Context, part: Part, finding: Finding, core: str, _drawn: Scope | None
) -> Made:
    return generalise.age(
        core, c.scope, language=c.places.language, over=policy.age_over_89,
        under=policy.age_under_90, after=part.text[finding.end : finding.end + _UNIT],
    )  # fmt: skip


def _sex(
    _policy: Policy, c: Context, _part: Part, _finding: Finding, core: str, _drawn: Scope | None
) -> Made:
    return generalise.sex(core, c.places.language), "generalise"


def _other(
    _policy: Policy, c: Context, _part: Part, _finding: Finding, core: str, drawn: Scope | None
) -> Made:
    if any(map(str.isdecimal, core)):
        return scramble((drawn or c.scope).sub("number"), core), ""
    return generalise.other(c.places.language, core), ""


def _relative(
    policy: Policy, c: Context, _part: Part, finding: Finding, core: str, drawn: Scope | None
) -> Made:
    people = c.people if drawn is None else c.people.anew(drawn.sub("name"))
    return relatives.relative(
        core, c.places.language, drawn or c.scope, people.render,
        kinship=policy.kinship, persons=c.persons | _rival_names(_part, finding),
    )  # fmt: skip


def _rival_names(part: Part, finding: Finding) -> frozenset[str]:
    """The words of what somebody took for a person's name where a finding stands."""
    rivals = (one for one in finding.rivals if one.type in PERSONS)
    return frozenset(w.key for one in rivals for w in words(part.text[one.start : one.end]))


def _person(
    _policy: Policy, c: Context, _part: Part, finding: Finding, core: str, drawn: Scope | None
) -> Made:
    if _is_time_of_day(_part, finding, core):
        return core, "keep"
    staff = finding.type is T.DOCTOR
    scope = drawn.sub("name") if drawn is not None else None
    if scope is None and staff and c.doctors is not c.scope:
        keys = {w.key for w in c.people.parts(core)}
        if not keys & c.patient_parts or keys & c.doctor_parts:
            scope = c.doctors.sub("name")
    if not any(map(str.isalpha, core)):
        return scramble((scope or c.scope).sub("number"), core), ""
    people = c.people if drawn is None else c.people.anew(drawn.sub("name"))
    made = people.render(core, None if drawn is not None else scope, staff=staff)
    if not any(map(str.isdecimal, made)):
        return made, ""
    return scramble_digits((scope or c.scope).sub("number"), made), ""


def _is_time_of_day(part: Part, finding: Finding, core: str) -> bool:
    """Whether initials are those of a time of day (`8:30 PM`, `this AM`, `Monday p.m.`)."""
    if canonical(core) not in _TIME_OF_DAY:
        return False
    before = part.text[max(finding.start - _BEFORE, 0) : finding.start].rstrip()
    if before[-1:].isdecimal():
        return True
    said = words(before)
    return bool(said) and said[-1].end == len(before) and said[-1].key in _DAY_WORDS


def _number(
    _policy: Policy, c: Context, part: Part, finding: Finding, core: str, drawn: Scope | None
) -> Made:
    if part.role == CONTROL:
        return resource_ids.control_id(c.tenant, core), "token"
    if part.role == "id":
        note_only = c.tenant.sub("reference", c.note.note_id) if drawn is not None else None
        return resource_ids.resource_id(c.tenant, core, note_only), ""
    mask, shown = masked(core)
    if mask:
        made, how = _number(_policy, c, part, finding, shown, drawn)
        return mask + made, how
    scope = (drawn or c.scope).sub("number")
    language = c.places.language
    if language == "es" and descriptors.says(core):
        return descriptors.less(core), "generalise"
    digits = canonical(core)
    whole = c.numbers.get(digits)
    places = (drawn or c.scope).sub("place")
    if whole is not None and drawn is None:
        tail = canonical(_by_kind(scope, *whole, language, places))[-len(digits) :]
        made = codes.poured(core, tail)
        if canonical(made) != digits:
            return made, ""
    return _by_kind(scope, finding.type, core, language, places), ""


def _by_kind(scope: Scope, phi: PhiType, core: str, language: str, places: Scope) -> str:
    """A telephone number or another identifier of digits and letters."""
    if phi is T.PHONE or phi is T.FAX:
        return phones.phone(scope, core, language, places)
    if resource_ids.is_uuid(core):
        return resource_ids.uuid(scope, core)
    return codes.code(scope, core, language)


def _organization(
    _policy: Policy, c: Context, _part: Part, _finding: Finding, core: str, drawn: Scope | None
) -> Made:
    own = c.organizations
    if drawn is None:
        return own.replace(core), ""
    named = drawn.sub("name")
    made = Organizations(
        drawn.sub("organisation"),
        own.language,
        _places(c, drawn),
        c.people.anew(named).render,
    )
    return made.replace(core), ""


def _location(  # noqa: PLR0917 - the signature of all makers
    policy: Policy, c: Context, part: Part, finding: Finding, core: str, drawn: Scope | None
) -> Made:
    """A bed or room by pattern, a building or ward by name."""
    scope = drawn or c.scope
    if len(core) <= _BED:
        return scramble(scope.sub("room"), core), ""
    if not any(map(str.isdecimal, core)):
        return _organization(policy, c, part, finding, core, drawn)
    return codes.room(scope.sub("room"), core), ""


def _profession(
    _policy: Policy, c: Context, _part: Part, _finding: Finding, core: str, drawn: Scope | None
) -> Made:
    scope = (drawn or c.scope).sub("profession")
    return generalise.profession(core, scope, c.places.language), ""


def _contact(make: Callable[[People, str, Scope], str]) -> Maker:
    def maker(
        _policy: Policy, c: Context, _part: Part, _finding: Finding, core: str, drawn: Scope | None
    ) -> Made:
        people = c.people if drawn is None else c.people.anew(drawn.sub("name"))
        return make(people, core, (drawn or c.scope).sub("contact")), ""

    return maker


def _place(replace: Callable[[Places, str, Policy], str]) -> Maker:
    def maker(
        policy: Policy, c: Context, _part: Part, _finding: Finding, core: str, drawn: Scope | None
    ) -> Made:
        return replace(_places(c, drawn), core, policy), ""

    return maker


def _places(c: Context, drawn: Scope | None) -> Places:
    if drawn is None:
        return c.places
    return replace(c.places, scope=drawn.sub("place"), taken={})


def _country(
    _policy: Policy, c: Context, _part: Part, _finding: Finding, core: str, drawn: Scope | None
) -> Made:
    if c.places.is_home(core):
        return core, "keep"
    return _places(c, drawn).country(core), ""


def _behind_masks(maker: Maker, least: int = 3) -> Maker:
    """`maker`, for which letters that mask (`least` of X at once) are no letters of the value."""

    def behind(
        _policy: Policy, c: Context, part: Part, finding: Finding, core: str, drawn: Scope | None
    ) -> Made:
        if not masked(core)[1]:
            return core, "keep"
        hidden = starred(core, least)
        made, how = maker(_policy, c, part, finding, hidden, drawn)
        return unstarred(core, hidden, made), how

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
        T.EMAIL: _contact(contacts.email),
        T.URL: _contact(contacts.url),
        T.IPADDR: _contact(contacts.ip_address),
        T.COUNTRY: _country,
        T.CITY: _place(lambda places, core, _: places.city(core)),
        T.STATE: _place(lambda places, core, _: places.state(core)),
        T.ZIP: _behind_masks(
            _place(lambda places, core, policy: places.postal(core, policy.zip_rule)), least=2
        ),
        T.STREET: _place(lambda places, core, _: places.street(core)),
    }
)
"""Every type has its maker; `tests/unit/test_surrogate_engine.py` holds it."""
