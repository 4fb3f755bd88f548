"""What consistency counts: figures of one block of patients, that add up to those of a cohort."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Share:
    """`kept` of `total`."""

    kept: int = 0
    total: int = 0

    def add(self, *, kept: bool) -> None:
        self.kept += kept
        self.total += 1

    def absorb(self, other: Share) -> None:
        self.kept += other.kept
        self.total += other.total


@dataclass(slots=True)
class Consistency:
    """The figures of a cohort.

    `same`: share of things that both notes mention which have one surrogate, by kind.
    `merged_in_note`, `merged_over_notes`: pairs of different name parts of one patient with one
    surrogate, of all such pairs, by where they stand. `merged_people`: likewise whole names.
    `intervals`: pairs of dates of a patient whose distance in days is kept.
    `spans`: by kind. `own`, `shown`: those whose value stands in their replacement, or in the note.
    `names`, `numbers`: patients by (original, surrogate) of their name and record number.
    """

    patients: int = 0
    generalised: int = 0
    same: dict[str, Share] = field(default_factory=dict)
    merged_in_note: Share = field(default_factory=Share)
    merged_over_notes: dict[str, Share] = field(default_factory=dict)
    merged_people: Share = field(default_factory=Share)
    intervals: Share = field(default_factory=Share)
    spans: Counter[str] = field(default_factory=Counter)
    own: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    names: Counter[tuple[str, str]] = field(default_factory=Counter, repr=False)
    numbers: Counter[tuple[str, str]] = field(default_factory=Counter, repr=False)

    def absorb(self, other: Consistency) -> None:
        """Add the figures of other patients."""
        self.patients += other.patients
        self.generalised += other.generalised
        self.merged_in_note.absorb(other.merged_in_note)
        self.merged_people.absorb(other.merged_people)
        self.intervals.absorb(other.intervals)
        _absorb_kinds(self.same, other.same)
        _absorb_kinds(self.merged_over_notes, other.merged_over_notes)
        self.spans.update(other.spans)
        self.own.update(other.own)
        self.shown.update(other.shown)
        self.names.update(other.names)
        self.numbers.update(other.numbers)

    @property
    def shared_names(self) -> tuple[int, int]:
        """Pairs of patients with one name (before, after) replacement."""
        return _pairs(self.names, 0), _pairs(self.names, 1)

    @property
    def shared_numbers(self) -> tuple[int, int]:
        """Pairs of patients with one record number (before, after) replacement."""
        return _pairs(self.numbers, 0), _pairs(self.numbers, 1)

    @property
    def same_to_same(self) -> int:
        """Pairs of patients with one real name that also share the surrogate."""
        return sum(n * (n - 1) // 2 for n in self.names.values())


def _absorb_kinds(own: dict[str, Share], other: dict[str, Share]) -> None:
    for kind, share in other.items():
        own.setdefault(kind, Share()).absorb(share)


def _pairs(values: Counter[tuple[str, str]], side: int) -> int:
    """Pairs of patients that share a value: `side` 0 before replacement, 1 after."""
    counts: Counter[str] = Counter()
    for value, n in values.items():
        counts[value[side]] += n
    return sum(n * (n - 1) // 2 for n in counts.values())
