"""Dates: one keyed offset a patient, every date written back in its own format.

Read (`reading.read`), add the patient's offset in days, write each slot again: so intervals within
and across notes stay exactly. A year that is not stated is inferred (`unstated`); months, seasons
and other parts of a year move by their middle day; holidays become the plain date of the shifted
calendar; a year alone moves with the dates of its year, else as far as the note's own. A birth date
that implies an age of 90 or over gets a year that says no more than "90 or 91". What can't be read
is tagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from stream_deid.lists.calendar import weekday_language
from stream_deid.surrogate.dates import beside_days, births, meaning, weekdays, zones
from stream_deid.surrogate.dates.padding import Habits, habits
from stream_deid.surrogate.dates.reading import ocr, slashed
from stream_deid.surrogate.dates.reading.impossible import possible
from stream_deid.surrogate.dates.reading.partial import narrows
from stream_deid.surrogate.dates.reading.read import read
from stream_deid.surrogate.dates.reading.slots import (
    DateReading,
    dates_month,
    more_than_years,
    weekday_only,
    year_only,
)
from stream_deid.surrogate.dates.reading.spelled import read_spelled
from stream_deid.surrogate.dates.reading.words import as_tuesday
from stream_deid.surrogate.dates.write import write, written_year
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.policy import Policy
from stream_deid.text import years as bounds
from stream_deid.text.age import age_on
from stream_deid.text.folding import fold
from stream_deid.text.memo import remembered

TAG = "[DATE]"
_OLD = 90


@remembered
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
    """What the dates of one note share: language, field order, the day it was written, offset,
    habits of padding; `ages` of 90 and over that it states, and the last day (`by`) on which it
    can have been written, as far as these tell; `years`: those of its dates, and what they become;
    `stated`: the days that it states with their years, but for births; `stamped`: whether the
    message itself says when it was written.
    """

    language: str
    day_first: bool
    reference: date | None = field(repr=False)
    offset: int = field(repr=False)
    policy: Policy
    habits: Habits = field(default_factory=dict)
    ages: tuple[int, ...] = field(default=(), repr=False)
    by: date | None = field(default=None, repr=False)
    years: Mapping[int, int] = field(default_factory=dict, repr=False)
    stated: frozenset[date] = field(default=frozenset(), repr=False)
    stamped: bool = False
    births: frozenset[date] = field(default=frozenset(), repr=False)

    @property
    def pivot(self) -> int:
        """The last year that two digits can mean."""
        return self.reference.year + 5 if self.reference else self._latest.year

    def read(self, text: str) -> list[DateReading] | None:
        """The dates of a span, or None where it can't be read."""
        return self._read(text, self.pivot)

    def knowing(
        self, texts: Sequence[str], born: Sequence[str] = (), ages: Sequence[int] = ()
    ) -> Calendar:
        """The calendar with what the dates of its note tell: the day it was written at the
        earliest, where nothing else says it, and habits of padding. `born` are the dates of
        births, which don't say when a note was written but beside an age.
        """
        read = [(text, reading) for text in texts for reading in self.read(text) or ()]
        stated = (meaning.plausible(self.day(r)) for _, r in read if dates_month(r))
        reference = self.reference or max(filter(None, stated), default=None)
        stamped = self.reference is not None
        known = replace(self, reference=reference, ages=tuple(ages), stamped=stamped)
        bearing = [(text, reading) for text in born for reading in known.born_in(text) or ()]
        born_in = [r.year for _, r in bearing if r.year is not None]
        by = None if self.reference else births.written_by(born_in, ages, self._latest, reference)
        whole = [r for _, r in read if dates_month(r)]
        days = [reference, *(day for r in whole if (day := known.day(r)) is not None)]
        exact = (r for r in whole if r.day is not None or r.holiday)
        told = {day for r in exact if (day := known.day(r)) is not None}
        years = {
            day.year: (day + timedelta(self.offset)).year
            for day in reversed(days)
            if day is not None and meaning.FIRST_YEAR <= day.year <= meaning.LAST_YEAR
        }
        days_of_birth = {day for _, r in bearing if r.day and r.year and (day := known.day(r))}
        return replace(
            known, habits=habits([*read, *bearing]), by=by, years=years, stated=frozenset(told),
            births=frozenset(days_of_birth),
        )  # fmt: skip

    def _read(self, text: str, pivot: int) -> list[DateReading] | None:
        text = slashed.with_strokes(text)
        found = read(text, self.language, day_first=self.day_first, pivot=pivot)
        if found is None:
            found = read_spelled(text, self.language, day_first=self.day_first, pivot=pivot)
        if found is None and ocr.doubtful(text):
            plain = ocr.corrected(text, self.language)
            found = read(plain, self.language, day_first=self.day_first, pivot=pivot)
        if found is not None:
            return found
        tried = (
            read(day, self.language, day_first=self.day_first, pivot=pivot)
            for day in possible(text)
        )
        return next((one for one in tried if one is not None), None)

    def replace(
        self,
        text: str,
        *,
        birth: bool = False,
        since: int = 0,
        near: Sequence[str] = (),
        meant: str = "",
    ) -> tuple[str, str]:
        """(replacement, strategy) of a DATE span; `birth` where it is known to be a birth date,
        `since` the least years from a birth to a year that tells it (a class of graduates), `near`
        the dates beside it, the nearest first, `meant` what is read instead of it (`tuesdays`).
        """
        readings = self.born_in(text) if birth else self.read(meant or text)
        if readings is None:
            return TAG, "tag"
        if self.policy.strategy_kind_of_date == "generalise":
            return self._years_only(text, readings, since)
        if all(year_only(r) for r in readings):
            doubtful = narrows(text) or more_than_years(text, readings)
            return (TAG, "tag") if doubtful else self._bare_years(text, readings, since, near)
        return self._shifted(text, readings, since, near)

    def born(self, day: date) -> date:
        """The day that a birth becomes in a number that holds it, under any policy."""
        moved = day + timedelta(self.offset)
        if not self._implies_old(day, 0):
            return moved
        year = self._shown_written().year - _OLD - 1
        return moved.replace(year=year, day=min(moved.day, 28))

    def zone(self, text: str, zone: str) -> str:
        """The numeric zone beside a date `text`, as the shown day has it; empty where only the year
        is shown.
        """
        if self.policy.strategy_kind_of_date == "generalise":
            return ""
        readings = self.read(text) or []
        day = self.day(readings[-1]) if readings else None
        if day is None or not meaning.FIRST_YEAR <= day.year <= meaning.LAST_YEAR:
            return ""
        return zones.on(zone, day, day + timedelta(self.offset))

    def weekday(self, text: str) -> int | None:
        """The day of the week (Monday: 0) of the last date that `text` states, if any;
        `weekdays.ANY_DAY` where nothing tells its year.
        """
        readings = self.read(text.strip()) or []
        day = self.day(readings[-1]) if readings and readings[-1].day else None
        if day is not None and self.reference is None and readings[-1].year is None:
            return weekdays.ANY_DAY
        return None if day is None else day.weekday()

    def moved_weekday(self, text: str) -> str:
        """What the name of a day of the week becomes, in whichever language it is written."""
        own = replace(self, language=weekday_language(text) or self.language)
        meant = as_tuesday(text) if own.language == "es" else ""
        return own.replace(text, meant=meant)[0]

    def number(self, text: str) -> int | None:
        """The number of the last day that `text` states, in any one year."""
        readings = self.read(text.strip()) or []
        stated = readings and readings[-1]
        if not stated or stated.day is None:
            return None
        day = self.day(replace(stated, year=meaning.NO_REFERENCE.year))
        return None if day is None else day.toordinal()

    def born_in(self, text: str) -> list[DateReading] | None:
        """A birth date: two-digit years lie in the past of the note, without any date in that of
        the policy's latest year; and where the note states an age of 90 or over that fits the
        century before, or was written before such a day, in that.
        """
        pivot = self.reference.year if self.reference else self.policy.latest_year
        near = (pivot - 1, pivot + 1)
        first, last = near if self.reference else (bounds.ELECTRONIC, self._latest.year)
        found = self._read(text, pivot)
        years = [r.year - 100 for r in found or () if r.year is not None]
        old = any(first <= year + age <= last for year in years for age in self.ages)
        old = old or any(self._to_come(r) for r in found or ())
        return self._read(text, pivot - 100) if old else found

    def _to_come(self, r: DateReading) -> bool:
        """Whether a day lies behind the one that the message bears, in any zone of the earth."""
        whole = r.year is not None and r.month is not None and r.day is not None
        day = self.day(r) if self.stamped and whole else None
        return bool(day and self.reference and day > self.reference + timedelta(days=1))

    def _years_only(self, text: str, readings: list[DateReading], since: int) -> tuple[str, str]:
        years = [r.year for r in readings]
        if any(y is None for y in years):
            return TAG, "generalise"
        shown = dict.fromkeys(str(self._capped(y, since)) for y in years if y is not None)
        made = "-".join(shown)
        return made, "keep" if made == text else "generalise"

    def _capped(self, year: int, since: int) -> int:
        return max(year, self._written.year - _OLD + min(since, _OLD - 1))

    @property
    def _latest(self) -> date:
        return bounds.undated(self.policy.latest_year)

    @property
    def _written(self) -> date:
        """The day of writing, as far as ages go: a note whose last date is a birth long ago does
        not tell it.
        """
        if self.reference is None or self.reference.year < bounds.ELECTRONIC:
            return self.by or self._latest
        return max(self.reference, self.by or self.reference)

    def _bare_years(
        self, text: str, readings: list[DateReading], since: int, near: Sequence[str]
    ) -> tuple[str, str]:
        """Years by themselves: those that tell an age over 89 say no more than that, others move
        with the dates.
        """
        how = "keep"
        made = text
        for reading in reversed(readings):
            slot = reading.slots[-1]
            assert reading.year is not None
            year = self._moved_year(reading.year, near)
            if self._implies_old(date(reading.year, 12, 31), since):
                year, how = self._shown_written().year - _OLD - 1 + since, "generalise"
            elif year != reading.year and how == "keep":
                how = "shift"
            made = made[: slot.start] + written_year(year, slot, made) + made[slot.end :]
        return (text, "keep") if made == text else (made, how)

    def _moved_year(self, year: int, near: Sequence[str]) -> int:
        """The shown year of the nearest date of a year, else one as far from the note's as it was:
        where dates of one year become dates of two, any other tells that they were of one.
        """
        if self.reference is None or self.policy.year_only == "keep":
            return year
        beside = (r for text in near for r in self.read(text) or () if r.year == year)
        days = (self.day(reading) for reading in beside if not year_only(reading))
        day = next((day for day in days if day is not None), None)
        if day is not None and meaning.FIRST_YEAR <= day.year <= meaning.LAST_YEAR:
            return (day + timedelta(self.offset)).year
        shown = (self.reference + timedelta(self.offset)).year
        return self.years.get(year, year + shown - self.reference.year)

    def _implies_old(self, day: date, since: int) -> bool:
        over = age_on(day, self._written) + min(since, _OLD - 1) >= _OLD
        return over and self.policy.age_over_89 != "keep"

    def _shown_written(self) -> date:
        return self._written + timedelta(self.offset)

    def _meant(self, readings: list[DateReading], near: Sequence[str]) -> list[date] | None:
        """The days by which readings move: a stretch of a year by the nearest day of the note that
        lies in it; None where there is none.
        """
        meant = [self.day(r) for r in readings]
        for at, (r, day) in enumerate(zip(readings, meant, strict=True)):
            if day is not None and beside_days.is_stretch(r):
                meant[at] = beside_days.day_in(r, day, self._days(near)) or day
        days = [d for d in meant if d and meaning.FIRST_YEAR <= d.year <= meaning.LAST_YEAR]
        return days if len(days) == len(meant) else None

    def _days(self, near: Sequence[str]) -> Iterator[date]:
        """The whole days that a note states, the nearest first, and that of the note itself."""
        read = (r for text in near for r in self.read(text) or ())
        near_by = (self.day(r) for r in read if r.month and r.day and r.year is not None)
        yield from (day for day in near_by if day in self.stated)
        yield from filter(None, [self.reference])
        yield from sorted(self.stated)

    def _shifted(
        self, text: str, readings: list[DateReading], since: int, near: Sequence[str]
    ) -> tuple[str, str]:
        meant = self._meant(readings, near)
        if meant is None:
            return TAG, "tag"
        told = meant != [self.day(r) for r in readings]
        for nudge in (0, 1, -1, 2, 31, -31, 92, -92, 184, 366):
            made = self._render(text, readings, meant, nudge, since)
            if told or all(weekday_only(r) for r in readings):
                return made[0], "keep" if made[0] == text else made[1]
            if fold(made[0]).strip() != fold(text).strip():
                return made[0], made[1] if nudge == 0 else "shift-nudged"
        return TAG, "tag"

    def _render(
        self, text: str, readings: list[DateReading], meant: list[date], nudge: int, since: int
    ) -> tuple[str, str]:
        strategy = "shift"
        days: list[date] = []
        for reading, day in zip(readings, meant, strict=True):
            moved = day + timedelta(self.offset + nudge)
            if reading.year is not None and self._implies_old(day, since):
                year = self._shown_written().year - _OLD - 1 + since
                moved = moved.replace(year=year, day=min(moved.day, 28))
                strategy = "generalise"
            days.append(moved)
        made = text
        for i in range(len(readings) - 1, -1, -1):
            made = write(
                made, readings[i], meant[i],
                days=days, index=i, offset=self.offset, habits=self.habits,
            )  # fmt: skip
        place = zones.inside(made)
        if place is not None:
            zone = zones.on(made[slice(*place)], meant[-1], days[-1])
            made = made[: place[0]] + zone + made[place[1] :]
        return made, strategy

    def day(self, r: DateReading) -> date | None:
        """The calendar day that a reading means, with what it doesn't state inferred; None where
        there is no such day (30 February).
        """
        return meaning.day(r, self.reference, self.stated)
