"""What stands where a site's map points in a message: read, decoded, and encoded again."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any

from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json
from stream_deid.formats.json.site_map import Container, JsonPlace, Map, places


def decoded(body: dict[str, Any], found: Map) -> Iterator[tuple[JsonPlace, str]]:
    """Decode what a map says is encoded, in its place; where that is, and how it was."""
    for pointer, coding in found.decode.items():
        for place in strings(body, pointer):
            _set(place.container, place.key, _decode(place.value, coding, pointer))
            yield place, coding


def _set(container: Container, key: Any, value: Any) -> None:
    container[key] = value


def _decode(value: str, coding: str, pointer: str) -> Any:
    try:
        if coding.startswith("base64"):
            value = base64.b64decode("".join(value.split()), validate=True).decode("utf-8")
        return exact_json.load(value) if coding.endswith("json") else value
    except (binascii.Error, ValueError, exact_json.Malformed):
        raise NoteRejected("json.syntax", f"what stands at {pointer} is not {coding}") from None


def encoded(value: Any, coding: str) -> str:
    """What `decoded` read, as it was written."""
    data = (exact_json.dump(value) if coding.endswith("json") else str(value)).encode("utf-8")
    return base64.b64encode(data).decode("ascii") if coding.startswith("base64") else data.decode()


def tree(text: str) -> dict[str, Any]:
    """A message, read. Raises `NoteRejected("json.syntax")`."""
    try:
        body = exact_json.load(text)
    except exact_json.Malformed as error:
        raise NoteRejected("json.syntax", error.detail) from None
    assert isinstance(body, dict), "a map takes objects"
    return body


def ids(body: dict[str, Any], pointer: str) -> tuple[JsonPlace, ...]:
    """Where an id stands; nowhere where the map leaves it to a message inside."""
    if not pointer:
        return ()
    found = tuple(place for place in places(body, pointer) if _id(place))
    if not found:
        raise NoteRejected("json.missing", f"no id stands at {pointer}")
    if len({_id(place) for place in found}) > 1:
        raise NoteRejected("json.type", f"several ids stand at {pointer}")
    return found


def _id(place: JsonPlace) -> str:
    """A string or whole number as an id; empty for all else."""
    value = place.value
    if isinstance(value, exact_json.ExactNumber):
        return value.text if value.text.lstrip("-").isdecimal() else ""
    return value if isinstance(value, str) and value.strip() else ""


def said(ids: tuple[JsonPlace, ...]) -> str:
    """The id, or nothing."""
    return _id(ids[0]) if ids else ""


def strings(body: dict[str, Any], pointer: str) -> list[JsonPlace]:
    """The strings at a pointer. Raises `NoteRejected("json.type")` where another value stands."""
    found = [place for place in places(body, pointer) if place.value is not None]
    if any(not isinstance(place.value, str) for place in found):
        raise NoteRejected("json.type", f"what stands at {pointer} is no string")
    return found


def first(body: dict[str, Any], pointer: str) -> str:
    """The first string at a pointer, or nothing."""
    found = places(body, pointer) if pointer else []
    return found[0].value if found and isinstance(found[0].value, str) else ""
