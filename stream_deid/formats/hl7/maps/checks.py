"""What is wrong with a site's own map, before any message: each mistake names its key.

Rules that stand in a map are checked against what the project's own map makes of kinds, roles and
persons; a rule that would mean nothing, or another thing than it says, is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Protocol

from stream_deid.errors import Halt
from stream_deid.formats.hl7.maps.field_map import ATOMS, FieldMap, FieldRule, rule
from stream_deid.labels import PhiType

_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}")
_TYPE = re.compile(r"[A-Z][A-Z0-9]{1,15}")
_KIND_OF_MESSAGE = re.compile(r"[A-Z][A-Z0-9]{2}(?:\^[A-Z0-9]{3})?")
_NUMBERS = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
_MOST = 255  # fields of a segment, components of a type
_TYPED = frozenset({"as", "phone", "title"})  # beside data types: what a type of identifier is for


class Matching(Protocol):
    """Which messages a map takes."""

    @property
    def application(self) -> str: ...
    @property
    def facility(self) -> str: ...
    @property
    def types(self) -> tuple[str, ...]: ...


def check_rules(fields: FieldMap, segments: Any, types: Any) -> None:
    """Raises `Halt("hl7.map")` for the first rule of a map that can't be meant. `fields`: what the
    rules come before.
    """
    known = _Known(fields, _tables("types", types))
    for _, key, number, text in _entries("types", types, _TYPE):
        _whole(number, key)
        known.check(key, text, inside=True)
    known.check_types()
    for name, key, number, text in _entries("segments", segments, _SEGMENT):
        if number == "person":
            known.check_person(key, text)
            continue
        first = _whole(number, key)
        if name == "MSH" and first < 3:
            raise _wrong(key, "MSH-1 and MSH-2 are the separators themselves")
        made = known.check(key, text, inside=False)
        if made.kind == "observation" and (name, number) != ("OBX", "5"):
            raise _wrong(key, "observation is OBX-5 alone")


def check_match(match: Mapping[str, Any]) -> None:
    """Raises `Halt("hl7.map")` for criteria that no message could meet."""
    for key in ("application", "facility"):
        value = match.get(key, "")
        if not isinstance(value, str) or value != value.strip() or "^" in value:
            raise _wrong(f"match.{key}", f"{value!r} is no first component without blanks around")
    kinds = match.get("types", [])
    if not isinstance(kinds, list):
        raise _wrong("match.types", "a list is wanted, as ['ADT', 'ORU^R01']")
    for one in kinds:
        if not isinstance(one, str) or not _KIND_OF_MESSAGE.fullmatch(one):
            raise _wrong("match.types", f"{one!r} is no type of message (ADT, ORU^R01)")


def check_names(names: Sequence[str], interfaces: Sequence[Matching]) -> None:
    """Raises `Halt("hl7.map")` where a map takes no message, for one before it takes them all."""
    for at, later in enumerate(interfaces):
        for before in range(at):
            if _covers(interfaces[before], later):
                detail = f"{names[at]}: [match]: every message of it is one of {names[before]}'s"
                raise Halt("hl7.map", f"{detail}, which stands before it: it would never be used")


def _covers(one: Matching, other: Matching) -> bool:
    if one.application not in ("", other.application):
        return False
    if one.facility not in ("", other.facility):
        return False
    if not one.types:
        return True
    kinds = {*one.types}
    told = (t in kinds or t.partition("^")[0] in kinds for t in other.types)
    return bool(other.types) and all(told)


class _Known:
    """What rules may say."""

    def __init__(self, fields: FieldMap, types: Mapping[str, Any]) -> None:
        self._fields, self._types = fields, types
        rules = [r for t in (fields.types, fields.segments) for e in t.values() for r in e.values()]
        self._roles: dict[str, set[str]] = {}
        for one in rules:
            self._roles.setdefault(one.kind, set()).add(one.role)
        self._persons = {*fields.persons.values(), *(one.person for one in rules)} - {""}
        self._kinds = ATOMS | fields.types.keys() | types.keys()
        self._made: dict[str, list[FieldRule]] = {
            name: list(entries.values()) for name, entries in fields.types.items()
        }

    def check(self, key: str, text: Any, *, inside: bool) -> FieldRule:
        """A rule, of a component where `inside`."""
        if not isinstance(text, str):
            raise _wrong(key, "a rule is a text, as 'XPN:PATIENT'")
        head = text.partition("@")[0].partition("=")[0]
        kind, _, phi = head.partition(":")
        if kind not in self._kinds:
            raise _wrong(key, f"{kind!r} is no kind of rule{_near(kind, self._kinds)}")
        if phi and phi not in PhiType.__members__ and phi not in {t.value for t in PhiType}:
            types = {t.value for t in PhiType}
            raise _wrong(key, f"{phi!r} is no type of identifier{_near(phi, types)}")
        made = rule(text)
        if made.phi is not None and kind in ATOMS - _TYPED:
            raise _wrong(key, f"{kind} has no type of identifier")
        roles = self._roles.get(kind, set()) - {""}
        if made.role and made.role not in roles:
            raise _wrong(key, f"{made.role!r} is no role of {kind}{_near(made.role, roles)}")
        if made.person:
            self.check_person(key, made.person)
        if kind == "listed" and made.role not in self._fields.listed:
            raise _wrong(key, f"which list? {', '.join(sorted(self._fields.listed))}")
        if inside:
            self._made.setdefault(key.split(".")[1], []).append(made)
        elif made.phi is None and self._wants_type(kind):
            raise _wrong(key, f"{kind} of what type? as {kind}:{PhiType.PATIENT.value}")
        return made

    def check_person(self, key: str, person: Any) -> None:
        if person not in self._persons:
            raise _wrong(key, f"{person!r} is nobody{_near(str(person), self._persons)}")

    def check_types(self) -> None:
        """No data type is made of itself."""
        for name in self._types:
            held = {name}
            inner = self._inside(name)
            while inner - held or name in inner:
                if name in inner:
                    raise _wrong(f"types.{name}", "is made of itself")
                held |= inner
                inner = {b for a in inner for b in self._inside(a)}

    def _inside(self, name: str) -> set[str]:
        return {one.kind for one in self._made.get(name, []) if one.kind in self._made}

    def _wants_type(self, kind: str) -> bool:
        """Whether some piece of it is an identifier whose type only the field's rule can say."""
        if kind == "as":
            return True
        return any(
            one.phi is None and self._wants_type(one.kind) for one in self._made.get(kind, [])
        )


def _tables(part: str, found: Any) -> Mapping[str, Mapping[str, Any]]:
    if not isinstance(found, Mapping):
        raise _wrong(part, "a table is wanted")
    for name, entries in found.items():
        if not isinstance(entries, Mapping):
            raise _wrong(f"{part}.{name}", "a table is wanted, as 1 = 'keep'")
    return found


def _entries(part: str, found: Any, names: re.Pattern[str]) -> Iterator[tuple[str, str, str, Any]]:
    for name, entries in _tables(part, found).items():
        if not names.fullmatch(name):
            raise _wrong(f"{part}.{name}", "is no name of one")
        for number, text in entries.items():
            yield name, f"{part}.{name}.{number}", number, text


def _whole(number: str, key: str) -> int:
    """The first number of a key."""
    found = _NUMBERS.fullmatch(number)
    if found is None:
        raise _wrong(key, "is no number of a field or component (3, 35-38)")
    first, last = int(found[1]), int(found[2] or found[1])
    if not 1 <= first <= last <= _MOST:
        raise _wrong(key, f"numbers go from 1 to {_MOST}, the smaller one first")
    return first


def _near(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(names), n=1)
    return f" (is {near[0]!r} meant?)" if near else ""


def _wrong(key: str, detail: str) -> Halt:
    return Halt("hl7.map", f"{key}: {detail}")
