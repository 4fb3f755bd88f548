"""Months, seasons and other stretches of a year beside days in them: they move with these.

By itself a stretch moves by its middle day. A note that names a day and its month ("admitted
3/2/2020 ... in March 2020") would show by the two where in its month the day lay, and many notes of
a patient the offset (docs/attacks.md, Days).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from stream_deid.surrogate.dates.reading.partial import last_part, part_of
from stream_deid.surrogate.dates.reading.slots import DateReading

_MONTHS = 12
_LONGEST = 183  # days between the middle of a stretch without a year and a day in it


def is_stretch(r: DateReading) -> bool:
    """Whether a reading states more days than one, and says more than its year."""
    parts = {slot.part for slot in r.slots}
    if "W" in parts:
        return "D" not in parts and r.weekday is None
    stated = r.month is not None or r.season is not None or r.part is not None
    return stated and r.day is None and not r.holiday and r.weekday is None


def day_in(r: DateReading, middle: date, days: Iterable[date]) -> date | None:
    """The first of some days that lies in the stretch of a reading, whose middle day is known."""
    return next((day for day in days if _holds(r, middle, day)), None)


def _holds(r: DateReading, middle: date, day: date) -> bool:
    if any(slot.part == "W" for slot in r.slots) or (r.part and r.part[1] > _MONTHS):
        return day.isocalendar()[:2] == middle.isocalendar()[:2]
    if r.part is not None:
        which, of = r.part
        lies = part_of(day, of, month=r.month is not None)
        if lies != min(which, last_part(of)):
            return False
    return (
        r.month in {None, day.month}
        and r.season in {None, day.month % 12 // 3}
        and (r.year == day.year if r.year is not None else abs((day - middle).days) < _LONGEST)
    )
