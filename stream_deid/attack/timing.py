"""The timing attack: what the place and the time of released notes tell of patients' date offsets.

A live feed is simulated with offsets of the real derivation: patients with one note or several over
a year, each note dated on the day of its record. The attacker knows this, sees shifted dates, and:

`record time`: reads when each note came out (the broker's time stamp, a header, a clock).
`order`: has the notes in the order of their record, without times, and knows when the feed began
and ended; `attack.order` says how.
`batches`: has what `stream-deid release` writes: the period of each note's batch, and a random
order in it. An offset must fit all notes of the patient, and be one that the policy allows.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

import numpy as np

from stream_deid.attack import order
from stream_deid.attack.outcome import Advance
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate import Policy, Surrogates

YEAR = 365
PERIODS = (1, 7, 30, 91, YEAR)
NOTES = (1, 5, 20)
_DAY = date(2024, 6, 15)


@dataclass(frozen=True, slots=True)
class Told:
    """What an attacker learns: of `patients`, those whose offset is `certain` and right, and the
    median number of offsets that remain `possible`.
    """

    sees: str
    notes: int
    patients: int
    certain: int
    possible: float


@dataclass(frozen=True, slots=True)
class _Patient:
    offset: int
    days: tuple[int, ...]


def attack(maker: Surrogates, patients: int, seed: int, advance: Advance) -> list[Told]:
    """Every attacker on feeds of `patients` patients with 1, 5 and 20 notes each."""
    allowed = allowed_offsets(maker.policy)
    offsets = [offset_of(maker, number) for number in range(patients)]
    rows: list[Told] = []
    for count in NOTES:
        rng = random.Random(seed)
        feed = [
            _Patient(offset, tuple(rng.randrange(YEAR) for _ in range(count))) for offset in offsets
        ]
        rows += [_by_time(feed, count), _by_order(feed, count, rng, allowed)]
        rows += [_by_batch(feed, count, period, allowed) for period in PERIODS]
        advance()
    return rows


def allowed_offsets(policy: Policy) -> list[int]:
    """The offsets that a patient can have under a policy."""
    low, high = policy.date_shift_days
    step = 7 if policy.keep_weekday else 1
    sizes = range(-(-low // step) * step, high + 1, step)
    return [*sizes, *(-size for size in sizes)]


def offset_of(maker: Surrogates, number: int) -> int:
    """The days by which the engine moves the dates of a patient."""
    note = Note(f"note {number}", f"patient {number}", (Part(_DAY.isoformat()),), "en")
    finding = Finding(0, len(_DAY.isoformat()), PhiType.DATE, ("attack@1",))
    ((edit,),) = maker.edits(note, [[finding]])
    return (date.fromisoformat(edit.replacement) - _DAY).days


def _by_time(feed: Sequence[_Patient], count: int) -> Told:
    """Each note alone tells it: its shifted date less its time of record."""
    told = [median((day + p.offset) - day for day in p.days) for p in feed]
    certain = sum(guess == p.offset for guess, p in zip(told, feed, strict=True))
    return Told("record time", count, len(feed), certain, 1.0)


def _by_order(feed: Sequence[_Patient], count: int, rng: random.Random, allowed: list[int]) -> Told:
    line = sorted((day, rng.random(), who) for who, p in enumerate(feed) for day in p.days)
    who = np.array([who for _, _, who in line])
    shown = np.array([day + feed[who].offset for day, _, who in line])
    found = order.offsets(who, shown, YEAR, allowed)
    right = sum(int(o) == p.offset for o, p in zip(found, feed, strict=True))
    return Told("order", count, len(feed), right, 1.0)


def _by_batch(feed: Sequence[_Patient], count: int, period: int, allowed: list[int]) -> Told:
    left = []
    drawn = frozenset(allowed)
    for patient in feed:
        first = [day // period * period for day in patient.days]
        shown = [day + patient.offset for day in patient.days]
        low = max(s - (f + period - 1) for s, f in zip(shown, first, strict=True))
        high = min(s - f for s, f in zip(shown, first, strict=True))
        left.append(sum(offset in drawn for offset in range(low, high + 1)))
    certain = sum(n == 1 for n in left)
    return Told(f"batches of {period} days", count, len(feed), certain, float(median(left)))
