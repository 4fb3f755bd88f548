"""Halves of names: the word that goes on behind a name that was found.

half = initial Name            "A." of "Asst: A. Blood"
     | name word age sex       "abimbola" of "abimbola sunday, 61f"
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stream_deid.detect.settle.spans import WEAK
from stream_deid.labels import PERSONS
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded

DETECTOR = "other-half@1"
_INITIAL = re.compile(r"[A-Z]\.?")
_SURNAME = re.compile(r"\.? ?([A-Z][a-z]{2,})(?![A-Za-z'.])")
_AGED = re.compile(
    r" ([A-Za-z][A-Za-z'-]{2,14}),? ?\(?\d{1,3} ?(?:y/?o|yr|f|m|yof|yom|a|anos)(?![A-Za-z])",
    re.IGNORECASE,
)


def other_halves(text: str, found: Sequence[Finding]) -> list[Detection]:
    """The words behind names in `found` that belong to them."""
    shown = folded(text)
    out = []
    for one in found:
        if one.type not in PERSONS or one.score < WEAK:
            continue
        initial = _INITIAL.fullmatch(shown[one.start : one.end])
        behind = (_SURNAME if initial else _AGED).match(shown, one.end)
        if behind is not None and (not initial or shown[one.start - 1 : one.start] in ("", " ")):
            out.append(
                Detection(one.start, behind.end(1), one.type, DETECTOR, one.score, one.label)
            )
    return out
