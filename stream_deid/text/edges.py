"""Where a span may begin and end: whole tokens, no white space, no seams.

A token is a run of letters or a run of digits. A run of letters may be cut where a lower-case
letter meets an upper-case one ("MartínezNºCol"), but not after a particle of up to three letters
("McDonald"). Invisible characters belong to the token around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stream_deid.labels import PERSONS, PhiType
from stream_deid.text.folding import INVISIBLE, OVER, is_letter, is_letter_or_figure

_WITHIN = INVISIBLE | OVER

SEPARATORS = frozenset(",;:\"'“”‘’|*_=~<>`")
"""What no span of any kind begins or ends with."""
_OPEN, _CLOSE = "([{", ")]}"
ORDINAL_MARKS = "st|nd|rd|th|er|[rdtmnv][oa]"
"""Endings of ordinals in figures, English and Spanish ("3rd", "2do")."""
_ORDINAL = re.compile(rf"(?ai)(?:{ORDINAL_MARKS})\b")


def _joined(text: str, at: int) -> bool:
    """Whether a token spans the border between `text[at - 1]` and `text[at]`."""
    left, right = text[at - 1], text[at]
    if right in OVER:
        return True
    if right in _WITHIN or left in _WITHIN:
        return is_letter_or_figure(_bare(text, at - 1, -1)) and is_letter_or_figure(
            _bare(text, at, 1)
        )
    if is_letter(left) and is_letter(right):
        return not (left.islower() and right.isupper()) or _run_before(text, at) <= 3
    return left.isdecimal() and right.isdecimal()


def _bare(text: str, at: int, step: int) -> str:
    """The first character from `at` on, in direction `step`, that has a width."""
    while 0 <= at < len(text):
        if text[at] not in _WITHIN:
            return text[at]
        at += step
    return " "


def _run_before(text: str, at: int) -> int:
    """How many letters end at `at` (counted up to 4)."""
    count = 0
    while count < 4 and at - count > 0 and text[at - count - 1].isalpha():
        count += 1
    return count


Grown = dict[tuple[int, int, bool], int]
"""Where edges of one text came to rest: by position, limit and whether it is a date's."""


def whole_tokens(
    text: str,
    start: int,
    end: int,
    within: tuple[int, int],
    kind: PhiType,
    *,
    known: Grown,
) -> tuple[int, int]:
    """`[start, end)` grown to whole tokens inside `within`, half-open.

    Dates don't grow over digits: "201903061412" holds a date and a time. Floors and the like grow
    over the ending of an ordinal ("3rd", "2do"), which another number may not have.
    `known`: kept between the spans of one text, so that a thousand of them in an endless token go
    through it once.
    """
    low, high = within
    dates = kind is PhiType.DATE
    first = _grown(text, start, low, dates=dates, known=known)
    last = _grown(text, end, high, dates=dates, known=known)
    if kind is PhiType.LOCATION_OTHER and start < last and text[last - 1].isdecimal():
        ending = _ORDINAL.match(text, last, high)
        last = ending.end() if ending else last
    return first, last


def _grown(text: str, at: int, limit: int, *, dates: bool, known: Grown) -> int:
    """The end of the token that spans the border before `at`, in direction of `limit`."""
    step = 1 if limit > at else -1
    passed: list[int] = []
    while at != limit and (at, limit, dates) not in known:
        if not _joined(text, at) or (dates and text[at].isdecimal()):
            break
        passed.append(at)
        at += step
    rest = known.get((at, limit, dates), at)
    known.update(((place, limit, dates), rest) for place in passed)
    return rest


def trimmed(text: str, start: int, end: int, kind: PhiType) -> tuple[int, int]:
    """`[start, end)` without white space and separators at its edges; empty if nothing is left."""
    while True:
        while start < end and (_loose(text[start]) or _lone_close(text, start, end)):
            start += 1
        while start < end and _ends_loosely(text, start, end, kind):
            end -= 1
        if start < end and text[start] in _OPEN and _unclosed(text, start, end):
            start += 1
        elif start < end and text[end - 1] in _CLOSE and _unopened(text, start, end):
            end -= 1
        else:
            return start, end


def _ends_loosely(text: str, start: int, end: int, kind: PhiType) -> bool:
    lone = _loose(text[end - 1]) or _lone_open(text, start, end)
    return lone or _full_stop(text, start, end, kind)


def _loose(char: str) -> bool:
    return char.isspace() or char in SEPARATORS or char in INVISIBLE


def _lone_close(text: str, start: int, end: int) -> bool:
    return text[start] in _CLOSE and end > start


def _lone_open(text: str, start: int, end: int) -> bool:
    return text[end - 1] in _OPEN and end > start


def _unclosed(text: str, start: int, end: int) -> bool:
    return text.find(_CLOSE[_OPEN.index(text[start])], start, end) < 0


def _unopened(text: str, start: int, end: int) -> bool:
    return text.find(_OPEN[_CLOSE.index(text[end - 1])], start, end) < 0


def _full_stop(text: str, start: int, end: int, kind: PhiType) -> bool:
    """A full stop that ends a sentence, not an initial or an abbreviation, after a name."""
    word = text[max(start, end - 5) : end - 1]
    return kind in PERSONS and text[end - 1] == "." and len(word) == 4 and word.isalpha()


def between_seams(start: int, end: int, seams: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pieces of `[start, end)` between the characters at the (sorted) `seams`."""
    for seam in seams:
        if start <= seam < end:
            if start < seam:
                yield start, seam
            start = seam + 1
    if start < end:
        yield start, end


def bounds(at: int, size: int, seams: Sequence[int]) -> tuple[int, int]:
    """The stretch around `at` that no seam interrupts."""
    if not seams:
        return 0, size
    low = max((s + 1 for s in seams if s < at), default=0)
    high = min((s for s in seams if s >= at), default=size)
    return low, high


def has_text(text: str, start: int, end: int) -> bool:
    """Whether there is anything to hide in `[start, end)`: a letter or a digit."""
    return any(map(is_letter_or_figure, text[start:end]))
