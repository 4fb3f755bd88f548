"""Surrogate twins of marked notes: other values in the same text, marked where they then stand."""

from __future__ import annotations

from collections.abc import Sequence

from stream_deid.attack.release import of_marked
from stream_deid.surrogate import Surrogates, map_offset, rewrite
from stream_deid.training.data.corpora import AnnotatedNote

VERSIONS = ORIGINALS, SURROGATES = "originals", "surrogates"


def versions(maker: Surrogates, notes: Sequence[AnnotatedNote]) -> dict[str, list[AnnotatedNote]]:
    """The notes as they are and their twins, in the same order."""
    return {ORIGINALS: list(notes), SURROGATES: [twin(maker, note) for note in notes]}


def twin(maker: Surrogates, note: AnnotatedNote) -> AnnotatedNote:
    """The note with every marked identifier replaced; the note is a patient of its own.

    Marks keep their labels and order and hold the surrogates exactly; neutral ones move with
    their text. Raises `Halt("edit.order")` where marked identifiers overlap.
    """
    source = of_marked(note)
    (edits,) = maker.edits(source.note, [source.findings])
    spans = [
        (map_offset(edits, start), map_offset(edits, end), label)
        for start, end, label in note.spans
    ]
    text = rewrite(note.text, edits)
    return AnnotatedNote(note.id, text, tuple(spans), note.language, note.note_type)
