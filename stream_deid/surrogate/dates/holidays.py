"""Holidays: the day of each in a year, so that a named day can move like any other.

Easter is dateutil's. Feasts of lunar calendars are found by the mean moon (Meeus 1991, chapter 47),
Islamic ones by the mean lunar year: a day or so off, which moves with the rest of the dates.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

from dateutil.easter import EASTER_ORTHODOX, easter
from dateutil.relativedelta import relativedelta, weekday

from stream_deid.lists.calendar import SHORT_WEEKDAYS
from stream_deid.lists.holidays import HOLIDAYS as LISTED

_NEW_MOON = date(2000, 1, 6)
_MONTH_DAYS = 29.530588853
_RAMADAN = date(2000, 11, 27)
_LUNAR_YEAR_DAYS = 354.36708

_TABLE = {one.name: (one.language, one.rule) for one in LISTED if one.rule}
HOLIDAYS: tuple[str, ...] = tuple(sorted(_TABLE, key=lambda name: (-len(name), name)))


def language_of(name: str, language: str) -> str:
    """The language of a holiday's name; that of the note for names that both languages use."""
    return _TABLE[name][0] or language


def holiday(name: str, year: int) -> date:
    """The day of a holiday of `HOLIDAYS` in a year."""
    rule = _TABLE[name][1]
    if len(rule) == 1:
        month, day = _month_day(rule[0])
        return date(year, month, min(day, monthrange(year, month)[1]))
    return _RULES.get(rule[0], _nth)(year, rule)


def _month_day(text: str) -> tuple[int, int]:
    month, _, day = text.partition("-")
    return int(month), int(day)


def _nth(year: int, rule: tuple[str, ...]) -> date:
    """`1 Mon 3`: the third Monday of January; -1 is the last."""
    month, day, n = int(rule[0]), weekday(SHORT_WEEKDAYS["en"].index(rule[1].lower())), int(rule[2])
    edge = relativedelta(weekday=day(n)) if n > 0 else relativedelta(day=31, weekday=day(n))
    found: date = date(year, month, 1) + edge
    return found


def _moon(year: int, rule: tuple[str, ...]) -> date:
    """`moon 01-21 0`: so many days from the first new moon that is not before a day of a year."""
    first = date(year, *_month_day(rule[1]))
    turns = -(-(first - _NEW_MOON).days // _MONTH_DAYS)
    return _NEW_MOON + timedelta(round(turns * _MONTH_DAYS) + int(rule[2]))


def _ramadan(year: int, rule: tuple[str, ...]) -> date:
    """`ramadan 30`: the first feast in a year so many days after the beginning of a Ramadan."""
    after = int(rule[1])
    start = date(year, 1, 1) - timedelta(after)
    turns = -(-(start - _RAMADAN).days // _LUNAR_YEAR_DAYS)
    return _RAMADAN + timedelta(round(turns * _LUNAR_YEAR_DAYS) + after)


_RULES: dict[str, Callable[[int, tuple[str, ...]], date]] = {
    "easter": lambda year, rule: easter(year) + timedelta(int(rule[1])),
    "orthodox": lambda year, rule: easter(year, EASTER_ORTHODOX) + timedelta(int(rule[1])),
    "moon": _moon,
    "ramadan": _ramadan,
}
