"""One note in several copies, each under an epoch (or tenant) of its own: what they tell together.

Nothing of the surrogates joins two copies, but the rest of the text does, for it is the same. Then
the dates of two copies differ by the difference of two offsets, and an offset that would put one of
the others out of the policy's range is none.
"""

from __future__ import annotations

from statistics import median

from stream_deid.attack.timing import Told, offset_of
from stream_deid.surrogate import Surrogates
from stream_deid.surrogate.policy import Policy


def attack(policy: Policy, key: bytes, patients: int, copies: int, allowed: list[int]) -> Told:
    """Somebody who has so many copies of a note of each patient."""
    makers = [Surrogates(policy, key, epoch=f"epoch {n}") for n in range(copies)]
    left = []
    for number in range(patients):
        offsets = [offset_of(maker, number) for maker in makers]
        apart = [one - offsets[0] for one in offsets]
        left.append(_left(apart, frozenset(allowed)))
    certain = sum(n == 1 for n in left)
    return Told("copies of one note, by epochs", copies, patients, certain, float(median(left)))


def _left(apart: list[int], allowed: frozenset[int]) -> int:
    return sum(all(first + other in allowed for other in apart) for first in allowed)
