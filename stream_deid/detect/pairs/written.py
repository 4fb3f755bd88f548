"""Where bare pairs of numbers stand in a text.

pair = n sign n          one or two figures each, that can be a day and a month in either order
sign = "/" | "-"
A pair with a year, a unit's letter or more figures grown to it is none; a range is two ("3/4-3/9"),
or one and a day ("3/4-9").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stream_deid.text.days import day_month

_PAIR = re.compile(r"(?<![\w/.,:$+#])(\d{1,2})([/-])(\d{1,2})(?![\w/+]|[.,:]\d)")
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


def pairs(text: str) -> Iterator[Pair]:
    """The bare pairs of a folded text that can be a day and a month, in order."""
    last = -1
    for found in _PAIR.finditer(text):
        first, sign, second = int(found[1]), found[2], int(found[3])
        start, end = found.span()
        grown = text[start - 1 : start] == "-" and not (sign == "/" and last == start - 1)
        dashed = text[end : end + 2]
        runs_on = dashed[:1] == "-" and dashed[1:].isdecimal()
        if grown or (runs_on and not (sign == "/" and _REST.match(text, end))):
            continue
        last = end
        if day_month(first, second):
            yield Pair(start, end, first, sign, second)
