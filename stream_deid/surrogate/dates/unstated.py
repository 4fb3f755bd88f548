"""The year of a date that states none.

Every note of a patient must read the same day in "3/10": what two notes show is a day apart where
only one of two years moves over the end of a February of 29 days. So the day that the note states
elsewhere with its year is that day; a day of the week tells the year; else it is the last such day
up to four months after the note was written. Notes look back much more than ahead: the nearest day
(six months either way) left more pairs of notes that differ. What is left: days named more than
eight months after or four months before they were, and notes that tell no year at all.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import date

_AHEAD = 120  # days after a note was written
_YEAR = 366


def resolved(
    options: Sequence[date], written: date, *, weekday: int | None, stated: AbstractSet[date]
) -> date | None:
    """Which of `options`, the same day of several years, a note of the day `written` means; None
    where there is none. `weekday`: the day of the week beside it (Monday: 0), `stated` the days
    that the note states with their years.
    """
    ranked = sorted(options, key=lambda day: (_far(day, written), day))
    near = [day for day in ranked if abs((day - written).days) <= _YEAR]
    for day in near:
        if day in stated:
            return day
    for day in near:
        if day.weekday() == weekday:
            return day
    return next(iter(ranked), None)


def _far(day: date, written: date) -> tuple[bool, int]:
    """How far a day is from a note, those too far ahead behind all others."""
    ahead = (day - written).days
    return ahead > _AHEAD, abs(ahead)


def days_around(day: int, near: date) -> list[date]:
    """The days of that number in the month of `near` and in two on either side of it."""
    months = [divmod(near.year * 12 + near.month - 1 + away, 12) for away in range(-2, 3)]
    return [date(y, m + 1, day) for y, m in months if 1 <= day <= monthrange(y, m + 1)[1]]
