"""Overlapping votes of one rank, settled: who owns which characters."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from stream_deid.detect.settle.fusion.spans import Vote, overlapping, united, within
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PLACES, PhiType
from stream_deid.text.edges import has_text, trimmed

FIXED = NUMBERS | {PhiType.EMAIL, PhiType.URL, PhiType.IPADDR, PhiType.DATE, PhiType.ZIP}
"""Types that are known by their form."""

_PROSE = PERSONS | ORGANIZATIONS | (PLACES - {PhiType.ZIP}) | {PhiType.PROFESSION, PhiType.OTHER}
_BREAKS = frozenset(",;()\n\t|/")


def settled(text: str, votes: Sequence[Vote]) -> list[Vote]:
    """Disjoint votes, sorted, that cover every letter and digit of `votes` (sorted by start)."""
    return [one for group in overlapping(votes) for one in _settled(text, group)]


def _settled(text: str, group: Sequence[Vote]) -> Sequence[Vote]:
    if len(group) == 1:
        return group
    group = united(_untiled(text, group))
    cutters = _cutters(text, group)
    order = sorted(
        group, key=lambda v: (v.weak, v not in cutters, v.start - v.end, v.merit, v.start)
    )
    return shared_out(text, order)


def shared_out(text: str, order: Iterable[Vote]) -> list[Vote]:
    """The votes, each with the characters that none before it in `order` has; sorted."""
    owned: list[Vote] = []
    for one in order:
        place = within(owned, one.start, one.end)
        taken = owned[place]
        free = list(_free(text, one, taken))
        mine = (
            [one]
            if free == [(one.start, one.end)]
            else [replace(one, start=s, end=e) for s, e in free]
        )
        owned[place] = sorted([*taken, *mine], key=lambda v: v.start)
    return owned


def _free(text: str, vote: Vote, taken: Sequence[Vote]) -> Iterator[tuple[int, int]]:
    """What of the vote is not taken by those that overlap it (sorted), trimmed."""
    at = vote.start
    for start, end in [*((o.start, o.end) for o in taken), (vote.end, vote.end)]:
        if start > at:
            low, high = trimmed(text, at, start, vote.type)
            if low < high and has_text(text, low, high):
                yield low, high
        at = max(at, end)


def _untiled(text: str, group: Sequence[Vote]) -> list[Vote]:
    """Without the dates that others see as several dates with a sign between each two."""
    dates = [v for v in group if v.type is PhiType.DATE]
    return [v for v in group if not (v.type is PhiType.DATE and _tiled(text, v, dates))]


def _tiled(text: str, whole: Vote, dates: Sequence[Vote]) -> bool:
    """Whether several of `dates` (sorted by start) stand side by side in all of `whole`."""
    at, count = whole.start, 0
    for i in range(bisect_left(dates, at, key=_start), len(dates)):
        one = dates[i]
        if one.start >= whole.end:
            break
        if one is whole or one.end > whole.end:
            continue
        gap = text[at : one.start]
        if one.start < at or has_text(text, at, one.start) or (count and not gap.strip()):
            return False
        at, count = one.end, count + 1
    return count > 1 and not has_text(text, at, whole.end)


def _cutters(text: str, group: Sequence[Vote]) -> frozenset[Vote]:
    """The votes that everything which holds them gives away at its edge; of a weak vote against
    one that is not, nothing is asked.
    """
    solid = [v for v in group if not v.weak]
    of_weak, of_solid = _Holders(group), _Holders(solid)
    return frozenset(v for v in group if (of_weak if v.weak else of_solid).give(text, v))


class _Holders:
    """Votes sorted by start, of which no two of one type overlap: few hold the same character."""

    def __init__(self, votes: Sequence[Vote]) -> None:
        self._votes = votes
        self._reach = list(accumulate((v.end for v in votes), max))

    def give(self, text: str, vote: Vote) -> bool:
        """Whether some of them hold `vote`, and each gives it away."""
        first = bisect_left(self._reach, vote.end)  # nothing before it reaches so far
        last = bisect_right(self._votes, vote.start, key=_start)
        found = False
        for i in range(first, last):
            holder = self._votes[i]
            if holder is not vote and holder.end >= vote.end:
                found = True
                if not gives(text, holder, vote):
                    return False
        return found


def _start(vote: Vote) -> int:
    return vote.start


def gives(text: str, holder: Vote, edge: Vote) -> bool:
    """Whether a name, place or organisation leaves `edge`, an identifier of fixed form or another
    place at its edge, to its own vote ("12 Elm St 01234"). A date in words only behind a break:
    streets and hospitals are named after days ("Hospital 12 de Octubre").
    """
    same = (holder.start, holder.end) == (edge.start, edge.end)
    if holder.type not in _PROSE or edge.type is holder.type or edge.weak or same:
        return False
    if edge.start == holder.start:
        border = text[edge.end : edge.end + 1]
    elif edge.end == holder.end:
        border = text[edge.start - 1]
    else:
        return False
    parted = border in _BREAKS or text[edge.start - 2 : edge.start - 1] in _BREAKS
    if edge.type in FIXED:
        worded = edge.type is PhiType.DATE and any(c.isalpha() for c in text[edge.start : edge.end])
        return not border.isalnum() and (parted or not worded)
    return holder.type in PLACES and edge.type in PLACES and parted
