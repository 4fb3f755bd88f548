"""What is changed wrongly: replaced spans that touch no identifier, by what they hit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stream_deid.labels import PhiType
from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.terms import is_term
from stream_deid.text.folding import fold

if TYPE_CHECKING:
    from stream_deid.training.scores.metrics import Mark

HIT = "hit."
KINDS = ("quantity", "code or number", "eponym", "drug or organism", "abbreviation", "word")
_WORD = re.compile(r"[^\W\d_]+")
_UNIT = re.compile(
    r"(?i)^ ?(?:%|mm|cm|mg|mcg|ml|g\b|kg|l/min|bpm|mmhg|units?|iu|puffs?|tabs?|x\b|/)"
)
_SHORT = 5
_YEAR = re.compile(r"\d{4}")


def damage(text: str, said: Sequence[Mark], gold: Sequence[Mark]) -> Counter[str]:
    """Counts by kind (`hit.KIND`) of predicted spans that touch nothing marked, neutral marks
    included; a year alone stays as it is and is left out.
    """
    found: Counter[str] = Counter()
    for mark in said:
        shown = text[mark.start : mark.end].strip()
        stays = mark.label == PhiType.DATE and _YEAR.fullmatch(shown)
        if stays or any(g.start < mark.end and mark.start < g.end for g in gold):
            continue
        found[HIT + kind(shown, text[mark.end : mark.end + 8])] += 1
    return found


def kind(shown: str, after: str) -> str:
    """One of `KINDS`."""
    words = _WORD.findall(shown)
    if any(map(str.isdigit, shown)):
        measured = _UNIT.match(after) or any(c in shown for c in "/.%") or len(shown) <= 2
        return "quantity" if measured else "code or number"
    folded = {fold(word) for word in words}
    if folded & EPONYMS:
        return "eponym"
    if any(map(is_term, folded)):
        return "drug or organism"
    if words and all(word.isupper() and len(word) <= _SHORT for word in words):
        return "abbreviation"
    return "word"
