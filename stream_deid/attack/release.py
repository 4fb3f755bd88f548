"""Notes released with injected leaks: some identifiers are not found and so stay as they are.

Everything else about a release is the engine's: the leaks are left out of its findings. The
look-again step of the pipeline, which catches some misses, is left out too, so that a miss rate
is what leaves the service.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from stream_deid.attack.cohort import DETECTOR, Written
from stream_deid.labels import PhiType, label_type
from stream_deid.note import Edit, Finding, Note, Part
from stream_deid.surrogate import Policy, Surrogates, map_offset, rewrite
from stream_deid.training.data.corpora import AnnotatedNote

Place = tuple[int, int]
"""A finding: number of the source, number of the finding in it."""
UNCHANGING = frozenset({"keep", "tag"})
_SHIFTED = frozenset({PhiType.DATE, PhiType.AGE})  # no strategy may break their intervals


@dataclass(frozen=True, slots=True)
class UnreleasedNote:
    """A note before release, of one part, with everything that should be found, in order."""

    note: Note = field(repr=False)
    findings: tuple[Finding, ...]

    @property
    def text(self) -> str:
        return self.note.parts[0].text


@dataclass(frozen=True, slots=True)
class ShownIdentifier:
    """An identifier in a released text: `[start, end)`, a leak or a surrogate."""

    start: int
    end: int
    type: PhiType
    leaked: bool


@dataclass(frozen=True, slots=True)
class ReleasedNote:
    """A released note; `file` is the patient as the receiver knows him."""

    file: str
    text: str = field(repr=False)
    shown: tuple[ShownIdentifier, ...]


def of_marked(note: AnnotatedNote) -> UnreleasedNote:
    """A hand-written note, each a patient of its own; neutral labels are no identifiers."""
    typed = [(start, end, label_type(label)) for start, end, label in note.spans]
    found = tuple(Finding(a, b, phi, (DETECTOR,)) for a, b, phi in typed if phi is not None)
    return UnreleasedNote(Note(note.id, note.id, (Part(note.text),), note.language), found)


def of_written(written: Written) -> UnreleasedNote:
    """A note of a cohort."""
    return UnreleasedNote(written.note, written.findings)


def engine(strategy: str, key: bytes) -> Surrogates:
    """Surrogates by one strategy (`consistent`, `markov(p)`, `random`) for every type but dates
    and ages; raises `Halt` for a strategy that isn't one.
    """
    strategies = {str(phi): strategy for phi in PhiType if phi not in _SHIFTED}
    return Surrogates(Policy.named(overrides={"strategies": strategies}), key)


def replaceable(maker: Surrogates, sources: Sequence[UnreleasedNote]) -> list[Place]:
    """The findings that get a believable surrogate: those that can leak unseen. An edit beside
    them (a zone of time, a day of the week that goes with its date) is none.
    """
    return [
        (number, numbers[edit.finding.start])
        for number, source in enumerate(sources)
        for numbers in [{finding.start: at for at, finding in enumerate(source.findings)}]
        for edit in _edits(maker, source, source.findings)
        if edit.strategy not in UNCHANGING and edit.finding.start in numbers
    ]


def draw(places: Sequence[Place], rate: float, seed: int) -> frozenset[Place]:
    """A share `rate` of the places, at random."""
    return frozenset(random.Random(f"leaks:{seed}").sample(places, round(rate * len(places))))


def release(maker: Surrogates, source: UnreleasedNote, missed: Collection[int]) -> ReleasedNote:
    """The note with all findings replaced but those whose numbers are `missed`."""
    found = [f for at, f in enumerate(source.findings) if at not in missed]
    edits = _edits(maker, source, found)
    shown = [
        ShownIdentifier(e.out_start, e.out_end, e.finding.type, leaked=False)
        for e in edits
        if e.strategy not in UNCHANGING
    ]
    for at in missed:
        finding = source.findings[at]
        start = map_offset(edits, finding.start)
        end = start + finding.end - finding.start
        shown.append(ShownIdentifier(start, end, finding.type, leaked=True))
    shown.sort(key=lambda s: s.start)
    return ReleasedNote(source.note.patient_id, rewrite(source.text, edits), tuple(shown))


def release_all(
    maker: Surrogates, sources: Sequence[UnreleasedNote], leaks: Collection[Place]
) -> list[ReleasedNote]:
    """Every note, with its share of the leaks."""
    missed: dict[int, set[int]] = {}
    for number, at in leaks:
        missed.setdefault(number, set()).add(at)
    return [release(maker, s, missed.get(n, set())) for n, s in enumerate(sources)]


def _edits(maker: Surrogates, source: UnreleasedNote, found: Sequence[Finding]) -> tuple[Edit, ...]:
    (edits,) = maker.edits(source.note, [found])
    return edits
