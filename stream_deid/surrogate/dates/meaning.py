"""Which day of the calendar a date means, with what it doesn't state inferred."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from datetime import date

from stream_deid.surrogate.dates import holidays, unstated
from stream_deid.surrogate.dates.reading.partial import middle
from stream_deid.surrogate.dates.reading.slots import DateReading
from stream_deid.text import years as bounds
from stream_deid.text.days import day_of

NO_REFERENCE = date(2002, 6, 15)
"""Where nothing tells when a note was written: far from the end of any February of 29 days."""
FIRST_YEAR, LAST_YEAR = 102, 9898
"""No date of these years leaves the calendar when it moves, whatever the policy's offset."""
_MIDDLE = 15


def day(r: DateReading, reference: date | None, stated: AbstractSet[date]) -> date | None:
    """The day that a reading means in a note written on `reference`, which states the days
    `stated` with their years; None where there is no such day (30 February).
    """
    near = reference or NO_REFERENCE
    if r.month is None and not (r.holiday or r.season is not None or r.part is not None):
        if r.day is not None:
            return _nearest(unstated.days_around(r.day, near), near)
        return near if r.year is None else day_of(r.year, 7, 1)
    options = [found for y in _years(r.year, near) if (found := _in_year(r, y)) is not None]
    if r.year is not None:
        return _nearest(options, near)
    weekday = None if any(slot.form == "letters" for slot in r.slots) else r.weekday
    return unstated.resolved(options, near, weekday=weekday, stated=stated)


def _in_year(r: DateReading, year: int) -> date | None:
    """The day that a holiday, a season, a part of a year or a day and month means in `year`."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    if r.holiday:
        return holidays.holiday(r.holiday, year)
    if r.season is not None:
        return day_of(year, 1 + 3 * r.season, _MIDDLE)
    if r.part is not None:
        return middle(year, r.month, r.part)
    return day_of(year, r.month or 1, r.day or _MIDDLE)


def plausible(day: date | None) -> date | None:
    """A day that a note can have been written on; sentinels like 9999-12-31 say nothing."""
    return day if day is not None and bounds.is_possible(day.year) else None


def _years(year: int | None, near: date) -> range:
    return range(year, year + 1) if year is not None else range(near.year - 4, near.year + 5)


def _nearest(options: Iterable[date | None], near: date) -> date | None:
    days = (day for day in options if day is not None)
    return min(days, key=lambda d: (abs((d - near).days), d), default=None)
