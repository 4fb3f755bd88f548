"""Dates as slots of a text, and those that are one run of digits or a quarter of a year."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import re2

from stream_deid.surrogate import calendar_words as cal
from stream_deid.surrogate.canonical import fold

_COMPACT = re2.compile(
    r"((?:1[89]|20|21)\d{2}) ?(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
    r"(?:[T ]?(?:[01]\d|2[0-4])(?:[0-5]\d(?:[0-5]\d(?:\.\d+)?)?)?)?(?:Z|[+-]\d{2}:?\d{2})?"
)
_YEAR_MONTH = re2.compile(r"((?:1[89]|20)\d{2})(0[1-9]|1[0-2])(?:[+-]\d{4})?")
_RUN = re2.compile(r"(\d{2})(\d{2})(\d{4}|\d{2})")
_MONTH_DAY = re2.compile(r"\d{4}")
_ISO_WEEK = re2.compile(r"(\d{4})-?W(\d{2})(?:-?(\d))?")
_QUARTER = re2.compile(r"(?i)\b(?:q([1-4])|([1-4])q|([1-4])t|t([1-4]))\b")
_YEAR_OF_QUARTER = re2.compile(r"(?:1[89]|20)\d{2}|['’]?\d{2}\b")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place `[start, end)` in the text and how it is written.

    `form`: `2`, `1` (digits padded or not), `4` (year), `full`, `short`, `roman`, `word`
    (ordinal word), `letters` (weekday in one or two letters), `stem` (Basque month), `ordinal`
    (digits with an English ending), `holiday`, `season`, `quarter`. `name` is `spelled` for
    numbers in words.
    """

    part: str
    start: int
    end: int
    form: str
    language: str = "en"
    value: int = field(default=0, repr=False)
    name: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """One date of a text: what it states, and its slots.

    `year`, `month`, `day`, `weekday`: None where not stated. `borrowed` are the parts that
    another date of the same span states.
    """

    slots: tuple[Slot, ...]
    year: int | None = field(default=None, repr=False)
    month: int | None = field(default=None, repr=False)
    day: int | None = field(default=None, repr=False)
    weekday: int | None = field(default=None, repr=False)
    holiday: str = field(default="", repr=False)
    season: int | None = field(default=None, repr=False)
    quarter: int | None = field(default=None, repr=False)
    borrowed: frozenset[str] = frozenset()


def full_year(two: int, pivot: int) -> int:
    """The year that two digits mean: the last one not after `pivot`."""
    year = pivot // 100 * 100 + two
    return year if year <= pivot else year - 100


def is_valid(r: Reading) -> bool:
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


def read_run(text: str, *, day_first: bool, pivot: int) -> list[Reading] | None:
    """HL7 and other dates in one run of digits (HL7 v2 section 2.A.21 DTM: YYYY[MM[DD[HH..."""
    core = text.strip()
    at = len(text) - len(text.lstrip())
    match = _COMPACT.fullmatch(core)
    if match:
        starts, ends = zip(*(match.span(i) for i in (1, 2, 3)), strict=True)
        return [_run_reading(at, starts, ends, "ymd", core, pivot)]
    match = _YEAR_MONTH.fullmatch(core)
    if match:
        return [_run_reading(at, (0, 4), (4, 6), "ym", core, pivot)]
    match = _ISO_WEEK.fullmatch(core)
    if match:
        return _iso_week(match, at)
    if _RUN.fullmatch(core):
        starts, ends = (0, 2, 4), (2, 4, len(core))
        orders: tuple[str, ...] = ("dmy", "mdy", "ymd") if day_first else ("mdy", "dmy", "ymd")
    elif _MONTH_DAY.fullmatch(core) and not 1850 <= int(core) <= 2150:
        starts, ends = (0, 2), (2, 4)
        orders = ("dm", "md") if day_first else ("md", "dm")
    else:
        return None
    for order in orders:
        if order == "ymd" and len(core) > 6:
            continue
        reading = _run_reading(at, starts, ends, order, core, pivot)
        if is_valid(reading):
            return [reading]
    return None


def _iso_week(match: Any, at: int) -> list[Reading] | None:
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
    return [Reading(slots, meant.year, meant.month, meant.day)]


def _run_reading(  # noqa: PLR0917 - a plain function of the layout of a run
    at: int, starts: tuple[int, ...], ends: tuple[int, ...], order: str, core: str, pivot: int
) -> Reading:
    slots: list[Slot] = []
    found: dict[str, int] = {}
    for part, start, end in zip(order, starts, ends, strict=True):
        value = int(core[start:end])
        form = "4" if end - start == 4 else "2"
        found[part] = full_year(value, pivot) if part == "y" and form == "2" else value
        slots.append(Slot(part, at + start, at + end, form, "en", value))
    return Reading(tuple(slots), found.get("y"), found.get("m"), found.get("d"))


def read_quarter(text: str, pivot: int) -> list[Reading] | None:
    """A quarter of a year: `Q3 2020`, `3T 2020`."""
    match = _QUARTER.search(text)
    if not match:
        return None
    digit = next(i for i in range(1, 5) if match.group(i))
    slots = [
        Slot("q", match.start(digit), match.end(digit), "quarter", "en", int(match.group(digit)))
    ]
    rest = text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]
    year: int | None = None
    stated = _YEAR_OF_QUARTER.search(rest)
    if stated:
        digits = stated.group().lstrip("'’")
        start = stated.end() - len(digits)
        year = int(digits) if len(digits) == 4 else full_year(int(digits), pivot)
        slots.append(Slot("y", start, stated.end(), "4" if len(digits) == 4 else "2"))
        rest = rest[: stated.start()] + rest[stated.end() :]
    if not all(fold(w) in cal.FILLER for w in re2.findall(r"[\pL\pM]+", rest)):
        return None
    if any(c.isdigit() for c in rest):
        return None
    return [
        Reading(tuple(sorted(slots, key=lambda s: s.start)), year, quarter=int(match.group(digit)))
    ]
