"""Whom a message names: the facts of its structured fields, as identifiers to search for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stream_deid.formats.placeholders import is_no_name, is_placeholder
from stream_deid.formats.whole_names import name_of
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.namesakes import is_clinical
from stream_deid.note import Known
from stream_deid.text.capitals import is_sign
from stream_deid.text.folding import fold

_NOT_SEARCHED = frozenset(
    {PhiType.LOCATION_OTHER, PhiType.STATE, PhiType.COUNTRY, PhiType.PROFESSION}
)
"""Types whose values (`ICU`, `US`, `IN`) would hit innocent words of the free text."""
_NOT_SEARCHED_ROLES = frozenset({"prefix", "suffix", "check", "oid", "area", "extension"})
_MIN_NUMBER = 4


@dataclass(frozen=True, slots=True)
class Fact:
    """An identifier in a structured field, before its people are told apart.

    `subject`: the patient whose it is, where a message has several.
    """

    person: str = field(repr=False)
    type: PhiType
    role: str
    value: str = field(repr=False)
    subject: str = field(default="", repr=False)


def known(facts: Iterable[Fact], sexes: Mapping[str, str]) -> tuple[Known, ...]:
    """The identifiers to search for, each once, by person.

    People of the same family and given name are one, and take the first one's group.
    """
    facts = list(facts)
    named: dict[tuple[str, str], str] = {}
    for fact in facts:
        named.setdefault((fact.person, fact.role), fold(fact.value))
    names: dict[tuple[str, str], str] = {}
    same = {person: person for person in (fact.person for fact in facts)}
    for person in same:
        key = (named.get((person, "family"), ""), named.get((person, "given"), ""))
        if all(key):
            same[person] = names.setdefault(key, person)
    merged: dict[str, str] = {}
    for person, sex in sexes.items():
        merged.setdefault(same.get(person, person), sex)
    found = [
        Known(f.type, _sought(f), same[f.person], f.role, merged.get(same[f.person], ""), f.subject)
        for f in facts
        if _searchable(f) and _sought(f)
    ]
    return tuple(dict.fromkeys(found))


def _sought(fact: Fact) -> str:
    """What of a value is looked for: of a whole name what is one."""
    return name_of(fact.value) if fact.role == "full" and fact.type in PERSONS else fact.value


def _searchable(fact: Fact) -> bool:
    """Whether looking for a value in free text helps more than it harms."""
    if fact.type in _NOT_SEARCHED or fact.role in _NOT_SEARCHED_ROLES:
        return False
    if fact.type in ORGANIZATIONS and " " not in fact.value:
        return is_sign(fact.value) and not is_clinical(fact.value)
    if is_no_name(fact.value) if fact.type in PERSONS else is_placeholder(fact.value):
        return False
    return fact.type not in NUMBERS or len(fact.value) >= _MIN_NUMBER
