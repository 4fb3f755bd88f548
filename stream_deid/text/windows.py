"""Windows over a sequence of tokens: they overlap, and each character has exactly one owner.

A character counts in the window in whose middle it lies: two neighbours that overlap meet
half-way through what they share. Windows begin at a line's start where one is near.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stream_deid.errors import Halt


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens `[first, last)` form a window that owns characters `[own_start, own_end)`."""

    first: int
    last: int
    own_start: int
    own_end: int


def plan(
    costs: NDArray[np.int32],
    starts: NDArray[np.int32],
    line_starts: NDArray[np.bool_],
    *,
    length: int,
    size: int,
    overlap: int,
) -> list[Stretch]:
    """Cover n tokens by windows of total cost at most `size` that overlap by about `overlap`.

    `costs` [n]: pieces of each token; `starts` [n]: its first code point; `line_starts` [n]:
    it opens a line; `length`: code points of the text. The stretches own `[0, length)`,
    each character once; raises `Halt("coverage...")` where they would not.
    """
    if overlap * 2 > size:
        raise Halt("coverage.overlap", "the overlap must be at most half of the window")
    if length == 0:
        return []
    if len(costs) == 0:
        return [Stretch(0, 0, 0, length)]
    if int(costs.max()) > size:
        raise Halt("coverage.token", "one token needs more pieces than a window holds")
    cuts = _cuts(np.concatenate([[0], np.cumsum(costs)]), line_starts, size, overlap)
    stretches = _own(cuts, starts, length)
    check(stretches, length)
    return stretches


def _cuts(
    sums: NDArray[np.int64], line_starts: NDArray[np.bool_], size: int, overlap: int
) -> list[tuple[int, int]]:
    n = len(sums) - 1
    cuts: list[tuple[int, int]] = []
    first = 0
    while True:
        last = int(np.searchsorted(sums, sums[first] + size, side="right")) - 1
        cuts.append((first, last))
        if last >= n:
            return cuts
        low = int(np.searchsorted(sums, sums[last] - overlap, side="left"))
        high = int(np.searchsorted(sums, sums[last] - overlap // 2, side="left"))
        low = max(low, first + 1)
        lines = np.flatnonzero(line_starts[low : max(high, low)])
        first = min(low + int(lines[0]) if lines.size else low, last)


def _own(cuts: list[tuple[int, int]], starts: NDArray[np.int32], length: int) -> list[Stretch]:
    """Neighbours meet at the token in the middle of what they share."""
    bounds = [0]
    for (_, last), (first, _) in itertools.pairwise(cuts):
        bounds.append(int(starts[(first + last) // 2]))
    bounds.append(length)
    return [Stretch(first, last, bounds[i], bounds[i + 1]) for i, (first, last) in enumerate(cuts)]


def check(stretches: list[Stretch], length: int) -> None:
    """Raise `Halt("coverage.gap")` unless the stretches own `[0, length)`, in order, once each."""
    at = 0
    for stretch in stretches:
        if stretch.own_start != at or stretch.own_end < at:
            raise Halt("coverage.gap", f"character {at} has no single owner")
        at = stretch.own_end
    if at != length:
        raise Halt("coverage.gap", f"characters from {at} to {length} have no owner")
