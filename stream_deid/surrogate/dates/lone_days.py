"""Days that another date of the note tells more of than the day on which it was written.

The number of a day alone ("the 20th", "caída el 25"): one of the days around the date beside it,
not of those around the day that the note was written. A birthday without its year ("turns 54 on
2/28", "born on Christmas Eve") is that of the birth date, so that both move to one day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.dates.reading.slots import day_only

_A_YEAR = 366


def beside(calendar: Calendar, text: str, near: Sequence[str]) -> Calendar:
    """The calendar that knows when a day alone is meant, by the first of the dates `near` it that
    names a month at most a year from the note; `calendar` for other spans.
    """
    written, readings = calendar.reference, calendar.read(text)
    if written is None or not readings or not all(map(day_only, readings)):
        return calendar
    told = (r for one in near for r in calendar.read(one) or () if r.month or r.holiday)
    days = (day for r in told if (day := calendar.day(r)) is not None)
    day = next((day for day in days if abs((day - written).days) <= _A_YEAR), written)
    return replace(calendar, reference=day)


def of_birth(calendar: Calendar, text: str) -> Calendar:
    """The calendar that knows when a birthday without a year is meant, where the note or its record
    states a birth of that day of the year; `calendar` for other spans.
    """
    readings = calendar.read(text) or ()
    if len(readings) != 1 or readings[0].year is not None:
        return calendar
    meant = (
        day for day in sorted(calendar.births)
        if calendar.day(replace(readings[0], year=day.year)) == day
    )  # fmt: skip
    day = next(meant, None)
    return calendar if day is None else replace(calendar, reference=day)
