"""Figures that a scan read as letters ("8/1O", "l6O/12.5").

scanned = (figure | "O" | "o" | "l" | "I" | "/" | "+" | "." | "," | "-")+, one figure among them
word    = letters ("0" | "1") letters ...             "D0lor" on the line: read as letters
"""

from __future__ import annotations

from typing import Any

from stream_deid.text.linear import linear

_AROUND = 90
_WORD = linear(r"\pL+(?:[01]\pL+)+")
"""A word with figures in the midst of it ("D0lor")."""
_FIGURES = linear(r"[\dOolI/+.,-]+")
_FIGURES_BEFORE = linear(r"[\dOolI/+.,-]*$")
_AS_DIGITS = str.maketrans("OolI", "0011")


def _as_letters(word: Any) -> str:
    return str(word[0]).replace("0", "o").replace("1", "l")


def as_digits(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The line around a span of figures, some of which were scanned as letters, with those put
    right, and where the span stands in it; None where no figure is a letter.
    """
    low = start - _AROUND if start > _AROUND else 0
    low = max(text.rfind("\n", low, start) + 1, low)
    line = text[low : end + _AROUND].partition("\n")[0]
    first = _FIGURES_BEFORE.search(line[: start - low]).start()
    run = _FIGURES.match(line[first:])
    if run is None or first + run.end() < end - low or not any(map(str.isdecimal, run[0])):
        return None
    value = run[0].translate(_AS_DIGITS)
    if value == run[0]:
        return None
    return (
        _WORD.sub(_as_letters, line[:first]) + value + line[first + run.end() :],
        start - low,
        end - low,
    )
