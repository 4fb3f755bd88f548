"""Where numbers that a message states stand in what it keeps, however they are spelled."""

from __future__ import annotations

from collections.abc import Iterator

from stream_deid.detect.record.sought import Sought

LONG = 7
"""Shorter numbers may be a quantity or part of a public code: they stand alone."""
_SEPARATORS = "-. /"


def places(text: str, values: Sought) -> Iterator[tuple[int, int]]:
    """Where numbers stand, each by its letters and digits with case folded: one separator or none
    between any two of these, zeros before them, not cut out of a longer number. Places of two
    values may overlap.
    """
    if not values:
        return
    bare, origin = _squeezed(text)

    def place(first: int, last: int) -> tuple[int, int]:
        start = origin[first]
        while start and text[start - 1] == "0":
            start -= 1
        return start, origin[last - 1] + 1

    def apart(first: int, last: int) -> bool:
        start, end = place(first, last)
        before = text[max(0, start - 1) : start]
        return not before.isdecimal() and _ends(text, end, last - first >= LONG)

    for ends in values.ends(bare, apart):
        yield place(*ends)


def _squeezed(text: str) -> tuple[str, list[int]]:
    """The text without single separators between other characters, and where each stood."""
    padded = f" {text} "
    kept = [
        at
        for at, char in enumerate(text)
        if char not in _SEPARATORS or padded[at] in _SEPARATORS or padded[at + 2] in _SEPARATORS
    ]
    return "".join(_lower(text[at]) for at in kept), kept


def _lower(char: str) -> str:
    low = char.casefold()
    return low if len(low) == 1 else char


def _ends(text: str, end: int, long: bool) -> bool:
    after = text[end : end + 2]
    if long:
        return not after[:1].isdecimal()
    word = after.removeprefix("-")[:1]
    return not (word.isalnum() or word == "_")
