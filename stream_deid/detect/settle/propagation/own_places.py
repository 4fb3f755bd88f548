"""Wards, rooms and floors that a message's own fields state, in its values and texts.

line = VALUE, all of a line of text            "M5" in OBX-5, where PV1-3 is "M5^512^B"
head = VALUE with a dash, first of a line      "21-C Canul", in a list of beds
said = ("en" | "to" | "ward" | ...) VALUE      "Paciente en M5", "back to 4 West"
room = ("room" | "hab" | "de la" | ...) FIGURES                "hab. 512"
     | FIGURES ("ventana" | "window" | ...)         "512 ventana"

A value has a letter and a figure, or three or four figures, which are a room's alone. What a scale
is asked for ("M5" of a coma scale) is none, nor is a value behind other words: they may be its
points. A number that patterns or models find and that is such a room is that room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stream_deid.detect.record.written_forms import phrases
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection, Finding, Part
from stream_deid.text.folding import folded
from stream_deid.text.view import View

DETECTOR = "own-place@1"
_WORDS = Vocabulary("own_places")
_SAID = re.compile(rf"(?i)(?:^|[^a-z])(?:{_WORDS['before']})[ ]$")
_ROOM = range(3, 5)
_ROOM_BEFORE = re.compile(rf"(?i)(?:^|[^a-z])(?:{_WORDS['rooms']})[.:#]?[ ]?$")
_ROOM_BEHIND = re.compile(rf"(?i)^[ ,-]{{1,2}}(?:{_WORDS['beside']})(?:[^a-z]|$)")
_SCALE = re.compile(rf"(?i)(?:^|[^a-z])(?:{_WORDS['scales']})(?:[^a-z]|$)")
_ENDS = re.compile(r"[ .]*(?:\n|\Z)")
_INSIDE_BEFORE, _INSIDE = re.compile(r"[\w/-]"), re.compile(r"[\w/-]|[.,]\d")
_LONGEST, _NEARBY, _MOST = 24, 16, 50


def own_places(parts: Sequence[Part]) -> list[list[Detection]]:
    """The detections in each of `parts` of the places that others of them declare."""
    stated = sorted({value for part in parts for value in _declared(part)}, key=len)[-_MOST:]
    if not stated:
        return [[] for _ in parts]
    return [list(_found(part, stated[::-1])) if part.examine else [] for part in parts]


def as_rooms(
    parts: Sequence[Part], findings: Sequence[tuple[Finding, ...]]
) -> list[tuple[Finding, ...]]:
    """The findings in each part; a number that is a room which others declare is a place."""
    rooms = {value for part in parts for value in _declared(part) if value.isdecimal()}
    return [
        tuple(
            replace(one, type=PhiType.LOCATION_OTHER)
            if part.examine
            and one.type is PhiType.IDNUM
            and part.text[one.start : one.end] in rooms
            else one
            for one in found
        )
        for part, found in zip(parts, findings, strict=True)
    ]


def _declared(part: Part) -> Iterator[str]:
    """The place that a structured part declares, of a letter and a figure or a room's figures."""
    value = folded(part.text).strip()
    if part.examine or not 1 < len(value) <= _LONGEST:
        return
    mixed = any(map(str.isalpha, value)) and any(map(str.isdecimal, value))
    room = value.isdecimal() and len(value) in _ROOM
    if (mixed or room) and any(one.type is PhiType.LOCATION_OTHER for one in part.declared):
        yield value.lower()


def _standing(view: View, values: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the values stand by themselves, the longest first; none within another."""
    taken = bytearray(len(view.text))
    for start, end in phrases(view, values):
        before = view.text[max(0, start - 1) : start]
        if not (_INSIDE_BEFORE.search(before) or _INSIDE.match(view.text, end)):
            if not any(taken[start:end]):
                yield start, end
            taken[start:end] = b"\1" * (end - start)


def _found(part: Part, stated: Sequence[str]) -> Iterator[Detection]:
    if _SCALE.search(folded(part.asked)):
        return
    view = View(part.text)
    for start, end in sorted(_standing(view, stated)):
        value = view.text[start:end]
        before = view.text[max(0, start - _NEARBY) : start].rpartition("\n")[2]
        if value.isdecimal():
            after = folded(view.text[end : end + _NEARBY])
            if _ROOM_BEFORE.search(folded(before)) or _ROOM_BEHIND.match(after):
                yield Detection(*view.origin(start, end), PhiType.LOCATION_OTHER, DETECTOR, 0.9)
            continue
        line = not before.strip() and _ENDS.match(view.text, end) is not None
        words = " " in value
        heads = not before.strip() and "-" in value
        if line or heads or (words and not before.rstrip()[-1:].isalnum()) or _SAID.search(before):
            yield Detection(*view.origin(start, end), PhiType.LOCATION_OTHER, DETECTOR, 0.9)
