"""Dates as slots of a text, and those that are one run of digits.

compact = yyyy [" "] mm dd [["T" | " "] hh [mm [ss ["." f]]]] [zone]      "20240315", DTM of HL7
month   = yyyy mm [zone]                                                  "202403"
week    = yyyy ["-"] "W" ww [["-"] d]                                     "2024-W19-2"
run     = nn nn (yyyy | yy) | nnnn                                        "031524", "0315"
tied    = n ("/" | "." | "-" | ",") n
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from stream_deid.text.linear import linear
from stream_deid.text.years import is_possible

_COMPACT = re.compile(
    r"(?a)((?:1[89]|20|21)\d{2}) ?(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
    r"(?:[T ]?(?:[01]\d|2[0-4])(?:[0-5]\d(?:[0-5]\d(?:\.\d+)?)?)?)?(?:Z|[+-]\d{2}:?\d{2})?"
)
_YEAR_MONTH = re.compile(r"(?a)((?:1[89]|20)\d{2})(0[1-9]|1[0-2])(?:[+-]\d{4})?")
_RUN = re.compile(r"(?a)(\d{2})(\d{2})(\d{4}|\d{2})")
_MONTH_DAY = re.compile(r"(?a)\d{4}")
_ISO_WEEK = re.compile(r"(?a)(\d{4})-?W(\d{2})(?:-?(\d))?")
_TIED = linear(r"(\d)(?:[ \t]*[/.-][ \t]*|,)(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place `[start, end)` in the text and how it is written.

    `form`: `2`, `1` (digits padded or not), `4` (year), `full`, `short`, `roman`, `word`
    (ordinal word), `letters` (weekday in one or two letters), `stem` (Basque month), `ordinal`
    (digits with an ending), `holiday`, `season`, `quarter` (digit of a part of a year), `last`,
    `edge` (early, mid, late). `name` is `spelled` for numbers in words.
    """

    part: str
    start: int
    end: int
    form: str
    language: str = "en"
    value: int = field(default=0, repr=False)
    name: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class DateReading:
    """One date of a text: what it states, and its slots.

    `year`, `month`, `day`, `weekday`: None where not stated. `borrowed` are the parts that
    another date of the same span states. `part`: (which, of how many) parts of the month or, where
    none is stated, of the year.
    """

    slots: tuple[Slot, ...]
    year: int | None = field(default=None, repr=False)
    month: int | None = field(default=None, repr=False)
    day: int | None = field(default=None, repr=False)
    weekday: int | None = field(default=None, repr=False)
    holiday: str = field(default="", repr=False)
    season: int | None = field(default=None, repr=False)
    part: tuple[int, int] | None = field(default=None, repr=False)
    borrowed: frozenset[str] = frozenset()


def full_year(two: int, pivot: int) -> int:
    """The year that two digits mean: the last one not after `pivot`."""
    year = pivot // 100 * 100 + two
    return year if year <= pivot else year - 100


def dates_month(r: DateReading) -> bool:
    """Whether a month and its year are stated, by their names or by a feast's ("Easter 2025")."""
    return r.year is not None and (r.month is not None or bool(r.holiday))


def weekday_only(r: DateReading) -> bool:
    """Whether a day of the week is all that is stated."""
    return r.weekday is not None and all(slot.part == "w" for slot in r.slots)


def day_only(r: DateReading) -> bool:
    """Whether the number of a day is all that is stated ("the 20th")."""
    others = (r.month, r.year, r.season, r.part)
    return r.day is not None and not r.holiday and all(one is None for one in others)


def year_only(r: DateReading) -> bool:
    """Whether a year of its own is all that is stated."""
    return (
        r.year is not None
        and "y" not in r.borrowed
        and r.month is None
        and r.day is None
        and not r.holiday
        and r.season is None
        and r.part is None
        and r.weekday is None
    )


def is_valid(r: DateReading) -> bool:
    """Whether day, month and year, as far as stated, can be a date."""
    if r.month is not None and not 1 <= r.month <= 12:
        return False
    if r.year is not None and not 1800 <= r.year <= 2200:
        return False
    if r.day is None:
        return True
    longest = (
        31 if r.month is None else (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[r.month - 1]
    )
    if r.month == 2 and r.day == 29 and r.year is not None:
        return r.year % 4 == 0 and (r.year % 100 != 0 or r.year % 400 == 0)
    return 1 <= r.day <= longest


def read_run(text: str, *, day_first: bool, pivot: int) -> list[DateReading] | None:
    """HL7 and other dates in one run of digits (HL7 v2 section 2.A.21 DTM: YYYY[MM[DD[HH..."""
    core = text.strip()
    if not core[:4].isdecimal():
        return None
    at = len(text) - len(text.lstrip())
    match = _COMPACT.fullmatch(core)
    if match:
        starts, ends = zip(*(match.span(i) for i in (1, 2, 3)), strict=True)
        return [_run_reading(core, at, (starts, ends, "ymd"), pivot)]
    if _YEAR_MONTH.fullmatch(core):
        return [_run_reading(core, at, ((0, 4), (4, 6), "ym"), pivot)]
    match = _ISO_WEEK.fullmatch(core)
    return _iso_week(match, at) if match else _bare_run(core, at, day_first=day_first, pivot=pivot)


def _bare_run(core: str, at: int, *, day_first: bool, pivot: int) -> list[DateReading] | None:
    """Day, month and perhaps year in two digits each, in the first order that is a date."""
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    orders: tuple[str, ...]
    if _RUN.fullmatch(core):
        starts, ends = (0, 2, 4), (2, 4, len(core))
        orders = ("dmy", "mdy", "ymd") if day_first else ("mdy", "dmy", "ymd")
    elif _MONTH_DAY.fullmatch(core) and not is_possible(int(core)):
        starts, ends = (0, 2), (2, 4)
        orders = ("dm", "md") if day_first else ("md", "dm")
    else:
        return None
    for order in orders:
        if order == "ymd" and len(core) > 6:
            continue
        reading = _run_reading(core, at, (starts, ends, order), pivot)
        if is_valid(reading):
            return [reading]
    return None


def _iso_week(match: Any, at: int) -> list[DateReading] | None:
    """A day or week of ISO 8601: `2022-W07-3`, `2022-W07` (its Thursday)."""
    year, week, day = (int(g) if g else 4 for g in match.groups())
    try:
        meant = date.fromisocalendar(year, week, day)
    except ValueError:
        return None
    slots = tuple(
        Slot(part, at + match.start(i), at + match.end(i), form, "en", value)
        for i, part, form, value in ((1, "Y", "4", year), (2, "W", "2", week), (3, "D", "1", day))
        if match.group(i)
    )
    return [DateReading(slots, meant.year, meant.month, meant.day)]


def _run_reading(
    core: str, at: int, layout: tuple[tuple[int, ...], tuple[int, ...], str], pivot: int
) -> DateReading:
    """`layout`: where in `core` the parts of a date begin and end, and their order."""
    starts, ends, order = layout
    slots: list[Slot] = []
    found: dict[str, int] = {}
    for part, start, end in zip(order, starts, ends, strict=True):
        value = int(core[start:end])
        form = "4" if end - start == 4 else "2"
        found[part] = full_year(value, pivot) if part == "y" and form == "2" else value
        slots.append(Slot(part, at + start, at + end, form, "en", value))
    return DateReading(tuple(slots), found.get("y"), found.get("m"), found.get("d"))


def more_than_years(text: str, readings: Sequence[DateReading]) -> bool:
    """Whether another number is tied to a year of two digits: "40/0h" may be half of a date."""
    years = [r.slots[-1] for r in readings]
    spans = {(slot.start, slot.end) for slot in years}
    short = any(end - start < 4 for start, end in spans)
    tied = any((m.start(2), m.end(2)) not in spans for m in _TIED.finditer(text))
    return short and tied
