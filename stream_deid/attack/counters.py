"""What the worker's counters tell: how many spans of each type were replaced from scrape to scrape.

Whoever reads `/metrics` and holds the released notes (in a random order, without times) looks for
each note's counts by type among the increments: an interval between two scrapes in which one note
was counted grew by just its counts, any other by at least them. On how many days of the batch may
the note have come? Counts of a note are those of its identifiers as a reader sees them. `as they
are`: counted note by note; `in steps`: shown once so many notes have come together.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from stream_deid.attack.outcome import Advance
from stream_deid.attack.release import UnreleasedNote

DAYS = 91
A_DAY = (10, 100, 1000)
SCRAPE_S = 15
STEPS = (1, 50)
_ASKED = 200
_SECONDS = 86_400
Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class DaysLeft:
    """Of the notes asked for, those whose day is `known`, and the median of days `left`."""

    counted: str
    a_day: int
    asked: int
    known: int
    left: float


def attack(sources: Sequence[UnreleasedNote], seed: int, advance: Advance) -> list[DaysLeft]:
    """Every rate of notes, with the counters as they are and in steps."""
    types = sorted({str(f.type) for source in sources for f in source.findings})
    counts = np.array([_counts(source, types) for source in sources], dtype=np.int32)
    rows = []
    for a_day in A_DAY:
        for step in STEPS:
            rows.append(_days(counts, a_day, step, random.Random(seed)))
            advance()
    return rows


def _counts(source: UnreleasedNote, types: Sequence[str]) -> list[int]:
    found = Counter(str(f.type) for f in source.findings)
    return [found[name] for name in types]


def _days(counts: Counts, a_day: int, step: int, rng: random.Random) -> DaysLeft:
    times = sorted(rng.randrange(DAYS * _SECONDS) for _ in range(DAYS * a_day))
    drawn = counts[[rng.randrange(len(counts)) for _ in times]]
    shown, alone, days = _increments(np.array(times), drawn, step)
    left = []
    for at in rng.sample(range(len(times)), min(_ASKED, len(times))):
        more = shown - drawn[at]
        may = (more >= 0).all(axis=1) & ~(alone & more.any(axis=1))
        left.append(len(np.unique(np.concatenate(list(days[may])))))
    name = "as they are" if step == 1 else f"in steps of {step} notes"
    return DaysLeft(name, a_day, len(left), sum(n == 1 for n in left), float(median(left)))


def _increments(
    times: NDArray[np.int64], drawn: Counts, step: int
) -> tuple[Counts, NDArray[np.bool_], NDArray[np.object_]]:
    """What grew between two scrapes, whether by one note, and the days when its notes came."""
    scrape = times // SCRAPE_S if step == 1 else np.arange(len(times)) // step
    firsts = np.flatnonzero(np.diff(scrape, prepend=-1))
    shown = np.add.reduceat(drawn, firsts, axis=0)
    lasts = np.append(firsts[1:], len(times)) - 1
    days = np.empty(len(firsts), dtype=np.object_)
    for n, (first, last) in enumerate(zip(times[firsts], times[lasts], strict=True)):
        days[n] = np.arange(first // _SECONDS, last // _SECONDS + 1)
    return shown, firsts == lasts, days
