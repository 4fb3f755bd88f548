"""Score a model without a server: the core's windows and decoding around any emitter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from stream_deid.detect.models import ModelSpec, decode, windows
from stream_deid.note import Detection, Window
from stream_deid.training.corpora import AnnotatedNote
from stream_deid.training.evaluate.counts import Score
from stream_deid.training.evaluate.metrics import Mark, marks, score_note

Emitter = Callable[[Sequence[Window]], list[NDArray[np.float32]]]
"""Windows to their scores, each [len(window), n_tags]."""

_NOTES_AT_ONCE = 32


def gold_marks(note: AnnotatedNote) -> list[Mark]:
    """The gold of a note as marks."""
    return [Mark(*span) for span in note.spans]


def predict(
    spec: ModelSpec, emit: Emitter, notes: Sequence[AnnotatedNote]
) -> list[list[Detection]]:
    """What the model detects in each note."""
    found = []
    for at in range(0, len(notes), _NOTES_AT_ONCE):
        some = notes[at : at + _NOTES_AT_ONCE]
        cut = [windows(spec, 0, note.text) for note in some]
        scores = iter(emit([w for ws in cut for w in ws]))
        for note, ws in zip(some, cut, strict=True):
            found.append(decode(spec, note.text, ws, [next(scores) for _ in ws]))
    return found


def score_notes(
    notes: Sequence[AnnotatedNote],
    found: Sequence[Sequence[Detection]],
    *,
    seen: frozenset[str] = frozenset(),
) -> list[Score]:
    """One score a note; Spanish notes by MEDDOCAN's labels, others by type."""
    return [
        score_note(note.text, gold_marks(note), marks(f, meddocan=note.language == "es"), seen=seen)
        for note, f in zip(notes, found, strict=True)
    ]
