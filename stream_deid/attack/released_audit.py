"""What the released audit tells of leaks: a reader who marks all that looks like an identifier, and
has the audit record of each note beside it.

`places`: what he marks and the audit doesn't name is a leak. `counts`: he counts by type; where he
sees more than the audit counts, all of that type in the note may be leaks. `no audit`: all that he
marks may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from stream_deid.attack.outcome import Advance, Cell, Outcome
from stream_deid.attack.release import (
    ReleasedNote,
    UnreleasedNote,
    draw,
    engine,
    release_all,
    replaceable,
)

RATES = (0.001, 0.01, 0.05)
Flags = Callable[[ReleasedNote], list[bool]]


def attack(
    sources: Sequence[UnreleasedNote], key: bytes, seed: int, advance: Advance
) -> list[Cell]:
    """Every audit and miss rate, leaks drawn at random, surrogates consistent."""
    maker = engine("consistent", key)
    places = replaceable(maker, sources)
    cells = []
    for rate in RATES:
        released = release_all(maker, sources, draw(places, rate, seed))
        for name, flags in VIEWS:
            judged = (
                (shown.leaked, flagged)
                for note in released
                for shown, flagged in zip(note.shown, flags(note), strict=True)
            )
            cells.append(Cell(name, "consistent", rate, Outcome.of(judged)))
        advance()
    return cells


def _by_place(note: ReleasedNote) -> list[bool]:
    return [shown.leaked for shown in note.shown]


def _by_count(note: ReleasedNote) -> list[bool]:
    seen = Counter(shown.type for shown in note.shown)
    told = Counter(shown.type for shown in note.shown if not shown.leaked)
    return [seen[shown.type] > told[shown.type] for shown in note.shown]


def _by_nothing(note: ReleasedNote) -> list[bool]:
    return [True] * len(note.shown)


VIEWS: tuple[tuple[str, Flags], ...] = (
    ("no audit", _by_nothing),
    ("counts by type", _by_count),
    ("places", _by_place),
)
