"""Acronyms of organisations that a note writes out: found with their expansion, and again alone.

told     = ACRONYM ["="] ["("] expansion | expansion "(" ACRONYM ")"
           "LCS (Laboratorio Clínico Solana)", "Pine Valley Hospice (PVH)", "QLS = Quinault Lab"
acronym  = the first letters of the expansion's words in order, of which small ones may be left out

The expansion may begin some words before what was found ("Laboratorio" before "Clínico Solana").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stream_deid.detect.settle.fusion.spans import WEAK
from stream_deid.labels import ORGANIZATIONS
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded

DETECTOR = "acronym@1"
_LETTERS = r"[A-Z]{3,6}"
_BEFORE = re.compile(rf"(?<![\w/-])({_LETTERS})[ ]?(?:[(=:]|= ?\()[ ]?((?:[A-Z][a-z]+[ ]){{0,3}})$")
_AFTER = re.compile(rf"[ ]?\(({_LETTERS})\)")
_ALONE = re.compile(rf"(?<![\w/-]){_LETTERS}(?![\w/-])")
_WORD = re.compile(r"[A-Za-z]+")
_REACH = 60
_SMALL = 3


def acronyms(texts: Sequence[str], found: Sequence[Sequence[Finding]]) -> list[list[Detection]]:
    """The acronyms in each of `texts` of organisations that `found` names in any of them."""
    shown = [folded(text) for text in texts]
    told = {
        letters: one
        for text, findings in zip(shown, found, strict=True)
        for one in findings
        if one.type in ORGANIZATIONS and one.score >= WEAK
        for letters in _told(text, one)
        if not is_abbreviation(letters)
    }
    if not told:
        return [[] for _ in texts]
    return [
        [
            Detection(*hit.span(), one.type, DETECTOR, min(one.score, 0.9), one.label)
            for hit in _ALONE.finditer(text)
            if (one := told.get(hit[0])) is not None
        ]
        for text in shown
    ]


def _told(text: str, one: Finding) -> Iterator[str]:
    """The acronyms beside an expansion whose first letters they are."""
    value = text[one.start : one.end]
    before = _BEFORE.search(text[max(0, one.start - _REACH) : one.start])
    if before is not None and _spells(before[1], before[2] + value):
        yield before[1]
    after = _AFTER.match(text, one.end)
    if after is not None:
        ahead = text[max(0, one.start - _REACH) : one.start].rpartition("\n")[2]
        words = _WORD.findall(ahead)[-_SMALL:]
        if any(_spells(after[1], " ".join([*words[at:], value])) for at in range(len(words) + 1)):
            yield after[1]


def _spells(letters: str, expansion: str) -> bool:
    """Whether `letters` are the first ones of the words of `expansion`, in order."""
    words = _WORD.findall(expansion)
    if not words or words[0][0].upper() != letters[0]:
        return False
    left = letters
    for word in words:
        if left[:1] == word[0].upper():
            left = left[1:]
        elif len(word) > _SMALL:
            return False
    return not left
