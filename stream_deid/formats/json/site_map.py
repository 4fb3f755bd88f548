"""A site's own JSON: where in its messages the notes, ids and dates stand, by JSON Pointer.

A map in TOML (docs/json.md) names the places; everything that it does not name is withheld.
Pointers are those of RFC 6901, with `*` for every element of an array.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from stream_deid.errors import Halt
from stream_deid.formats.json.patient import FACTS
from stream_deid.note import Headers

_KEYS = {
    "match": dict, "headers": dict, "decode": dict, "messages": dict, "patient": dict,
    "results": dict,
    "note_id": str, "patient_id": str, "language": str, "note_type": str, "facts": str,
    "texts": list, "dates": list, "keep": list,
}  # fmt: skip
_KINDS = {dict: "a table", str: "one JSON Pointer", list: "a list of JSON Pointers"}
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)+")
_REQUIRED = ("note_id", "patient_id")
_ONE_THING = ("note_id", "patient_id", "texts", "dates", "results", "messages", "keep")
_CODINGS = {
    "decode": ("json", "base64", "base64+json"),
    "messages": ("hl7v2", "base64+hl7v2", "fhir", "base64+fhir"),
}

Container = dict[str, Any] | list[Any]


@dataclass(frozen=True, slots=True)
class JsonPlace:
    """A member of an object or array: `container[key]`, at `pointer` of the message."""

    container: Container = field(repr=False)
    key: Any
    pointer: str

    @property
    def value(self) -> Any:
        """What stands there."""
        return self.container[self.key]


@dataclass(frozen=True, slots=True)
class Map:
    """One map; the names are those of the file.

    `match`: pointer and value, `headers`: name and value, `*` for any. `messages`: where whole
    messages of another format stand, which then say what the map does not. `results`: where values
    of a few words stand, and the names of the tests whose they are, if they have any.
    """

    name: str
    note_id: str = ""
    patient_id: str = ""
    texts: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    language: str = ""
    note_type: str = ""
    facts: str = ""
    patient: Mapping[str, str] = field(default_factory=dict)
    match: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    decode: Mapping[str, str] = field(default_factory=dict)
    messages: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)

    def takes(self, body: dict[str, Any], headers: Headers) -> bool:
        """Whether a message is one of this map's."""
        return all(
            wanted.encode() == headers.get(name) or (wanted == "*" and name in headers)
            for name, wanted in self.headers.items()
        ) and all(
            any(wanted in ("*", place.value) for place in places(body, pointer))
            for pointer, wanted in self.match.items()
        )

    def covers(self, other: Map) -> bool:
        """Whether each message of another map is one of this map's."""
        return _asks_less(self.match, other.match) and _asks_less(self.headers, other.headers)


def _asks_less(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(name in other and wanted in ("*", other[name]) for name, wanted in one.items())


def read(maps: Mapping[str, str]) -> tuple[Map, ...]:
    """Maps by name and text. Raises `Halt("json.map")` for whatever means nothing in one."""
    made = tuple(_read(name, text) for name, text in maps.items())
    for at, later in enumerate(made):
        for before in made[:at]:
            if before.covers(later):
                detail = f"{later.name}: [match]: every message of it is one of {before.name}'s"
                raise Halt("json.map", f"{detail}, which stands before it: it would never be used")
    return made


def _read(name: str, text: str) -> Map:
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise Halt("json.map", f"{name}: {error}") from None
    for key, value in data.items():
        if key not in _KEYS:
            raise Halt("json.map", f"{name}: {key!r} is no key of a map{_near(key, _KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise Halt("json.map", f"{name}: {key} must be {_KINDS[_KEYS[key]]}")
    missing = [key for key in _REQUIRED if not data.get(key)]
    missing += ["texts"] * (not data.get("texts") and not data.get("results"))
    if missing and not data.get("messages"):
        raise Halt("json.map", f"{name}: {missing[0]} is missing")
    _check_once(name, data)
    for pointer in _pointers(data):
        if not isinstance(pointer, str) or not _POINTER.fullmatch(pointer):
            raise Halt("json.map", f"{name}: {pointer!r} is no JSON Pointer (/a/b, /a/*/b)")
    _check_values(name, data)
    made: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
    }
    return Map(name=name, **made)


def _check_once(name: str, data: Mapping[str, Any]) -> None:
    """A place is one thing: no text is a date or an id, and what is one of these is not kept."""
    meant: dict[str, str] = {}
    for key in _ONE_THING:
        value = data.get(key, ())
        for pointer in [value] if isinstance(value, str) else value:
            other = meant.setdefault(pointer, key) if isinstance(pointer, str) else key
            if other != key:
                raise Halt("json.map", f"{name}: {pointer!r} stands in {other} and in {key}")


def _check_values(name: str, data: Mapping[str, Any]) -> None:
    for key, codings in _CODINGS.items():
        if any(coding not in codings for coding in data.get(key, {}).values()):
            raise Halt("json.map", f"{name}: {key} is one of {', '.join(codings)}")
    for fact in data.get("patient", {}):
        if fact.lower() not in FACTS:
            raise Halt("json.map", f"{name}: patient.{fact} is no fact{_near(fact, FACTS)}")
    match = data.get("match", {}).values()
    if not all(isinstance(value, str | int | float) and str(value) != "nan" for value in match):
        raise Halt("json.map", f"{name}: values of match are texts, numbers, true or false")
    if not all(isinstance(value, str) for value in data.get("headers", {}).values()):
        raise Halt("json.map", f"{name}: values of headers are texts")


def _near(name: str, names: Iterable[str]) -> str:
    """The name that somebody may have meant."""
    near = get_close_matches(name.lower(), sorted(names), n=1)
    return f" (is {near[0]!r} meant?)" if near else f"; there are {', '.join(sorted(names))}"


def _pointers(data: Mapping[str, Any]) -> Iterator[Any]:
    for key, value in data.items():
        if key in ("match", "decode", "messages"):
            yield from value
        elif key == "headers":
            continue
        elif key == "results":
            yield from value
            yield from filter(None, value.values())
        elif isinstance(value, dict):
            yield from value.values()
        elif isinstance(value, list):
            yield from value
        else:
            yield value


def places(body: Any, pointer: str) -> list[JsonPlace]:
    """What a pointer names in a message: nothing, one place, or by `*` several, in order."""
    found: list[tuple[JsonPlace | None, Any]] = [(None, body)]
    for step in pointer.split("/")[1:]:
        found = [
            (place, place.value)
            for outer, value in found
            for place in _inside(outer.pointer if outer else "", value, step)
        ]
    return [place for place, _ in found if place is not None]


def _inside(pointer: str, value: Any, step: str) -> Iterator[JsonPlace]:
    name = step.replace("~1", "/").replace("~0", "~")
    if isinstance(value, dict) and name in value:
        yield JsonPlace(value, name, f"{pointer}/{step}")
    elif isinstance(value, list) and step == "*":
        for number in range(len(value)):
            yield JsonPlace(value, number, f"{pointer}/{number}")
    elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        yield JsonPlace(value, int(step), f"{pointer}/{step}")


def beside(pointer: str, place: JsonPlace) -> str:
    """The pointer that names what belongs to a place: each `*` is the number that led there."""
    numbers = iter(step for step in place.pointer.split("/") if step.isdecimal())
    return "/".join(next(numbers, step) if step == "*" else step for step in pointer.split("/"))
