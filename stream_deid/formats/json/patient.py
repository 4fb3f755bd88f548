"""The `patient` object of a JSON note: everything in it that identifies someone.

Its shapes differ from sender to sender, so each kind of fact is read in all of its usual forms:
a name as a string, as `{family, given, ...}` or a list of these; numbers as strings, as
`{type, value}`, or by name (`{"mrn": ...}`). Keys that are not known here are not searched for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from stream_deid.errors import NoteRejected
from stream_deid.formats.placeholders import is_no_name, is_no_state, is_placeholder
from stream_deid.formats.whole_names import name_of
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.sexes import sex_of
from stream_deid.lists.vocabulary import toml
from stream_deid.note import Known

_FIELDS = toml("patient_fields", "stream_deid.formats")


def _by_key(table: str) -> Mapping[str, str]:
    """What each key of a table says."""
    return MappingProxyType(
        {key: said for said, keys in _FIELDS[table].items() for key in keys.split()}
    )


def _types(table: str) -> Mapping[str, PhiType]:
    return MappingProxyType({key: PhiType(said) for key, said in _by_key(table).items()})


_NAME_ROLES = _by_key("name_roles")
_WHOLE = _by_key("whole")
_NUMBERS = _types("numbers")
_ADDRESS_PARTS = _types("address_parts")
_PEOPLE = _by_key("people")
_MAX_DEPTH = 6
FACTS = frozenset((*_NAME_ROLES, *_WHOLE, *_NUMBERS, *_PEOPLE, "sex", "gender"))
"""What may be stated of a patient, by the name of its field."""


@dataclass(frozen=True, slots=True)
class _Person:
    label: str
    sex: str = ""

    @property
    def name_type(self) -> PhiType:
        return PhiType.DOCTOR if self.label.startswith("doctor") else PhiType.PATIENT


def known_identifiers(patient: Mapping[str, Any]) -> tuple[Known, ...]:
    """All that `patient` says of the patient and of the people around.

    Raises `NoteRejected` (`json.type`) where a field that should name someone holds something
    else: what can't be read can't be protected.
    """
    return tuple(dict.fromkeys(_person(patient, "patient", 0)))


def _person(facts: Mapping[str, Any], label: str, depth: int) -> Iterator[Known]:
    _bounded(depth)
    sex = facts.get("sex") or facts.get("gender") or ""
    person = _Person(label, sex_of(sex) if isinstance(sex, str) else "")
    counts: dict[str, int] = {}
    for key, value in facts.items():
        field = key.lower()
        if value is None:
            continue
        if field in _PEOPLE:
            for other in value if isinstance(value, list) else [value]:
                base = _PEOPLE[field]
                counts[base] = counts.get(base, 0) + 1
                inner = other if isinstance(other, dict) else {"name": other}
                yield from _person(inner, f"{base}:{counts[base]}", depth + 1)
        else:
            yield from _fact(field, value, person, depth)


def _bounded(depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise NoteRejected("json.type", "patient is nested too deeply")


def _fact(field: str, value: object, person: _Person, depth: int) -> Iterator[Known]:
    if _WHOLE.get(field) == "names":
        yield from _names(value, person, depth)
    elif field in _NAME_ROLES:
        yield from _texts(value, person.name_type, person, _NAME_ROLES[field])
    elif _WHOLE.get(field) == "birth":
        yield from _texts(value, PhiType.DATE, person, "birth_date")
    elif field in _NUMBERS:
        yield from _numbers(value, _NUMBERS[field], person, depth)
    elif _WHOLE.get(field) == "addresses":
        yield from _addresses(value, person)


def _names(value: object, person: _Person, depth: int) -> Iterator[Known]:
    if isinstance(value, list):
        _bounded(depth)
        for item in value:
            yield from _names(item, person, depth + 1)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key.lower() in _NAME_ROLES and inner is not None:
                yield from _texts(inner, person.name_type, person, _NAME_ROLES[key.lower()])
    else:
        yield from _texts(value, person.name_type, person, "full")


def _texts(value: object, phi: PhiType, person: _Person, role: str) -> Iterator[Known]:
    """A string, or a list of strings, as identifiers of one type."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, int) and not isinstance(item, bool):
            item = str(item)  # noqa: PLW2901 - numbers written as JSON numbers
        if not isinstance(item, str):
            raise NoteRejected("json.type", "patient holds a value of the wrong type")
        said = name_of(item) if role == "full" and phi in PERSONS else item
        if said and not _is_missing(said, phi):
            yield Known(phi, said.strip(), person.label, role, person.sex)


def _is_missing(value: str, phi: PhiType) -> bool:
    if phi in PERSONS:
        return is_no_name(value)
    return is_no_state(value) if phi is PhiType.STATE else is_placeholder(value)


def _numbers(value: object, phi: PhiType, person: _Person, depth: int) -> Iterator[Known]:
    _bounded(depth)
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            yield from _texts(item, phi, person, "")
        elif "value" in item:
            kind = str(item.get("type") or item.get("system") or item.get("use") or "").lower()
            yield from _texts(item["value"], _NUMBERS.get(kind, phi), person, "")
        else:
            for key, inner in item.items():
                if inner is not None:
                    named = _NUMBERS.get(key.lower(), phi)
                    yield from _numbers(inner, named, person, depth + 1)


def _addresses(value: object, person: _Person) -> Iterator[Known]:
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            yield from _texts(item, PhiType.STREET, person, "")
            continue
        for key, inner in item.items():
            if key.lower() in _ADDRESS_PARTS and inner is not None:
                yield from _texts(inner, _ADDRESS_PARTS[key.lower()], person, "")
