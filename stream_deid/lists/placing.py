"""Whether what stands around a word makes it a place: "Lives in Normal", "Normal, IL"."""

from __future__ import annotations

import re2

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import folded

_NEAR = 24
_BEFORE = re2.compile(rf"(?i)\b(?:{Vocabulary('record_known')['placing']})[ \n]$")
_STATE_AFTER = re2.compile(r"^, ?[A-Z]{2}\b")


def placed(text: str, start: int, end: int) -> bool:
    """Whether a word with a capital stands as a place does."""
    if not text[start].isupper():
        return False
    before = folded(text[max(0, start - _NEAR) : start])
    return _BEFORE.search(before) is not None or _STATE_AFTER.match(text[end : end + 5]) is not None
