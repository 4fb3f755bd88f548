"""The recurrence attack: how often a name stands in a patient's file betrays what kind it is.

The attacker knows the strategy and counts the words of names over all notes of a patient
(Osborne et al. 2025, Electronics 14(19):3945, sections 1.2 and 2.2.3):

`recurs`: a name with a word that stands more than once is a leak. Surrogates that are drawn
afresh hardly recur, originals do.
`odd one out`: a name all of whose words stand once, in a file in which others recur, is a leak.
Consistent surrogates recur, the one mention that was missed does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from stream_deid.attack.outcome import Advance, Cell, Outcome
from stream_deid.attack.parrot import RATES, strategies
from stream_deid.attack.release import (
    ReleasedNote,
    ShownIdentifier,
    UnreleasedNote,
    draw,
    engine,
    release_all,
    replaceable,
)
from stream_deid.labels import PERSONS
from stream_deid.surrogate.names.affixes import parts_of

RECURS, ODD = "recurs", "odd one out"


def attack(
    sources: Sequence[UnreleasedNote], key: bytes, seed: int, p: float, advance: Advance
) -> list[Cell]:
    """Both rules on every strategy and miss rate; the notes of a patient stand together."""
    makers = {name: engine(name, key) for name in strategies(p)}
    places = replaceable(makers["consistent"], sources)
    cells = []
    for rate in RATES:
        leaks = draw(places, rate, seed)
        for name, maker in makers.items():
            notes = release_all(maker, sources, leaks)
            judged = [row for _, own in groupby(notes, lambda n: n.file) for row in judge(own)]
            for rule in (RECURS, ODD):
                outcome = Outcome.of((leaked, flags[rule]) for leaked, flags in judged)
                cells.append(Cell(rule, name, rate, outcome))
            advance()
    return cells


def judge(notes: Iterable[ReleasedNote]) -> list[tuple[bool, dict[str, bool]]]:
    """(leaked, flagged by each rule) of each name of one patient's notes."""
    names = [
        (shown.leaked, _words(note, shown))
        for note in notes
        for shown in note.shown
        if shown.type in PERSONS
    ]
    counts = Counter(word for _, words in names for word in words)
    contrast = any(n > 1 for n in counts.values())
    return [
        (leaked, {
            RECURS: any(counts[w] > 1 for w in words),
            ODD: contrast and all(counts[w] == 1 for w in words),
        })
        for leaked, words in names
    ]  # fmt: skip


def _words(note: ReleasedNote, shown: ShownIdentifier) -> frozenset[str]:
    return frozenset(w.key for w in parts_of(note.text[shown.start : shown.end]))
