"""Score a model without a server: the core's windows and decoding around any emitter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stream_deid.detect.neural.decoding import Reading, decode
from stream_deid.detect.neural.model_windows import ModelSpec, windows
from stream_deid.detect.neural.passages import Decoder
from stream_deid.note import Detection, Window
from stream_deid.text.readings import plain
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.scores.counts import Score
from stream_deid.training.scores.metrics import Mark, marks, score_note

Emitter = Callable[[Sequence[Window]], list[NDArray[np.float32]]]
"""Windows to their scores, each [len(window), n_tags]."""

Engine = tuple[ModelSpec, Emitter]
"""A model and what scores its windows."""

_NOTES_AT_ONCE = 32


def gold_marks(note: AnnotatedNote) -> list[Mark]:
    """The gold of a note as marks."""
    return [Mark(*span) for span in note.spans]


def readings(engine: Engine, notes: Sequence[AnnotatedNote]) -> Iterator[Reading]:
    """What one model says of each note."""
    spec, emit = engine
    for at in range(0, len(notes), _NOTES_AT_ONCE):
        cut = [windows(spec, 0, note.text) for note in notes[at : at + _NOTES_AT_ONCE]]
        scores = iter(emit([w for ws in cut for w in ws]))
        for ws in cut:
            yield Reading(spec, ws, [next(scores) for _ in ws])


def predict(
    notes: Sequence[AnnotatedNote], *engines: Engine, decoder: Decoder = decode
) -> list[list[Detection]]:
    """What one model, or several together, detect in each note and in its plain reading."""
    found = _decoded(notes, engines, decoder)
    plains = [(i, r) for i, n in enumerate(notes) if (r := plain(n.text)) and r.text]
    shadows = [replace(notes[i], text=reading.text, spans=()) for i, reading in plains]
    for (i, reading), more in zip(plains, _decoded(shadows, engines, decoder), strict=True):
        found[i] += map(reading.moved, more)
    return found


def _decoded(
    notes: Sequence[AnnotatedNote], engines: Sequence[Engine], decoder: Decoder
) -> list[list[Detection]]:
    said = zip(*(readings(engine, notes) for engine in engines), strict=True)
    return [decoder(note.text, of_note) for note, of_note in zip(notes, said, strict=True)]


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
