"""Votes as the count sees them: whole tokens of one type, and how votes of one mind unite."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from stream_deid.budget import check
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PLACES, PRIORITY, PhiType
from stream_deid.note import Finding

WEAK = 0.5
"""Votes with a lower score yield to every other."""

RANK = {phi: rank for rank, phi in enumerate(PRIORITY)}
"""Of a type, smaller is better."""

_FAMILIES = (NUMBERS, PERSONS, PLACES - {PhiType.ZIP}, ORGANIZATIONS)


@dataclass(frozen=True, slots=True)
class Vote:
    """A claim on `[start, end)` of a text, or of several detectors that made the same one."""

    start: int
    end: int
    type: PhiType
    score: float
    label: str
    detectors: tuple[str, ...]

    @property
    def weak(self) -> bool:
        return self.score < WEAK

    @property
    def merit(self) -> tuple[bool, int, float, str]:
        """Smaller is better."""
        return self.weak, RANK[self.type], -self.score, self.label

    def holds(self, other: Vote) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Vote) -> bool:
        return self.start < other.end and other.start < self.end


class Found:
    """Which characters of a text `found` covers."""

    __slots__ = ("_marks",)

    def __init__(self, size: int, found: Iterable[Finding]) -> None:
        self._marks = bytearray(size)
        for one in found:
            self._marks[one.start : one.end] = b"\1" * (one.end - one.start)

    def wholly(self, start: int, end: int) -> bool:
        """Whether nothing of `[start, end)` is left."""
        return self._marks.find(0, start, end) < 0


def akin(one: PhiType, other: PhiType) -> bool:
    """Whether two types are of one family: two kinds of number, of person, of place."""
    return one is other or any(one in f and other in f for f in _FAMILIES)


def merged(group: Sequence[Vote], start: int, end: int) -> Vote:
    """The `group` as one vote for `[start, end)`, under its better type."""
    best = min(group, key=lambda v: (v.merit, v.start - v.end, v.start))
    label = best.label or min(
        (v.label for v in group if v.type is best.type and v.label), default=""
    )
    names = tuple(sorted({name for v in group for name in v.detectors}))
    return Vote(start, end, best.type, max(v.score for v in group), label, names)


def distinct(votes: Iterable[Vote]) -> list[Vote]:
    """One vote for each stretch and type, sorted."""
    by_key: dict[tuple[int, int, PhiType], list[Vote]] = {}
    for one in votes:
        by_key.setdefault((one.start, one.end, one.type), []).append(one)
    return [
        group[0] if len(group) == 1 else merged(group, key[0], key[1])
        for key, group in sorted(by_key.items(), key=lambda i: i[0])
    ]


def overlapping(votes: Sequence[Vote]) -> Iterator[list[Vote]]:
    """Runs of votes (sorted by start) that overlap one another."""
    group: list[Vote] = []
    reach = 0
    for one in votes:
        if group and one.start >= reach:
            yield group
            group = []
        group.append(one)
        reach = max(reach, one.end)
    if group:
        yield group


def within(owners: Sequence[Vote], start: int, end: int) -> slice:
    """Which of `owners` (disjoint, sorted) have characters of `[start, end)`."""
    low = bisect_right(owners, start, key=lambda v: v.end)
    return slice(low, max(low, bisect_left(owners, end, key=lambda v: v.start)))


def united(votes: Sequence[Vote]) -> list[Vote]:
    """Votes (as `distinct` gives them) of one type that overlap as one, and parts of one family
    likewise.
    """
    done: list[Vote] = []
    reach: list[int] = [0]  # how far the votes of `done` up to each reach
    rest = list(reversed(votes))  # the next one last, so that nothing behind it has to move
    while rest:
        check()
        one = rest[-1]
        near = _near(one, islice(reversed(rest), 1, None))
        mates = [v for v in near if one.overlaps(v) and _related(one, v)]
        if not mates:  # whoever comes before and is a mate has found this one
            done.append(rest.pop())
            reach.append(max(reach[-1], one.end))
            continue
        joint = [one, *mates]
        whole = merged(joint, one.start, max(v.end for v in joint))
        gone = {id(v) for v in joint}
        stay = [v for v in near if id(v) not in gone]
        insort(stay, whole, key=_place)
        del rest[-1 - len(near) :]
        rest += reversed(stay)
        at = _first_to_join(done, reach, whole)
        rest += reversed(done[at:])
        del done[at:], reach[at + 1 :]
    return done


def _near(one: Vote, behind: Iterator[Vote]) -> list[Vote]:
    """Those of the votes behind it that begin before it ends."""
    return list(takewhile(lambda v: v.start < one.end, behind))


def _first_to_join(done: Sequence[Vote], reach: Sequence[int], fresh: Vote) -> int:
    """The first of the votes before it that must be looked at again now that there is `fresh`."""
    at = found = len(done)
    while at and reach[at] > fresh.start:
        at -= 1
        if _may_be_joined(done[at], fresh):
            found = at
    return found


def _place(vote: Vote) -> tuple[int, int, PhiType]:
    return vote.start, vote.end, vote.type


def _may_be_joined(one: Vote, fresh: Vote) -> bool:
    """Whether a vote must be looked at again now that there is `fresh`."""
    return one.start >= fresh.start or (one.overlaps(fresh) and _related(one, fresh))


def _related(one: Vote, other: Vote) -> bool:
    """Whether two overlapping votes are better one: same type, or same family in part."""
    if one.type is other.type:
        return True
    return not (one.holds(other) or other.holds(one)) and akin(one.type, other.type)
