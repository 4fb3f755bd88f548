"""Counts that add: a corpus' score is the sum of its notes' scores (spaCy's habit)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives of one question."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """Share of the predicted that is right; 1.0 where nothing was predicted."""
        return self.tp / (self.tp + self.fp) if self.tp + self.fp else 1.0

    @property
    def recall(self) -> float:
        """Share of the gold that was found; 1.0 where there is nothing to find."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1.0 where gold and prediction are empty."""
        total = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / total if total else 1.0


@dataclass(frozen=True, slots=True)
class Score:
    """What is known about one note or, added up, about many.

    `counts`: by question (`ner`, `token.B`, `type.PATIENT`, ... see `metrics`). `sums`: plain
    numbers that add: `notes`, `sentences`, `plain_tokens` (tokens outside all gold),
    `leaks.<group>` (gold spans with an uncovered word), `whole.<group>` (notes without a leak).
    """

    counts: dict[str, Counts] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: Score) -> Score:
        return total((self, other))

    def __getitem__(self, question: str) -> Counts:
        """The counts of `question`, all zero where it never arose."""
        return self.counts.get(question, Counts())

    def rate(self, name: str, per: str, scale: float = 1.0) -> float:
        """`sums[name] / sums[per] * scale`; 0.0 where the divisor is 0."""
        below = self.sums.get(per, 0)
        return scale * self.sums.get(name, 0) / below if below else 0.0


def total(scores: Iterable[Score]) -> Score:
    """The sum of many scores; the empty score for none."""
    counts: dict[str, Counts] = {}
    sums: dict[str, int] = {}
    for score in scores:
        for name, count in score.counts.items():
            counts[name] = counts.get(name, Counts()) + count
        for name, value in score.sums.items():
            sums[name] = sums.get(name, 0) + value
    return Score(counts, sums)
