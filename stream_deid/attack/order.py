"""Offsets of patients from nothing but the order of their notes.

A note's share of the way tells its day to some days, and the median over a patient's notes his
offset nearly. That sharpens itself: shifted dates less the offsets guessed so far are days of
record, which never fall along the line; the running median over neighbours, most of whom are
guessed well, is a better day of each, and so a better offset of each patient. All offsets may then
be wrong by one and the same number of days; the right one is that by which most of them become ones
that the policy draws.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 12
_NEIGHBOURS = 8  # on each side, at least; half a day's notes where there are more
_SLACK = 30  # days by which all offsets together may be off

Numbers = NDArray[Any]


def offsets(who: Numbers, shown: Numbers, days: int, allowed: Collection[int]) -> Numbers:
    """The guessed offset of each patient, 0, 1 ...

    `who` and `shown`: whose each note is and its shifted day, in the order of record, over `days`
    days; everybody has as many notes. `allowed`: what the policy draws from.
    """
    mine = np.argsort(who, kind="stable").reshape(who.max() + 1, -1)
    drawn = np.unique(np.fromiter(allowed, int))
    day = np.arange(len(who)) * days / len(who)
    guess = _nearest(_medians(shown - day, mine), drawn)
    if mine.shape[1] == 1:  # a lone note says nothing of its neighbours' days
        return guess
    for _ in range(_ROUNDS):
        day = _rising(shown - guess[who], max(_NEIGHBOURS, len(who) // days // 2))
        told = _medians(shown - day, mine)
        better = _nearest(told + _common(told, drawn), drawn)
        if np.array_equal(better, guess):
            break
        guess = better
    return guess


def _medians(values: Numbers, mine: Numbers) -> Numbers:
    middle: Numbers = np.median(values[mine], axis=1)
    return middle


def _rising(days: Numbers, side: int) -> Numbers:
    """The running median over `side` neighbours on each side, which never falls."""
    side = min(side, (len(days) - 1) // 2)
    middle = np.median(np.lib.stride_tricks.sliding_window_view(days, 2 * side + 1), axis=1)
    return np.maximum.accumulate(np.pad(middle, side, mode="edge"))


def _common(told: Numbers, drawn: Numbers) -> int:
    """The number of days by which most offsets become ones that are drawn; the least such."""
    whole = np.rint(told)
    steps = sorted(range(-_SLACK, _SLACK + 1), key=abs)
    return max(steps, key=lambda step: int(np.isin(whole + step, drawn).sum()))


def _nearest(told: Numbers, drawn: Numbers) -> Numbers:
    after = np.clip(np.searchsorted(drawn, told), 1, len(drawn) - 1)
    low, high = drawn[after - 1], drawn[after]
    return np.where(told - low <= high - told, low, high)
