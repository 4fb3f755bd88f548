"""Dates: one keyed offset a patient, every date written back in its own format.

Read (`dates_read`), add the patient's offset in days, write each slot again: so intervals within
and across notes stay exactly. What is not stated is inferred from the note's own date (the
nearest date that fits); months, quarters and seasons move by their middle day; holidays become
the plain date of the shifted calendar; a year alone stays by policy. A birth date that implies
an age of 90 or over gets a year that says no more than "90 or 91". What can't be read is tagged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache

from stream_deid.surrogate import calendar_words as cal
from stream_deid.surrogate.canonical import fold, like_case, without_accents
from stream_deid.surrogate.dates_read import read
from stream_deid.surrogate.dates_runs import Reading, Slot
from stream_deid.surrogate.derive import Scope
from stream_deid.surrogate.policy import Policy

TAG = "[DATE]"
_MIDDLE = 15
_NO_REFERENCE = date(2001, 6, 15)
_OLD = 90
_SCANNED = {"O": "0", "o": "0", "l": "1", "I": "1", "|": "1"}


@lru_cache(maxsize=8192)
def offset_days(scope: Scope, low: int, high: int, *, weekday: bool) -> int:
    """The patient's offset: never 0, `low <= |offset| <= high`, a multiple of 7 if `weekday`."""
    unit = 7 if weekday else 1
    first, last = -(-low // unit), high // unit
    count = last - first + 1
    drawn = scope.integer(2 * count, "date offset")
    size = (first + drawn % count) * unit
    return size if drawn < count else -size


@dataclass(frozen=True, slots=True)
class Calendar:
    """What the dates of one note share: language, field order, the day it was written, offset."""

    language: str
    day_first: bool
    reference: date | None = field(repr=False)
    offset: int = field(repr=False)
    policy: Policy

    @property
    def pivot(self) -> int:
        """The last year that two digits can mean."""
        return (self.reference.year if self.reference else 2049) + 5

    def read(self, text: str) -> list[Reading] | None:
        """The dates of a span, or None where it can't be read."""
        return self._read(text, self.pivot)

    def _read(self, text: str, pivot: int) -> list[Reading] | None:
        found = read(text, self.language, day_first=self.day_first, pivot=pivot)
        if found is None and any(c in _SCANNED for c in text):
            plain = _without_scan_errors(text)
            found = read(plain, self.language, day_first=self.day_first, pivot=pivot)
        return found

    def replace(self, text: str, *, birth: bool = False) -> tuple[str, str]:
        """(replacement, strategy) of a DATE span; `birth` where it is known to be a birth date."""
        readings = self._born(text) if birth else self.read(text)
        if readings is None:
            return TAG, "tag"
        if self.policy.strategy_kind_of_date == "generalise":
            return self._years_only(readings)
        if all(_year_only(r) for r in readings) and self.policy.year_only == "keep":
            return self._old_years(text, readings)
        return self._shifted(text, readings)

    def _born(self, text: str) -> list[Reading] | None:
        """A birth date: two-digit years lie in the past."""
        pivot = self.reference.year if self.reference else self.pivot
        return self._read(text, pivot)

    def _years_only(self, readings: list[Reading]) -> tuple[str, str]:
        years = [r.year for r in readings]
        if any(y is None for y in years):
            return TAG, "generalise"
        shown = dict.fromkeys(str(self._capped(y)) for y in years if y is not None)
        return "-".join(shown), "generalise"

    def _capped(self, year: int) -> int:
        if self.reference is None:
            return year
        return max(year, self.reference.year - _OLD)

    def _old_years(self, text: str, readings: list[Reading]) -> tuple[str, str]:
        changed = False
        made = text
        for reading in reversed(readings):
            slot = reading.slots[-1]
            if reading.year is not None and self._implies_old(date(reading.year, 12, 31)):
                year = self._shown_reference().year - _OLD - 1
                made = made[: slot.start] + _year(year, slot) + made[slot.end :]
                changed = True
        return (made, "generalise") if changed and made != text else (text, "keep")

    def _implies_old(self, day: date) -> bool:
        if self.reference is None or self.policy.age_over_89 != "generalise":
            return False
        return _age(day, self.reference) >= _OLD

    def _shown_reference(self) -> date:
        assert self.reference is not None
        return self.reference + timedelta(self.offset)

    def _shifted(self, text: str, readings: list[Reading]) -> tuple[str, str]:
        for nudge in (0, 1, -1, 2, 31, -31, 92, -92, 184, 366):
            made = self._render(text, readings, nudge)
            if made is None:
                return TAG, "tag"
            if all(_weekday_only(r) for r in readings):
                return made[0], "keep" if made[0] == text else "shift"
            if fold(made[0]).strip() != fold(text).strip():
                return made[0], made[1] if nudge == 0 else "shift-nudged"
        return TAG, "tag"

    def _render(self, text: str, readings: list[Reading], nudge: int) -> tuple[str, str] | None:
        strategy = "shift"
        days: list[date] = []
        for reading in readings:
            day = self._day(reading)
            try:
                moved = day + timedelta(self.offset + nudge)
            except OverflowError:
                return None
            if reading.year is not None and self._implies_old(day):
                year = self._shown_reference().year - _OLD - 1
                moved = moved.replace(year=year, day=min(moved.day, 28))
                strategy = "generalise"
            days.append(moved)
        made = text
        for i in range(len(readings) - 1, -1, -1):
            made = _write(made, readings[i], self._day(readings[i]), days, i, self.offset)
        return made, strategy

    def _day(self, r: Reading) -> date:
        """The calendar day that a reading means, with what it doesn't state inferred."""
        near = self.reference or _NO_REFERENCE
        if r.holiday:
            return _nearest((cal.holiday(r.holiday, y) for y in _years(r.year, near)), near)
        if r.season is not None:
            return _nearest(
                (date(y, 1 + 3 * r.season, _MIDDLE) for y in _years(r.year, near)), near
            )
        if r.quarter is not None:
            return _nearest(
                (date(y, 3 * r.quarter - 1, _MIDDLE) for y in _years(r.year, near)), near
            )
        if r.month is None and r.day is None:
            return date(r.year, 7, 1) if r.year is not None else near
        if r.month is None:
            return _nearest(_days_around(r.day or 1, near), near)
        options = [
            day
            for y in _years(r.year, near)
            if (day := _made(y, r.month, r.day or _MIDDLE)) is not None
        ]
        return _nearest(options, near)


def _age(born: date, on: date) -> int:
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _years(year: int | None, near: date) -> range:
    return range(year, year + 1) if year is not None else range(near.year - 4, near.year + 5)


def _nearest(options: Iterable[date], near: date) -> date:
    return min(options, key=lambda d: (abs((d - near).days), d))


def _days_around(day: int, near: date) -> list[date]:
    first = near.replace(day=1)
    months = [(first.year * 12 + first.month - 1 + k) for k in (-2, -1, 0, 1, 2)]
    made = (_made(m // 12, m % 12 + 1, day) for m in months)
    return [d for d in made if d is not None]


def _weekday_only(r: Reading) -> bool:
    return r.weekday is not None and all(slot.part == "w" for slot in r.slots)


def _without_scan_errors(text: str) -> str:
    """`text` with letters that scanners read for digits put right, offsets unchanged."""
    letters = list(text)
    start = 0
    for i in range(len(text) + 1):
        if i < len(text) and (text[i].isdigit() or text[i] in _SCANNED):
            continue
        if i > start and i - start <= 8:
            letters[start:i] = [_SCANNED.get(c, c) for c in text[start:i]]
        start = i + 1
        if i < len(text) and text[i].isalpha():
            while start < len(text) and text[start].isalpha():
                start += 1
    return "".join(letters)


def _year_only(r: Reading) -> bool:
    return (
        r.year is not None
        and "y" not in r.borrowed
        and r.month is None
        and r.day is None
        and not r.holiday
        and r.season is None
        and r.quarter is None
        and r.weekday is None
    )


def _write(  # noqa: PLR0917 - a plain function of what one reading and its neighbours are
    text: str, reading: Reading, before: date, days: Sequence[date], index: int, offset: int
) -> str:
    """`text` with the slots of one reading rewritten, last slot first."""
    after = days[index]
    padded = any(s.form == "2" and s.value < 10 for s in reading.slots if s.part in "md")
    bare = any(s.form == "1" for s in reading.slots if s.part in "md")
    numeric = any(s.part == "m" and s.form in {"1", "2"} for s in reading.slots)
    glued = any(s.part == "d" and text[s.end : s.end + 1].isalpha() for s in reading.slots)
    pad = padded or ((numeric or glued) and not bare)
    made = text
    for slot in reversed(reading.slots):
        value = _slot(slot, reading, before, after, offset, pad=pad, text=text)
        if slot.part == "d" and "m" in reading.borrowed and _crosses(days, index):
            value = _with_month(value, after, slot.language, first=index == 0)
        made = made[: slot.start] + value + made[slot.end :]
    return made


def _crosses(days: Sequence[date], index: int) -> bool:
    """Whether a day that borrows its month from its neighbour now lies in another month."""
    return any(d.month != days[index].month for d in days[max(index - 1, 0) : index + 2])


def _with_month(value: str, day: date, language: str, *, first: bool) -> str:
    if language == "es":
        return f"{value} de {cal.MONTHS['es'][day.month - 1]}"
    name = cal.MONTHS["en"][day.month - 1].capitalize()
    return f"{value} {name}" if first else f"{name} {value}"


def _slot(  # noqa: PLR0911 - one return for each kind of slot
    slot: Slot, reading: Reading, before: date, after: date, offset: int, *, pad: bool, text: str
) -> str:
    raw = text[slot.start : slot.end]
    if slot.part == "y":
        return _year(after.year, slot)
    if slot.part == "m":
        return _month(after.month, slot, raw, pad=pad, text=text)
    if slot.part == "d":
        return _day_of_month(after.day, slot, raw, pad=pad)
    if slot.part == "w":
        stated = reading.weekday if reading.weekday is not None else before.weekday()
        moved = (stated + offset) % 7 if reading.weekday is not None else after.weekday()
        return _weekday(moved, slot, raw)
    if slot.part == "s":
        season = (
            (after.month + 1) // 3 % 4
            if after.day < 21 or after.month % 3
            else after.month // 3 % 4
        )
        return _like(raw, cal.SEASONS[slot.language][season][0])
    if slot.part == "q":
        return str((after.month + 2) // 3)
    if slot.language == "es":
        return f"{after.day} de {cal.MONTHS['es'][after.month - 1]}"
    comma = "," if "y" in {s.part for s in reading.slots} else ""
    return _like(raw, cal.MONTHS["en"][after.month - 1].capitalize()) + f" {after.day}{comma}"


def _year(year: int, slot: Slot) -> str:
    return f"{year:04d}" if slot.form == "4" else f"{year % 100:02d}"


def _month(month: int, slot: Slot, raw: str, *, pad: bool, text: str) -> str:
    if slot.form in {"1", "2"}:
        return f"{month:02d}" if pad else str(month)
    if slot.form == "roman":
        return cal.ROMAN[month - 1].upper()
    short = cal.SHORT_MONTHS[slot.language][month - 1]
    if slot.form == "short" or (
        fold(raw) in cal.SHORT_MONTHS[slot.language] and _glued(text, slot)
    ):
        return _like(raw, "sept" if month == 9 and len(raw) == 4 else short)
    return _like(raw, cal.MONTHS[slot.language][month - 1])


def _glued(text: str, slot: Slot) -> bool:
    """Whether digits, a dash or a full stop touch a word that is month and abbreviation at once."""
    around = text[max(slot.start - 1, 0) : slot.start] + text[slot.end : slot.end + 1]
    return any(c.isdigit() or c in "-./" for c in around)


def _day_of_month(day: int, slot: Slot, raw: str, *, pad: bool) -> str:
    if slot.form == "word":
        return _like(raw, cal.ORDINALS[slot.language][day - 1].replace("-y-", " y "))
    if slot.form == "ordinal":
        tail = raw[sum(c.isdigit() for c in raw) :]
        if slot.language == "en":
            tail = like_case(tail, _ending(day))
        elif day != 1:
            tail = ""
        return (f"{day:02d}" if raw[0] == "0" else str(day)) + tail
    return f"{day:02d}" if pad else str(day)


def _ending(day: int) -> str:
    if 10 <= day % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _weekday(weekday: int, slot: Slot, raw: str) -> str:
    table = cal.WEEKDAYS if slot.form == "full" else cal.SHORT_WEEKDAYS
    value = table[slot.language][weekday]
    plural = slot.language == "en" and fold(raw).endswith("s") and slot.form == "full"
    return _like(raw, value + "s" if plural else value)


def _like(raw: str, value: str) -> str:
    """A word in the case of `raw`; accents only where the text around is not plain capitals."""
    if raw.isupper():
        return without_accents(value).upper() if raw.isascii() else value.upper()
    return value[:1].upper() + value[1:] if raw[:1].isupper() else value


def day_first(texts: Iterable[str], language: str) -> bool:
    """Whether day stands before month in a note: by language, unless its dates show otherwise."""
    votes = 0
    for text in texts:
        fields = text.strip().replace("-", "/").replace(".", "/").split("/")
        if len(fields) >= 2 and all(f.isdigit() and len(f) <= 2 for f in fields[:2]):
            first, second = int(fields[0]), int(fields[1])
            votes += (first > 12 >= second > 0) - (second > 12 >= first > 0)
    return votes > 0 if votes else language == "es"
