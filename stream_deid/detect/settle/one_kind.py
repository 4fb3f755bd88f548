"""One name of a place or an institution is one thing in all of a note.

Models call "MUSE7" a place here and a hospital there; two types are two surrogates, and a reader
sees two things. So a value that stands several times takes the type of its surest finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stream_deid.labels import ORGANIZATIONS, PhiType
from stream_deid.note import Finding
from stream_deid.text.folding import fold

_PLACES = ORGANIZATIONS | {PhiType.LOCATION_OTHER}


def one_kind(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]]
) -> list[tuple[Finding, ...]]:
    """The findings in each of `texts`, of one type wherever the same words are found."""
    surest: dict[str, Finding] = {}
    for text, found in zip(texts, findings, strict=True):
        for one in found:
            if one.type in _PLACES:
                words = _words(text, one)
                if one.score > surest.setdefault(words, one).score:
                    surest[words] = one
    return [
        tuple(_as(surest, text, one) for one in found)
        for text, found in zip(texts, findings, strict=True)
    ]


def _as(surest: dict[str, Finding], text: str, one: Finding) -> Finding:
    if one.type not in _PLACES:
        return one
    best = surest[_words(text, one)]
    return replace(one, type=best.type, label=best.label) if best.type != one.type else one


def _words(text: str, one: Finding) -> str:
    return fold(text[one.start : one.end]).lower()
