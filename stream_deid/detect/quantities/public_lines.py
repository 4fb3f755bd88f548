"""Emergency and crisis lines: numbers that are everybody's.

public = a listed number | a listed short one, where something is called, given or pressed
         "call nine one one", "988 any time", "gave 988", "marque el 024"
"""

from __future__ import annotations

from functools import cache

from stream_deid.lists.vocabulary import Vocabulary, listed
from stream_deid.text.keypad import KEYS
from stream_deid.text.linear import linear

_WORDS = Vocabulary("quantities")
_DIALLED = linear(rf"(?i)\b(?:{_WORDS['dialled']})\b")
_PRESSED = linear(
    r"(?i)^,? (?:press \d|option \d|or text|lifeline|any ?time|24/7|marque|a cualquier|las 24)"
)


_ROOM_OF_ROW = linear(r"^(?: {2,}|\t)(?:(?:Mrs?|Ms)\.? )?\p{Lu}")
"""A name in the next column: the number is a room in a list of them."""


_FREE = 20
_LETTERED = linear(
    r"\b(?:1[- .])?\(?8(?:00|88|77|66|55|44|33)\)?[- .](?:[A-Z\d-]*[A-Z]{3}[A-Z\d-]*)"
)


_SAID = _WORDS.words("said_lines")
"""Such lines in words, as they are dictated."""


@cache
def _public_numbers() -> frozenset[str]:
    return listed("public_numbers.txt")


def lettered(text: str, start: int, end: int) -> bool:
    """Whether a word lies in a free line that is told by letters ("1-800-QUIT-NOW")."""
    low = max(0, start - _FREE)
    return any(
        low + found.start() <= start and end <= low + found.end() + 1
        for found in _LETTERED.finditer(text[low : end + _FREE])
    )


def _grown(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a number in groups begins and ends, of which one is given ("915" of "915 620 420")."""
    if not text[start:end].replace(" ", "").isdecimal():
        return start, end
    low = max(0, start - _FREE)
    for found in _GROUPED.finditer(text[low : end + _FREE]):
        if low + found.start() <= start and end <= low + found.end():
            return low + found.start(), low + found.end()
    return start, end


_GROUPED = linear(r"\d{2,3}(?: \d{2,3}){2,3}")


def public(text: str, start: int, end: int) -> bool:
    """Whether a number is an emergency or crisis line; short ones need a word of calling.
    A day and a month is none ("3/11").
    """
    if text[start:end].lower() in _SAID:
        return _DIALLED.search(text[max(0, start - 40) : start]) is not None
    start, end = _grown(text, start, end)
    shown = text[start:end].upper().translate(KEYS)
    digits = "".join(c for c in shown if c.isdecimal())
    if digits not in _public_numbers() or "/" in shown:
        return False
    around = text[max(0, start - 40) : start], text[end : end + 16]
    if _ROOM_OF_ROW.match(around[1]) and around[0][-1:] in ("", "\n"):
        return False
    return (
        len(digits) > 4
        or _DIALLED.search(around[0]) is not None
        or _PRESSED.match(around[1]) is not None
    )
