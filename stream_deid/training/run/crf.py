"""The feature CRF of Dernoncourt et al. 2017, section 2.1, on CRFsuite (Okazaki 2007).

Trained by L-BFGS with an L1 and an L2 penalty; the L1 penalty keeps the model small. A run's
folder holds `model.crfsuite` and `figures.json`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pycrfsuite

from stream_deid import atomic
from stream_deid.detect.neural.crf_knowledge import Families
from stream_deid.detect.neural.feature_crf import FeatureCrf, observed, weights
from stream_deid.errors import Halt
from stream_deid.text import bio
from stream_deid.text.tokens import tokenize
from stream_deid.training import recipe as recipes
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.data.epochs import CorpusAugmenting, varied
from stream_deid.training.run.fit import say
from stream_deid.training.run.tagger import describe, summary, unify
from stream_deid.training.scores.counts import total
from stream_deid.training.scores.offline import score_notes

MODEL = "model.crfsuite"
_NO_FAMILIES = Families()


@dataclass(frozen=True, slots=True)
class Penalties:
    """The `[crf]` table of a recipe; `draws`: variants of each note beside the note itself."""

    l1: float = 0.1
    l2: float = 0.01
    iterations: int = 120
    draws: int = 0
    seed: int = 1


def fit_crf(
    notes: Sequence[AnnotatedNote],
    model: Path,
    penalties: Penalties,
    families: Families = _NO_FAMILIES,
) -> None:
    """Train on the notes and write the model."""
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": penalties.l1,
            "c2": penalties.l2,
            "max_iterations": penalties.iterations,
            "feature.possible_transitions": True,
        }
    )
    names = bio.tag_names(sorted({label for n in notes for _, _, label in n.spans}))
    for note in notes:
        tokens = tokenize(note.text)
        if len(tokens):
            tags = bio.encode(tokens.starts, tokens.ends, note.spans, names)
            trainer.append(observed(note.text, tokens, families), [names[t] for t in tags.tolist()])
    with atomic.beside(model) as part:
        trainer.train(str(part))


def train(recipe: str | Path, out: Path, data: Path) -> None:
    """Train by a recipe; a model that is there is only scored again."""
    table = recipes.read(recipes.find(recipe))
    penalties = recipes.settings(Penalties, table.get("crf", {}), "crf")
    families = recipes.settings(Families, table.get("features", {}), "features")
    sources = recipes.settings(recipes.Data, table["data"], "data")
    out.mkdir(parents=True, exist_ok=True)
    model = out / MODEL
    if not model.exists():
        notes = [unify(n) for n in recipes.train_notes(sources, data)]
        notes += _drawn(notes, penalties, table, data)
        say(f"{len(notes)} notes")
        fit_crf(notes, model, penalties, families)
    crf = FeatureCrf(model.read_bytes())
    figures = {}
    for source in sources.dev:
        dev = recipes.load(source, data)
        score = total(score_notes(dev, [crf.detect(n.text) for n in dev]))
        say(f"{source} {describe(score)}")
        figures[source] = summary(score)
    atomic.write(out / "figures.json", json.dumps(figures, indent=1) + "\n")


def _drawn(
    notes: Sequence[AnnotatedNote], penalties: Penalties, table: dict[str, Any], data: Path
) -> list[AnnotatedNote]:
    if not penalties.draws:
        return []
    augmenting = recipes.settings(CorpusAugmenting, table.get("augment", {}), "augment")
    vary = varied((), notes, augmenting, penalties.seed, data)
    return [note for draw in range(penalties.draws) for note in vary(draw)]


def export(path: Path, run: Path) -> Path:
    """Hand a run to the detectors as the CRF of its language: it is part of the program. Returns
    the file.

    Raises `Halt`: `export.run` where the run holds no weights, `export.language` where it learned
    more than one language.
    """
    sources = recipes.settings(recipes.Data, recipes.read(path)["data"], "data")
    languages = {source.split(":")[1] for source in sources.train}
    if len(languages) != 1:
        raise Halt("export.language", f"a CRF is of one language, this one of {sorted(languages)}")
    try:
        model = (run / MODEL).read_bytes()
        FeatureCrf(model)
    except (OSError, ValueError):
        raise Halt("export.run", f"{run} holds no {MODEL}: was it trained to its end?") from None
    target = Path(str(weights(languages.pop())))
    atomic.write(target, model)
    return target
