"""What stands beside shifted dates and may tell of the offset: zones of time, days of the week,
years and months by themselves.

Each visit stands in a note with its time of day and zone (Eastern), with an earlier date, and with
the years of both by themselves, each beside its date or (`apart`) behind both; its month stands
beside it or (`elsewhere`) in another note without it. The attacker knows what belongs to which
date, does to every candidate day what the engine does, and keeps the offsets that give what is
shown. `..., left as they are`: zones, days of the week and years of the originals.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from statistics import median

from stream_deid.attack.timing import Told
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate import Surrogates, rewrite
from stream_deid.surrogate.dates import zones
from stream_deid.surrogate.policy import Policy

_FIRST = date(2023, 1, 2)
_YEAR = 365
_EARLIER = 400  # days at most from the earlier date to the visit
_BEHIND_DAY = 11  # where what stands behind a date begins
_WINTER, _WINTER_DAY = "-05:00", date(2023, 1, 2)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A note as released: its visit, its earlier date, the visit's zone and day, the two years."""

    visit: date
    earlier: date
    zone: str
    weekday: str
    years: tuple[int, int]
    month: str


Fits = Callable[[_Shown, date, date], bool]


def attack(policy: Policy, key: bytes, patients: int, notes: int, seed: int) -> Iterator[Told]:
    """Every attacker on `patients` patients with `notes` notes each."""
    left = replace(policy, year_only="keep")
    views: Sequence[tuple[str, Policy, Fits]] = (
        ("zones, left as they are", policy, _zone_left),
        ("zones", policy, _zone_moved),
        ("days of the week, left as they are", policy, _weekday_left),
        ("days of the week", policy, _weekday_moved),
        ("years, left as they are", left, _years_left),
        ("years", policy, _years_moved),
        ("years, apart", policy, _years_apart),
        ("months", policy, _month_moved),
        ("months, elsewhere", policy, _month_elsewhere),
    )
    low, high = policy.date_shift_days
    offsets = [sign * size for size in range(low, high + 1) for sign in (1, -1)]
    for name, rules, fits in views:
        maker = Surrogates(rules, key)
        possible: list[int] = []
        for number in range(patients):
            file = [_note(maker, number, n, seed, fits) for n in range(notes)]
            possible.append(sum(_explains(file, offset, fits) for offset in offsets))
        yield Told(name, notes, patients, sum(n == 1 for n in possible), float(median(possible)))


def _explains(file: Sequence[_Shown], offset: int, fits: Fits) -> bool:
    move = timedelta(offset)
    return all(fits(one, one.visit - move, one.earlier - move) for one in file)


def _note(maker: Surrogates, patient: int, number: int, seed: int, fits: Fits) -> _Shown:
    rng = random.Random(f"{seed} {patient} {number}")
    visit = _FIRST + timedelta(rng.randrange(_YEAR))
    earlier = visit - timedelta(rng.randrange(1, _EARLIER))
    texts, found = _written(visit, earlier, apart=fits is _years_apart)
    owner = f"patient {patient}"
    note = Note(f"note {patient} {number}", owner, tuple(map(Part, texts)), "en", written_on=visit)
    edits = maker.edits(note, found)
    stamp, dates, weekday, month = (rewrite(t, e) for t, e in zip(texts, edits, strict=True))
    days = [date.fromisoformat(one) for one in dates.split() if "-" in one]
    years = [int(one) for one in dates.split() if "-" not in one]
    zone = _eastern(visit)
    return _Shown(
        days[0],
        days[1],
        zone if fits is _zone_left else stamp[-len(zone) :],
        f"{visit:%A}" if fits is _weekday_left else weekday.split()[1].strip("()"),
        (years[0], years[1]),
        _month_alone(maker, owner, visit) if fits is _month_elsewhere else month[_BEHIND_DAY:],
    )


def _written(
    visit: date, earlier: date, *, apart: bool
) -> tuple[tuple[str, ...], list[list[Finding]]]:
    """The parts of a note, and what is found in each: visit and zone, both dates and their years
    (`apart`: behind both), visit and day of the week, visit and month.
    """
    month = f"{visit:%B %Y}"
    dates = f"{visit} {visit.year} {earlier} {earlier.year}"
    places = ((0, 10), (11, 15), (16, 26), (27, 31))
    if apart:
        dates = f"{visit} {earlier} {visit.year} {earlier.year}"
        places = ((0, 10), (11, 21), (22, 26), (27, 31))
    texts = (
        f"{visit}T10:15:00{_eastern(visit)}", dates, f"{visit} ({visit:%A})", f"{visit} {month}"
    )  # fmt: skip
    day = _found(0, 10)
    return texts, [
        [day],
        [_found(*place) for place in places],
        [day],
        [day, _found(_BEHIND_DAY, len(texts[3]))],
    ]


def _month_alone(maker: Surrogates, patient: str, visit: date) -> str:
    """What becomes of the month in another note of the patient, that has no date in it."""
    month = f"{visit:%B %Y}"
    note = Note("other", patient, (Part(month),), "en")
    return rewrite(month, maker.edits(note, [[_found(0, len(month))]])[0])


def _found(start: int, end: int) -> Finding:
    return Finding(start, end, PhiType.DATE, ("attack@1",))


def _eastern(day: date) -> str:
    return zones.on(_WINTER, _WINTER_DAY, day)


def _zone_left(one: _Shown, visit: date, _earlier: date) -> bool:
    return _eastern(visit) == one.zone


def _zone_moved(one: _Shown, visit: date, _earlier: date) -> bool:
    return zones.on(_eastern(visit), visit, one.visit) == one.zone


def _weekday_left(one: _Shown, visit: date, _earlier: date) -> bool:
    return f"{visit:%A}" == one.weekday


def _weekday_moved(one: _Shown, _visit: date, _earlier: date) -> bool:
    return f"{one.visit:%A}" == one.weekday


def _years_left(one: _Shown, visit: date, earlier: date) -> bool:
    return (visit.year, earlier.year) == one.years


def _years_moved(one: _Shown, _visit: date, _earlier: date) -> bool:
    return one.years == (one.visit.year, one.earlier.year)


def _years_apart(one: _Shown, visit: date, earlier: date) -> bool:
    """Both years behind both dates: a year is shown as that of the later date that was in it."""
    first = one.earlier if visit.year == earlier.year else one.visit
    return one.years == (first.year, one.earlier.year)


def _month_moved(one: _Shown, _visit: date, _earlier: date) -> bool:
    return one.month == f"{one.visit:%B %Y}"


def _month_elsewhere(one: _Shown, visit: date, _earlier: date) -> bool:
    """A month moves by its middle day where its note states none that lies in it."""
    middle = visit.replace(day=15) + (one.visit - visit)
    return one.month == f"{middle:%B %Y}"
