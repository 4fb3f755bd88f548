"""Where a clean message holds the pseudonyms that name it, for those who give it other ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import orjson

from stream_deid.formats.json import render_by_map
from stream_deid.formats.json.site_map import Map

_PSEUDONYM = re.compile(r"[a-z2-7]{20}|[A-Z2-7]{20}")
_NUMBERS = {b"MSH": 9, b"MSA": 2}
"""Where segments hold the number of a message, and of the one that they answer."""


def is_one(text: str) -> bool:
    """Whether a text has the form of a pseudonym (`surrogate.keys.token`)."""
    return _PSEUDONYM.fullmatch(text) is not None


def of_message(clean: bytes, maps: Sequence[Map]) -> tuple[str, ...]:
    """The pseudonyms of a clean message: the id of a JSON note (by whichever of `maps`, or our own
    envelope), numbers of an HL7 message, of one inside of JSON too. A FHIR resource has none
    beside the ids of its resources.
    """
    found = _of_hl7(clean) if clean.startswith(b"MSH") else _of_json(clean, maps)
    return tuple(dict.fromkeys(one for one in found if is_one(one)))


def _of_hl7(clean: bytes) -> Iterator[str]:
    mark = clean[3:4]
    for segment in re.split(rb"[\r\n]", clean):
        fields = segment.split(mark)
        at = _NUMBERS.get(fields[0], len(fields))
        if at < len(fields):
            yield fields[at].decode("ascii", "replace")


def _of_json(clean: bytes, maps: Sequence[Map]) -> Iterator[str]:
    try:
        body = orjson.loads(clean)
    except ValueError:
        return
    if not isinstance(body, dict):
        return
    yield str(body.get("note_id", ""))
    for one in maps:
        yield from render_by_map.note_ids(body, one)
        for inside in render_by_map.texts_inside(body, one):
            yield from _of_hl7(inside.encode("utf-8"))
