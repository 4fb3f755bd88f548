"""Training notes drawn anew in every epoch, so that a model learns places and not values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stream_deid.training.data.augment import Augmenter, Augmenting
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.data.gazetteers import Gazetteers

EpochNotes = Callable[[int], list[AnnotatedNote]]
"""The notes of an epoch by its number."""


@dataclass(frozen=True, slots=True)
class CorpusAugmenting(Augmenting):
    """The `[augment]` table of a recipe for whole corpora.

    `sources`: the corpora whose notes are varied (all, where empty); `copies`: variants of
    each of their notes in an epoch.
    """

    sources: tuple[str, ...] = ()
    copies: int = 1


def varied(
    fixed: Sequence[AnnotatedNote],
    notes: Sequence[AnnotatedNote],
    augmenting: CorpusAugmenting,
    seed: int,
    data: Path,
) -> EpochNotes:
    """The `fixed` notes and variants of `notes` for each epoch, drawn from `seed`.

    Values come from the gazetteers in `data`.
    """
    augmenter = Augmenter(notes, Gazetteers(data / "gazetteers"), augmenting, seed)

    def epoch_notes(epoch: int) -> list[AnnotatedNote]:
        draws = range(epoch * augmenting.copies, (epoch + 1) * augmenting.copies)
        return [*fixed, *(augmenter.draw(note, draw) for draw in draws for note in notes)]

    return epoch_notes
