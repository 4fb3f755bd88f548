"""Votes as the count sees them: whole tokens of one type, and how votes of one mind unite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PLACES, PRIORITY, PhiType

WEAK = 0.5
"""Votes with a lower score yield to every other."""

_RANK = {phi: rank for rank, phi in enumerate(PRIORITY)}
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
        return self.weak, _RANK[self.type], -self.score, self.label

    def holds(self, other: Vote) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Vote) -> bool:
        return self.start < other.end and other.start < self.end


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
        merged(group, key[0], key[1]) for key, group in sorted(by_key.items(), key=lambda i: i[0])
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


def united(group: list[Vote]) -> list[Vote]:
    """Votes of one type that overlap as one, and parts of one family likewise."""
    done = False
    while not done:
        done = True
        for i, one in enumerate(group):
            mates = [v for v in group if v is not one and one.overlaps(v) and _related(one, v)]
            if mates:
                joint = [one, *mates]
                span = min(v.start for v in joint), max(v.end for v in joint)
                rest = [v for k, v in enumerate(group) if k != i and v not in mates]
                group = distinct([*rest, merged(joint, *span)])
                done = False
                break
    return group


def _related(one: Vote, other: Vote) -> bool:
    """Whether two overlapping votes are better one: same type, or same family in part."""
    if one.type is other.type:
        return True
    return not (one.holds(other) or other.holds(one)) and akin(one.type, other.type)
