"""The number of a day alone ("the 20th", "caída el 25"): one of the days around the date beside it,
not of those around the day that the note was written.
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
