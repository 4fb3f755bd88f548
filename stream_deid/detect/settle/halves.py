"""Halves of names: the word that goes on behind a name that was found.

half = initial Name            "A." of "Asst: A. Blood"
     | name word age sex       "abimbola" of "abimbola sunday, 61f"
     | letter of dotted letters "a.g.m." of which a model marked "a"
     | name "/" listed name    "Garrido" of "Cir: Amo/Garrido"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stream_deid.detect.settle.spans import WEAK
from stream_deid.labels import PERSONS
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.terms import is_listed_name
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded

DETECTOR = "other-half@1"
_INITIAL = re.compile(r"[A-Z]\.?")
_SURNAME = re.compile(r"\.? ?([A-Z][a-z]{2,})(?![A-Za-z'.])")
_MATE = re.compile(r"/([A-Z][a-z]{2,})(?![A-Za-z'/-]|\.[A-Za-z])")
_DOTTED = re.compile(r"(?<![\w.])[A-Za-z](?:\.[A-Za-z]){1,3}(?![\w])")
_AROUND = 8
_AGED = re.compile(
    r" ([A-Za-z][A-Za-z'-]{2,14}),? ?\(?\d{1,3} ?(?:y/?o|yr|f|m|yof|yom|a|anos)(?![A-Za-z])",
    re.IGNORECASE,
)


def other_halves(text: str, found: Sequence[Finding]) -> list[Detection]:
    """The words behind names in `found` that belong to them."""
    shown = folded(text)
    return [
        Detection(start, end, one.type, DETECTOR, one.score, one.label)
        for one in found
        if one.type in PERSONS
        for start, end in (*_written_with(shown, one), *_going_on(shown, one))
    ]


def _written_with(shown: str, one: Finding) -> Iterator[tuple[int, int]]:
    """All of the dotted letters of which a finding is a part, the name behind its slash."""
    if one.end - one.start <= _AROUND:
        low = max(0, one.start - _AROUND)
        hits = (hit.span() for hit in _DOTTED.finditer(shown, low, one.end + _AROUND))
        yield from ((a, b) for a, b in hits if a <= one.start < one.end <= b + 1)
    mate = _MATE.match(shown, one.end)
    if mate is not None and is_listed_name(mate[1]) and not is_clinical(mate[1]):
        yield mate.span(1)


def _going_on(shown: str, one: Finding) -> Iterator[tuple[int, int]]:
    """A name with the surname behind its initial, or the word before an age."""
    if one.score < WEAK:
        return
    initial = _INITIAL.fullmatch(shown[one.start : one.end])
    behind = (_SURNAME if initial else _AGED).match(shown, one.end)
    if behind is not None and (not initial or shown[one.start - 1 : one.start] in ("", " ")):
        yield one.start, behind.end(1)
