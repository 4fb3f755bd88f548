"""Agreement of two marked versions of the same notes (nference 2021, supplement, steps 1 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stream_deid.errors import Halt
from stream_deid.labels import label_type
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.scores.metrics import words_of


@dataclass(frozen=True, slots=True)
class Agreement:
    """Words that both, one or none took for an identifier (supplementary table 5)."""

    both: int
    first: int
    second: int
    none: int

    @property
    def observed(self) -> float:
        """The share of words on which they agree."""
        return (self.both + self.none) / max(1, self._all)

    @property
    def kappa(self) -> float:
        """Cohen's kappa; 1 where they agree on everything."""
        n = max(1, self._all)
        yes = (self.both + self.first) / n * (self.both + self.second) / n
        no = (self.none + self.second) / n * (self.none + self.first) / n
        chance = yes + no
        return 1.0 if chance == 1 else (self.observed - chance) / (1 - chance)

    @property
    def _all(self) -> int:
        return self.both + self.first + self.second + self.none


def agreement(one: Sequence[AnnotatedNote], other: Sequence[AnnotatedNote]) -> Agreement:
    """Every type counts as one (step 1). Raises `Halt("agree.notes")` where texts differ."""
    second = {note.id: note for note in other}
    counts = [0, 0, 0, 0]
    for note in one:
        match = second.get(note.id)
        if match is None or match.text != note.text:
            raise Halt("agree.notes", f"{note.id} is not the same text in both versions")
        for a, b in words_of(note.text, 0, len(note.text)):
            hits = [_hit(version, a, b) for version in (note, match)]
            counts[(0 if hits[1] else 1) if hits[0] else (2 if hits[1] else 3)] += 1
    return Agreement(*counts)


def _hit(note: AnnotatedNote, start: int, end: int) -> bool:
    return any(a < end and start < b and label_type(label) for a, b, label in note.spans)
