"""The HL7 field map (`hl7/data/fields.toml`), read once and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import toml

ATOMS = frozenset(
    {
        "keep", "code", "coded", "text", "drop", "as", "title", "date", "stamp", "authority",
        "oid", "facility", "phone", "country", "sex", "observation", "encapsulated", "control",
        "listed",
    }
)  # fmt: skip


_CUT = re.compile(r"[\s_-]+")
_FIGURES = re.compile(r"(?<=\D)\d{1,2}$")
_LETTERS = re.compile(r"[^\W\d_]{4,}")
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\WA-Z\d_]+")


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What to do with one field or piece of it: `KIND[:PHI][=role][@person]` in the map; the role
    of a coded element is what it answers (`coded=allergen`).
    """

    kind: str
    phi: PhiType | None = None
    role: str = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed list: `words` that a value may consist of, and a `form` that its words may have."""

    words: frozenset[str]
    form: re.Pattern[str]

    @classmethod
    def read(cls, words: str, form: str = "(?!)") -> Closed:
        return cls(frozenset(words.split()), re.compile(form))

    def holds(self, value: str) -> bool:
        """Whether each word of a value is on the list."""
        return all(
            self.form.fullmatch(word)
            or not self.words.isdisjoint({word.lower(), _FIGURES.sub("", word.lower())})
            for word in _CUT.split(value)
            if word
        )

    def and_words_of(self, values: Iterable[str]) -> Closed:
        """The list with each word of these values."""
        more = {word.lower() for value in values for word in _CUT.split(value) if word}
        return replace(self, words=self.words | more)

    def is_strange(self, value: str) -> bool:
        """Whether a word of four letters and more is on no list, nor made of words that are
        (`LabADT`).
        """
        return not self.holds(value) and not all(
            run.lower() in self.words or {one.lower() for one in _PIECES.findall(run)} <= self.words
            for run in _LETTERS.findall(value)
        )


@dataclass(frozen=True, slots=True)
class FieldMap:
    """The whole map; `types` and `segments` lead from numbers, counted from 1, to rules. `listed`:
    what may stand in a field of closed values, by list.
    """

    units: frozenset[str]
    telephones: frozenset[str]
    id_types: Mapping[str, PhiType]
    observation: Mapping[str, FieldRule]
    types: Mapping[str, Mapping[int, FieldRule]]
    segments: Mapping[str, Mapping[int, FieldRule]]
    persons: Mapping[str, str]
    listed: Mapping[str, Closed]


@cache
def field_map() -> FieldMap:
    """Read and check the map; raises `Halt` (`hl7.map`) for a rule that means nothing."""
    data = toml("fields", "stream_deid.formats.hl7")
    types = {name: _rules(entries) for name, entries in data["types"].items()}
    persons = {
        name: entries.pop("person") for name, entries in data["segments"].items()
        if "person" in entries
    }  # fmt: skip
    fields = FieldMap(
        units=frozenset(data["units"]),
        telephones=frozenset(data["telephones"].split()),
        id_types=MappingProxyType({k: PhiType(v) for k, v in data["id_types"].items()}),
        observation=MappingProxyType({k: rule(v) for k, v in data["observation"].items()}),
        types=MappingProxyType(types),
        segments=MappingProxyType({k: _rules(v) for k, v in data["segments"].items()}),
        persons=MappingProxyType(persons),
        listed=MappingProxyType({k: Closed.read(**v) for k, v in data["listed"].items()}),
    )
    _check(fields)
    return fields


def with_rules(
    fields: FieldMap,
    segments: Mapping[str, Mapping[str, Any]],
    types: Mapping[str, Mapping[str, Any]],
    applications: Iterable[str] = (),
) -> FieldMap:
    """A map with these rules before its own; a segment that it lacks is added. `applications`:
    names of programs that stay in the header.

    Raises `Halt` (`hl7.map`) for a rule that means nothing, `ValueError` for a number or type.
    """
    persons = {name: rules["person"] for name, rules in segments.items() if "person" in rules}
    made = replace(
        fields,
        types=_merged(fields.types, types),
        segments=_merged(fields.segments, segments),
        persons=MappingProxyType({**fields.persons, **persons}),
        listed=MappingProxyType(
            {
                **fields.listed,
                "application": fields.listed["application"].and_words_of(applications),
            }
        ),
    )
    _check(made)
    return made


def _merged(
    own: Mapping[str, Mapping[int, FieldRule]], other: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Mapping[int, FieldRule]]:
    changed = {name: {**own.get(name, {}), **_rules(rules)} for name, rules in other.items()}
    return MappingProxyType({**own, **changed})


def rule(text: str) -> FieldRule:
    """Parse `KIND[:PHI][=role][@person]`."""
    rest, _, person = text.partition("@")
    rest, _, role = rest.partition("=")
    kind, _, phi = rest.partition(":")
    return FieldRule(kind, PhiType(phi) if phi else None, role, person)


def _rules(entries: Mapping[str, Any]) -> Mapping[int, FieldRule]:
    rules: dict[int, FieldRule] = {}
    for key, value in entries.items():
        if key == "person":
            continue
        first, _, last = key.partition("-")
        for number in range(int(first), int(last or first) + 1):
            if number in rules:
                raise Halt("hl7.map", f"field {number} has two rules")
            rules[number] = rule(value)
    return MappingProxyType(rules)


def _check(fields: FieldMap) -> None:
    for rules in (*fields.types.values(), *fields.segments.values()):
        for number, entry in rules.items():
            if entry.kind not in ATOMS and entry.kind not in fields.types:
                raise Halt("hl7.map", f"field {number}: unknown rule kind {entry.kind!r}")
            if entry.kind == "listed" and entry.role not in fields.listed:
                raise Halt("hl7.map", f"field {number}: unknown list {entry.role!r}")
