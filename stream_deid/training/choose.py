"""Choosing what serves: recall and precision on development notes over `o_bias` and engines.

The logits of a model are computed once for each engine; decoding is then cheap enough to try
many settings, alone and in union with the pattern detectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from torch import nn

from stream_deid.detect.models import ModelSpec, decode, windows
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.vote import vote
from stream_deid.note import Note, Part
from stream_deid.training.corpora import AnnotatedNote
from stream_deid.training.evaluate.counts import Score, total
from stream_deid.training.evaluate.metrics import marks, score_note
from stream_deid.training.evaluate.offline import Emitter, gold_marks
from stream_deid.training.evaluate.tables import markdown
from stream_deid.training.progress_score import score_windows

BIASES = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
QUESTIONS = {
    "en": ("token.B", "token.all", "ner"),
    "es": ("ner", "span", "span.merged", "token.all"),
}


class Scored:
    """Notes with their windows and the logits of one engine."""

    def __init__(self, spec: ModelSpec, notes: Sequence[AnnotatedNote], emit: Emitter) -> None:
        self.spec, self.notes = spec, list(notes)
        self.windows = [windows(spec, 0, note.text) for note in notes]
        scores = iter(emit([w for ws in self.windows for w in ws]))
        self.scores = [[next(scores) for _ in ws] for ws in self.windows]
        self._patterns: dict[str, Patterns] = {}

    def score(self, o_bias: float, *, patterns: bool = False) -> Score:
        """The score over all notes at one bias."""
        spec = replace(self.spec, o_bias=o_bias)
        return total(self._notes(spec, patterns=patterns))

    def _notes(self, spec: ModelSpec, *, patterns: bool) -> Iterator[Score]:
        for note, found, scores in zip(self.notes, self.windows, self.scores, strict=True):
            detections = decode(spec, note.text, found, scores)
            if patterns:
                rules = self._rules(note.language)
                whole = Note("", "", (Part(note.text),), note.language)
                detections = [*detections, *rules.detect(note.text, whole)]
            joined = vote(note.text, detections)
            said = marks(joined, meddocan=note.language == "es")
            yield score_note(note.text, gold_marks(note), said)

    def _rules(self, language: str) -> Patterns:
        if language not in self._patterns:
            self._patterns[language] = Patterns(language)
        return self._patterns[language]


def table(scored: Scored, biases: Sequence[float] = BIASES) -> str:
    """Markdown: recall, precision and F1 by `o_bias`, alone and with patterns."""
    questions = QUESTIONS["es" if "es" in scored.spec.languages else "en"]
    header = ["o_bias", "with patterns", *(f"{q} R / P / F1" for q in questions)]
    rows = []
    for patterns in (False, True):
        for bias in biases:
            score = scored.score(bias, patterns=patterns)
            cells = [score[q] for q in questions]
            numbers = [f"{c.recall:.4f} / {c.precision:.4f} / {c.f1:.4f}" for c in cells]
            rows.append([f"{bias:g}", "yes" if patterns else "no", *numbers])
    return markdown(header, rows)


def torch_emitter(model: nn.Module, pad: int) -> Emitter:
    """Scores through torch, as trained."""
    model.eval()
    return lambda found: score_windows(model, found, pad)
