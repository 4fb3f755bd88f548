"""Dates in which a scan read digits as letters, or letters of a month as digits."""

from __future__ import annotations

from stream_deid.surrogate.dates.reading import words as cal
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_SCANNED = {"O": "0", "o": "0", "l": "1", "I": "1", "|": "1"}
_READ_AS_LETTER = {"0": "o", "1": "l"}
_ALNUM = linear(r"[\pL\d|]+")


def doubtful(text: str) -> bool:
    """Whether `text` holds anything that a scan may have misread."""
    return any(c in _SCANNED or c in _READ_AS_LETTER for c in text)


def corrected(text: str, language: str) -> str:
    """`text` with digits that were scanned as letters put right, and letters of a month that were
    scanned as digits; offsets unchanged.
    """
    pieces: list[str] = []
    last = 0
    for match in _ALNUM.finditer(text):
        raw = match.group()
        made = raw
        if all(c.isdecimal() or c in _SCANNED for c in raw):
            made = "".join(_SCANNED.get(c, c) for c in raw)
        elif any(c in _READ_AS_LETTER for c in raw):
            letters = "".join(_READ_AS_LETTER.get(c, c) for c in raw)
            made = letters if cal.month_of(fold(letters), language) else raw
        pieces += [text[last : match.start()], made]
        last = match.end()
    return "".join([*pieces, text[last:]])
