"""Days that another date of the note tells more of than the day on which it was written.

The number of a day alone ("the 20th", "caída el 25"): one of the days around the date beside it,
not of those around the day that the note was written. Of numbers that follow one another ("el 7
ingresa, el 15 alta") that date tells the first; the next is of the same month where it is greater,
else the nearest. A birthday without its year ("turns 54 on
2/28", "born on Christmas Eve") is that of the birth date, so that both move to one day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import takewhile

from stream_deid.surrogate.dates import unstated
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.dates.reading.slots import day_only
from stream_deid.text.days import day_of

_A_YEAR = 366


def beside(
    calendar: Calendar, text: str, near: Sequence[str], before: Sequence[str] = ()
) -> Calendar:
    """The calendar that knows when a day alone is meant, by the first of the dates `near` it that
    names a month at most a year from the note, and by the days alone right `before` it (the last
    first); `calendar` for other spans.
    """
    written, readings = calendar.reference, calendar.read(text)
    if written is None or not readings or not all(map(day_only, readings)):
        return calendar
    told = (r for one in near for r in calendar.read(one) or () if r.month or r.holiday)
    days = (day for r in told if (day := calendar.day(r)) is not None)
    day = next((day for day in days if abs((day - written).days) <= _A_YEAR), written)
    follows = [n for n in takewhile(bool, (_number(calendar, one) for one in before)) if n]
    own = readings[0].day or 0
    for at, number in enumerate([*reversed(follows), own] if follows else ()):
        day = _next(number, day, first=not at)
    return replace(calendar, reference=day)


def _number(calendar: Calendar, text: str) -> int | None:
    """The number of the day that is all that a text states."""
    readings = calendar.read(text)
    if not readings or len(readings) != 1 or not day_only(readings[0]):
        return None
    return readings[0].day


def _next(number: int, last: date, *, first: bool) -> date:
    """The day of a number behind the day `last`, or the `first` one, which lies around it."""
    if not first and number >= last.day:
        return day_of(last.year, last.month, number) or last
    around = unstated.days_around(number, last)
    return min(around, key=lambda day: (abs((day - last).days), day), default=last)


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
