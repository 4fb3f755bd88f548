"""Writes a message back by the map of the site that sent it.

Out goes the same message with clean text, pseudonymous ids and shifted dates where the map names
them, what the map keeps as it came, and nothing else.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from stream_deid.budget import check
from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json
from stream_deid.formats.json import embedded
from stream_deid.formats.json.note_by_map import Tree
from stream_deid.formats.json.pointed_values import decoded, encoded
from stream_deid.formats.json.site_map import JsonPlace, Map, places
from stream_deid.note import Deidentified, Note

_GONE: Any = object()


def render(note: Note, clean: Deidentified) -> bytes:
    """Write the message with what the map names, and nothing else."""
    tree = note.envelope
    assert isinstance(tree, Tree)
    made: dict[tuple[int, Any], Any] = {}
    for place in tree.kept:
        made[id(place.container), place.key] = place.value
    last = len(clean.parts) - len(tree.searched)
    parts = (*clean.parts[: len(tree.parts)], *clean.parts[last:])
    for place, part in zip((*tree.parts, *tree.searched), parts, strict=True):
        made[id(place.container), place.key] = part.text
    for one in tree.inner:
        at = (id(one.place.container), one.place.key)
        made[at] = embedded.written(one, clean, tree.readers)
    for ids, value in ((tree.note_ids, clean.note_id), (tree.patient_ids, clean.patient_id)):
        made |= {(id(place.container), place.key): value for place in ids}
    write = {(id(place.container), place.key): coding for place, coding in tree.coded}
    out = _pruned(tree.body, made, write)
    return exact_json.dump({} if out is _GONE else out).encode("utf-8")


def note_ids(clean: dict[str, Any], found: Map) -> Iterator[str]:
    """The note's id in a message as `render` wrote it, if it is this map's."""
    yield from (str(place.value) for place in _found(clean, found, found.note_id))


def texts_inside(clean: dict[str, Any], found: Map) -> Iterator[str]:
    """HL7 messages inside a message as `render` wrote it, if it is this map's."""
    for pointer, coding in found.messages.items():
        for place in _found(clean, found, pointer):
            if coding == "hl7v2" and isinstance(place.value, str):
                yield place.value


def _found(clean: dict[str, Any], found: Map, pointer: str) -> list[JsonPlace]:
    """What stands at a pointer of a map, nothing where the message is another map's."""
    body = copy.deepcopy(clean)
    try:
        for _ in decoded(body, found):
            pass
    except NoteRejected:
        return []
    return places(body, pointer) if pointer else []


def _pruned(value: Any, made: dict[tuple[int, Any], Any], write: dict[tuple[int, Any], str]) -> Any:
    """What is left of a value: the members that are made anew, and what leads to them."""
    if not isinstance(value, (dict, list)):
        return _GONE
    check()
    members = value.items() if isinstance(value, dict) else enumerate(value)
    left = []
    for key, inner in members:
        at = (id(value), key)
        new = made[at] if at in made else _pruned(inner, made, write)
        if new is not _GONE:
            left.append((key, encoded(new, write[at]) if at in write else new))
    if not left:
        return _GONE
    return dict(left) if isinstance(value, dict) else [new for _, new in left]
