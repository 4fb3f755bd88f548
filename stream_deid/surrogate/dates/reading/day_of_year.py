"""Days and weeks that are counted through a year: `day 127 of 2024`, `semana 19 de 2024`.

day  = ("day" | "dia" | ...) n ["th"] ("," | "of" | "del ano") yyyy     "day 127 of 2024"
     | yyyy ("-" | "." | "/") nnn                                       "2024-127"
week = ("week" | "semana" | ...) n ["," | "of" | "del ano"] yyyy        "semana 19 de 2024"
     | ("week" | "SE" | "KW" | ...) n [("/" | "-") yy[yy]]              "SE 19/2024", "week 19"
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from stream_deid.lists.calendar import ANY_WEEK, COUNTED_DAY, COUNTED_WEEK, OF, THE_YEAR
from stream_deid.surrogate.dates.reading.slots import DateReading, Slot
from stream_deid.text.folding import folded

_DAY = re.compile(
    rf"(?i){COUNTED_DAY}[ :]*(\d{{1,3}})(?:st|nd|rd|th)?(?:,|,?[ ]{OF}){THE_YEAR}[ ](\d{{4}})"
)
_WORD = re.compile(rf"(?i){COUNTED_DAY}(?![a-z])")
_DAY_BEHIND = re.compile(r"(\d{4})[-./](\d{3})")
_WEEK = re.compile(
    rf"(?i)(?:{COUNTED_WEEK}|{ANY_WEEK})[ \t:#]*(?:no?\.?[ ]?)?(\d{{1,2}})"
    rf"(?:(?:(?:,|[ ]{OF})?{THE_YEAR}[ ]|[ ]?[/-][ ]?)(\d{{4}}|\d\d))?"
)
_LAST_WEEK, _IN_A_YEAR = 53, 52
_THIS_CENTURY, _HUNDRED = 2000, 100


def counts_days(text: str) -> bool:
    """Whether a number behind it is one of days ("day 74")."""
    return _WORD.match(folded(text)) is not None


def read_counted(text: str) -> list[DateReading] | None:
    """The day or week (its Thursday) of a year that `text` is, or None where it is none."""
    day, behind, week = (p.fullmatch(folded(text)) for p in (_DAY, _DAY_BEHIND, _WEEK))
    try:
        if day or behind:
            match, number, year = (day, 1, 2) if day else (behind, 2, 1)
            assert match is not None
            start = date(int(match[year]), 1, 1)
            meant = start + timedelta(int(match[number]) - 1)
            if meant.year != start.year:
                return None
            slots = (_slot(match, "J", number, "loose" if day else ""), _slot(match, "y", year))
        elif week and week[2] is None:
            return _of_any_year(week)
        elif week:
            meant = date.fromisocalendar(_year(week[2]), int(week[1]), 4)
            slots = (_slot(week, "W", 1), _slot(week, "Y", 2))
        else:
            return None
    except ValueError:
        return None
    ordered = tuple(sorted(slots, key=lambda slot: slot.start))
    return [DateReading(ordered, meant.year, meant.month, meant.day)]


def _year(figures: str) -> int:
    """A year of four figures or of the last two."""
    return int(figures) + (_THIS_CENTURY if int(figures) < _HUNDRED else 0)


def _of_any_year(week: re.Match[str]) -> list[DateReading] | None:
    """The week of a year that is not stated."""
    number = int(week[1])
    if not 1 <= number <= _LAST_WEEK:
        return None
    part = (min(number, _IN_A_YEAR), _IN_A_YEAR)
    return [DateReading((_slot(week, "W", 1),), part=part)]


def _slot(match: re.Match[str], part: str, group: int, name: str = "loose") -> Slot:
    start, end = match.span(group)
    form = "4" if end - start == 4 else str(end - start)
    return Slot(part, start, end, form, "en", int(match[group]), name)
