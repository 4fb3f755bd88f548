"""Where bare pairs of numbers stand in a text.

pair = n sign n          one or two figures each, that can be a day and a month in either order
     | nn "." nn         where the day is written first, and the second is a month: "06.10"
sign = "/" | "-"
A pair with a year, a unit's letter or more figures grown to it is none; a range is two ("3/4-3/9"),
or one and a day ("3/4-9").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge

from stream_deid.text.days import day_month

_PAIR = re.compile(r"(?<![\w/.,:$+#])(\d{1,2})([/-])(\d{1,2})(?![\w/+]|[.,:]\d)")
_DOTTED = re.compile(
    r"(?<![\w/.,:$+#-])(0[1-9]|[12]\d|3[01])(\.)(0[1-9]|1[0-2])(?![\w/+%-]|[.,:]\d)"
)
_REST = re.compile(r"-\d{1,2}(?:/\d{1,2})?(?![\w/-]|[.,:]\d)")


@dataclass(frozen=True, slots=True)
class Pair:
    """`text[start:end]` is `first` `sign` `second`."""

    start: int
    end: int
    first: int
    sign: str
    second: int

    @property
    def relation(self) -> str:
        """How its numbers compare: a share is seldom more than its whole."""
        return ("gt", "eq", "le")[(self.first <= self.second) + (self.first < self.second)]


def pairs(text: str, *, day_first: bool = False) -> Iterator[Pair]:
    """The bare pairs of a folded text that can be a day and a month, in order."""
    found = _stroked(text)
    if day_first:
        found = merge(found, map(_pair, _DOTTED.finditer(text)), key=lambda pair: pair.start)
    yield from found


def _pair(found: re.Match[str]) -> Pair:
    return Pair(found.start(), found.end(), int(found[1]), found[2], int(found[3]))


def _stroked(text: str) -> Iterator[Pair]:
    last = -1
    for found in _PAIR.finditer(text):
        pair = _pair(found)
        start, end, sign = pair.start, pair.end, pair.sign
        grown = text[start - 1 : start] == "-" and not (sign == "/" and last == start - 1)
        dashed = text[end : end + 2]
        runs_on = dashed[:1] == "-" and dashed[1:].isdecimal()
        if grown or (runs_on and not (sign == "/" and _REST.match(text, end))):
            continue
        last = end
        if day_month(pair.first, pair.second):
            yield pair
