"""Choosing what serves: recall and precision on development notes over `o_bias` and weights.

`stream-deid choose GOLD MODEL[,MODEL...] [--weights 1,0.5] [--by-type BIAS]`

The scores of a model are computed once; decoding is then cheap enough to try many settings,
alone and in union with the pattern detectors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from stream_deid.detect.neural.decoding import decode
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.training import recipe as recipes
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import by_type
from stream_deid.training.evaluate.systems import patterns as found_by_patterns
from stream_deid.training.run.engines import engine, with_bias
from stream_deid.training.scores.counts import Score, total
from stream_deid.training.scores.metrics import marks, score_note
from stream_deid.training.scores.offline import Engine, gold_marks, readings
from stream_deid.training.scores.tables import markdown

BIASES = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
QUESTIONS = {
    "en": ("token.B", "token.all", "ner"),
    "es": ("ner", "span", "span.merged", "token.all"),
}


class Scored:
    """Notes with what the patterns and each of the pooled models say of them."""

    def __init__(self, notes: Sequence[AnnotatedNote], *engines: Engine) -> None:
        self.notes = list(notes)
        self.said = list(zip(*(readings(one, notes) for one in engines), strict=True))
        self.matched = found_by_patterns(notes)

    def score(
        self,
        o_bias: float,
        weights: Sequence[float] = (),
        *,
        patterns: bool = False,
        type_bias: Mapping[PhiType, float] | None = None,
    ) -> Score:
        """The score over all notes at one bias; without `weights`, those of the models."""
        return total(self._notes(o_bias, weights, type_bias or {}, patterns=patterns))

    def _notes(
        self,
        o_bias: float,
        weights: Sequence[float],
        type_bias: Mapping[PhiType, float],
        *,
        patterns: bool,
    ) -> Iterator[Score]:
        for note, said, matched in zip(self.notes, self.said, self.matched, strict=True):
            shares = weights or [reading.model.weight for reading in said]
            pool = [
                replace(r, model=with_bias(replace(r.model, weight=w), o_bias, type_bias))
                for r, w in zip(said, shares, strict=True)
            ]
            joined = vote(note.text, [*decode(note.text, pool), *(matched if patterns else ())])
            found = marks(joined, meddocan=note.language == "es")
            yield score_note(note.text, gold_marks(note), found)


def table(scored: Scored, weights: Sequence[float] = (), biases: Sequence[float] = BIASES) -> str:
    """Markdown: recall, precision and F1 by `o_bias`, alone and with patterns."""
    questions = QUESTIONS[scored.notes[0].language]
    header = ["o_bias", "with patterns", *(f"{q} R / P / F1" for q in questions)]
    rows = []
    for patterns in (False, True):
        for bias in biases:
            score = scored.score(bias, weights, patterns=patterns)
            cells = [score[q] for q in questions]
            numbers = [f"{c.recall:.4f} / {c.precision:.4f} / {c.f1:.4f}" for c in cells]
            rows.append([f"{bias:g}", "yes" if patterns else "no", *numbers])
    return markdown(header, rows)


def main(gold: str, pool: str, weights: str, data: Path, by_type_at: float | None = None) -> int:
    """Print the table of one model or pool (`run.engines.engine` says how to name them), or
    search a bias for each type at one `o_bias`, patterns included.
    """
    notes = recipes.load_all(tuple(gold.split(",")), data)
    scored = Scored(notes, *(engine(one, data) for one in pool.split(",")))
    try:
        shares = [float(w) for w in weights.split(",")] if weights else []
    except ValueError:
        raise Halt("choose.weights", "weights are numbers joined by commas") from None
    if shares and len(shares) != len(pool.split(",")):
        raise Halt("choose.weights", "as many weights as models")
    if by_type_at is None:
        sys.stdout.write(table(scored, shares))
        return 0
    found, rows = by_type.search(
        lambda bias: scored.score(by_type_at, shares, patterns=True, type_bias=bias)
    )
    sys.stdout.write(by_type.table(rows))
    settings = ", ".join(f"{phi} = {bias:g}" for phi, bias in found.items())
    sys.stdout.write(f"\ntype_bias = {{ {settings} }}\n")
    return 0
