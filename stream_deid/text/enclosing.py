"""Stretches of a text within others, found without a look at each of these."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate


class Enclosing:
    """Which stretches of a text lie within one of some others."""

    __slots__ = ("_reach", "_starts")

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def holds(self, start: int, end: int) -> bool:
        """Whether one of them holds `[start, end)`."""
        before = bisect_right(self._starts, start)
        return before > 0 and self._reach[before - 1] >= end
