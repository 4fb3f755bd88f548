"""The same words are one kind of place in all of a note.

Models call "MUSE7" a place here and a hospital there; two types are two surrogates, and a reader
sees two things. So a value that stands several times takes the type of its surest finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stream_deid.labels import ORGANIZATIONS, PhiType
from stream_deid.note import Finding
from stream_deid.text.folding import fold

PLACES_BY_NAME = ORGANIZATIONS | {PhiType.LOCATION_OTHER}
"""The types that one name may be given in turn."""

_UNSAID = str.maketrans("", "", ".'’")


def one_type(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]]
) -> list[tuple[Finding, ...]]:
    """The findings in each of `texts`, of one type wherever the same words are found. A text that
    is not examined is empty here: its findings stay as they are.
    """
    surest: dict[str, Finding] = {}
    for text, found in zip(texts, findings, strict=True):
        for one in found:
            if text and one.type in PLACES_BY_NAME:
                said = name_key(text[one.start : one.end])
                if one.score > surest.setdefault(said, one).score:
                    surest[said] = one
    return [
        tuple(_as(surest, text, one) for one in found)
        for text, found in zip(texts, findings, strict=True)
    ]


def _as(surest: dict[str, Finding], text: str, one: Finding) -> Finding:
    if not text or one.type not in PLACES_BY_NAME:
        return one
    best = surest[name_key(text[one.start : one.end])]
    return replace(one, type=best.type, label=best.label) if best.type != one.type else one


def name_key(value: str) -> str:
    """A name without what is written so here and otherwise there: "St. Mary's", "St Marys"."""
    return " ".join(fold(value).translate(_UNSAID).split())
