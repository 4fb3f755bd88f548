"""Numbers that are what was found on a day, not days: "CIWA 18 el 2/4, 12 el 2/4", "12 on 4/2".

value = n ("el" | "on" | "@" | "(") ["dia"] day
day   = n sign n | n "de" MONTH | MONTH n
clock = hh ":" mm [":" ss ["." f]] ["Z" | zone]          of which no part but the whole is anything

What stands behind a word for days ("el 12 (el 2/4 ...)") is one all the same.
"""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import MONTH_STEMS
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

_WORDS = Vocabulary("quantities")
_MONTH = rf"(?:{MONTH_STEMS})[a-z]{{0,7}}"
_DAY_BEHIND = linear(
    r"(?i)^ ?(?:\(|el |on |@ ?)(?:el |on )?(?:dia )?"
    rf"(?:\d{{1,2}}[/.-]\d{{1,2}}(?:\D|$)|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}(?:\D|$)"
    rf"|\d{{1,2}} (?:de |of )?{_MONTH}\b|{_MONTH}\.? \d{{1,2}}(?:\D|$))"
)
_DAYS_BEFORE = linear(
    rf"(?i)(?:^|[^a-z])(?:{_WORDS['before_days']}) $"
    r"|(?:^|[^\d/.-])\d{1,2}(?:st|nd|rd|th)?(?: y| and| &| -|-) ?$"
)
_CLOCK = linear(r"(?:^|[^\d:])([01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?")
_BEFORE, _AFTER, _LONGEST = 24, 32, 3


def is_found_on_a_day(text: str, start: int, end: int) -> bool:
    """Whether a bare number is what was found on the day that stands behind it."""
    if not text[start:end].isdecimal() or end - start > _LONGEST:
        return False
    after = folded(text[end : end + _AFTER])
    if _DAY_BEHIND.match(after) is None:
        return False
    before = folded(text[max(0, start - _BEFORE) : start].rpartition("\n")[2])
    return _DAYS_BEFORE.search(before) is None


def within_a_time(text: str, start: int, end: int) -> bool:
    """Whether a number is the end of a time of day ("10.512" of "21:03:10.512")."""
    first = max(0, start - _BEFORE)
    if text[start - 1 : start] not in (":", ".", ",") or start == 0:
        return False
    return any(
        found.start(1) + first < start and end <= found.end() + first
        for found in _CLOCK.finditer(text[first : end + 1])
    )
