"""The calendar attack: what shifted dates, alone or with the inner audit, tell of an offset.

Patients come on working days, and each note names the visit and two earlier dates, written as most
people write them (3/4/2024). The notes go through the real engine. The attacker tries all offsets
that the policy allows and keeps those that explain everything shown:

`weekdays`: no visit on a Saturday, Sunday or public holiday; `weekdays, kept`: the same under
`keep_weekday`.
`padding`: a date with a zero before a digit had two digits in each field; `one date a note` leaves
the note without another date that would show its habit.
`zones`, `days of the week`, `years`: what stands beside dates (`zones_and_years`).
`copies`: the same note under several epochs.
`inner audit`: lengths of the original spans, which `stream-deid release` takes out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from statistics import median

from stream_deid.attack import copies, zones_and_years
from stream_deid.attack.outcome import Advance
from stream_deid.attack.timing import NOTES, Told, allowed_offsets
from stream_deid.labels import PhiType
from stream_deid.lists.holidays import used
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate import Surrogates
from stream_deid.surrogate.dates import holidays
from stream_deid.surrogate.policy import Policy

_FIRST = date(2023, 1, 2)
_YEAR = 365
_SATURDAY = 5
_HOLIDAYS = used("closed")


@dataclass(frozen=True, slots=True)
class _Shown:
    """A date as released: its text, the day it means, the length of the original, if a visit."""

    text: str
    day: date
    was: int
    visit: bool


Explains = Callable[[_Shown, date], bool]


def attack(policy: Policy, key: bytes, patients: int, seed: int, advance: Advance) -> list[Told]:
    """Every attacker on `patients` patients with 1, 5 and 20 notes each."""
    rows: list[Told] = []
    kept = replace(policy, keep_weekday=True)
    views: Sequence[tuple[str, Policy, int, Explains]] = (
        ("weekdays", policy, 3, _on_a_working_day),
        ("weekdays, kept", kept, 3, _on_a_working_day),
        ("padding", policy, 3, _of_this_padding),
        ("padding, one date a note", policy, 1, _of_this_padding),
        ("inner audit", policy, 3, _of_this_length),
    )
    for count in NOTES:
        for name, rules, dates, explains in views:
            maker = Surrogates(rules, key)
            files = (_file(maker, number, count, dates, seed) for number in range(patients))
            left = [sum(_fits(file, o, explains) for o in allowed_offsets(rules)) for file in files]
            certain = sum(n == 1 for n in left)
            rows.append(Told(name, count, patients, certain, float(median(left))))
        rows += zones_and_years.attack(policy, key, patients, count, seed)
        rows.append(copies.attack(policy, key, patients, count, allowed_offsets(policy)))
        advance()
    return rows


def _file(maker: Surrogates, number: int, count: int, dates: int, seed: int) -> list[_Shown]:
    """All dates of a patient's notes as released."""
    rng = random.Random(f"{seed} {number}")
    shown: list[_Shown] = []
    for n in range(count):
        visit = _working_day(rng)
        days = [visit, *(visit - timedelta(rng.randrange(1, 200)) for _ in range(dates - 1))]
        shown += _released(maker, f"patient {number}", f"note {number} {n}", days)
    return shown


def _working_day(rng: random.Random) -> date:
    while True:
        day = _FIRST + timedelta(rng.randrange(_YEAR))
        if _is_working(day):
            return day


def _is_working(day: date) -> bool:
    return day.weekday() < _SATURDAY and day not in {
        holidays.holiday(name, day.year) for name in _HOLIDAYS
    }


def _released(maker: Surrogates, patient: str, note: str, days: Sequence[date]) -> list[_Shown]:
    written = [f"{day.month}/{day.day}/{day.year}" for day in days]
    parts = tuple(Part(text) for text in written)
    subject = Note(note, patient, parts, "en", written_on=days[0])
    found = [[Finding(0, len(text), PhiType.DATE, ("attack@1",))] for text in written]
    shown = [edits[0].replacement for edits in maker.edits(subject, found)]
    return [
        _Shown(text, _read(text), len(was), visit=at == 0)
        for at, (text, was) in enumerate(zip(shown, written, strict=True))
    ]


def _read(text: str) -> date:
    month, day, year = map(int, text.split("/"))
    return date(year, month, day)


def _fits(file: Sequence[_Shown], offset: int, explains: Explains) -> bool:
    move = timedelta(offset)
    return all(explains(one, one.day - move) for one in file)


def _on_a_working_day(one: _Shown, day: date) -> bool:
    return not one.visit or _is_working(day)


def _of_this_padding(one: _Shown, day: date) -> bool:
    padded = any(field.startswith("0") for field in one.text.split("/"))
    return not padded or (day.month > 9 and day.day > 9)


def _of_this_length(one: _Shown, day: date) -> bool:
    return len(f"{day.month}/{day.day}/{day.year}") == one.was
