"""Letters that stand for the figures they are drawn like (`8473 62S1`), by scan or by will.

Compared are shapes: a figure and all letters drawn like it have one, and so have the figures that
one letter is drawn like.
"""

from __future__ import annotations

DRAWN_LIKE = dict(enumerate(("o", "il", "z", "e", "a", "s", "gb", "t", "b", "g")))
"""The letters that each figure is drawn like."""
_SHAPES = str.maketrans("OILZEASTGB89", "011234576666")
_MOST = 3  # letters in the place of figures
_LEAST = 5  # figures that are written as such


def shape(letters: str) -> str:
    """What capitals and figures look like, character by character."""
    return letters.translate(_SHAPES)


def may_be(number: str, letters: str) -> bool:
    """Whether `letters`, capitals and figures of the same length, are those of `number` with one to
    three letters for its figures, or figures for its letters.
    """
    other = [(own, c) for own, c in zip(number, letters, strict=True) if own != c]
    return 0 < len(other) <= min(_MOST, len(number) - _LEAST) and all(
        _alike(own, c) or _alike(c, own) for own, c in other
    )


def _alike(figure: str, letter: str) -> bool:
    return figure.isdecimal() and letter.lower() in DRAWN_LIKE[int(figure)]
