"""The judge of pairs (`detect.pairs.judge`), trained on marked text.

Logistic regression (scikit-learn's liblinear) over the hashed features of `detect.pairs.evidence`.
The table that is printed holds out one author of pairs after the other (cross-validation), so it
says how the judge does on texts of somebody else. Writes `judge.json` and `figures.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from stream_deid import atomic
from stream_deid.detect.pairs.judge import Judge, hashed, read
from stream_deid.errors import Halt
from stream_deid.text.folding import folded
from stream_deid.training import recipe as recipes
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.run.fit import say
from stream_deid.training.scores.tables import markdown

FILE = "judge.json"
SHIPPED = Path(__file__).parents[2] / "detect" / "pairs" / "data"
THRESHOLDS = (0.1, 0.3, 0.5, 0.7)
NO_DAY = "QUANTITY"
"""The mark of a pair that is no day: the one mark of a corpus that is no type."""

_DATES = frozenset({"DATE", "FECHAS"})


@dataclass(frozen=True, slots=True)
class PairSettings:
    """`notes`: whole notes, in which what is marked as a date is a day, as another identifier is
    left out, and any other pair is none. `pairs`: texts in which both kinds are marked and the
    unmarked left out; each counts `weight` times. `bits`: the model has 2**bits weights;
    `c`: the inverse of its regularisation.
    """

    language: str
    notes: tuple[str, ...]
    pairs: tuple[str, ...]
    weight: float = 1.5
    bits: int = 15
    c: float = 0.5


@dataclass(frozen=True, slots=True)
class PairSample:
    """Features [n, 2**bits] of n pairs, which of them are days [n], their authors [n] (empty: of
    whole notes).
    """

    rows: csr_matrix
    days: NDArray[np.bool_]
    authors: NDArray[np.str_]


def sources(settings: PairSettings, data: Path) -> tuple[list[AnnotatedNote], list[AnnotatedNote]]:
    """The notes that are marked whole, and the texts in which pairs alone are."""
    pairs = recipes.load_all(settings.pairs, data, {NO_DAY})
    return recipes.load_all(settings.notes, data), pairs


def train(path: Path, out: Path, data: Path) -> None:
    """Run a recipe of the system "pairs"; see the module."""
    settings = recipes.settings(PairSettings, recipes.read(path)["data"], "data")
    sample = gather(*sources(settings, data), settings)
    say(f"{len(sample.days)} pairs, {int(sample.days.sum())} of them days")
    table = cross_validated(sample, settings)
    say(table)
    out.mkdir(parents=True, exist_ok=True)
    judge = fitted(sample, settings, np.full(len(sample.days), fill_value=True))
    body = {"language": settings.language, **judge.to_json()}
    atomic.write(out / FILE, json.dumps(body) + "\n")
    atomic.write(out / "figures.json", json.dumps({"cross-validated": table}))


def gather(
    notes: Sequence[AnnotatedNote], marked: Sequence[AnnotatedNote], settings: PairSettings
) -> PairSample:
    """The pairs of whole notes, and those of texts that mark them."""
    places: list[int] = []
    ends, days, authors = [0], [], []
    for note, whole in [*((one, True) for one in notes), *((one, False) for one in marked)]:
        author = "" if whole else note.id.partition("-")[0]
        for is_day, features in examples(note, whole=whole):
            places += hashed(features, settings.bits)
            ends.append(len(places))
            days.append(is_day)
            authors.append(author)
    shape = len(days), 1 << settings.bits
    rows = csr_matrix((np.ones(len(places)), places, ends), shape=shape)
    return PairSample(rows, np.array(days, dtype=bool), np.array(authors, dtype=str))


def examples(note: AnnotatedNote, *, whole: bool) -> Iterator[tuple[bool, list[str]]]:
    """Whether each pair is a day, and its features; of those that count, as `PairSettings` says.

    A score that is too high for a month ("MMSE 24/30") is shown with a lower one ("MMSE 1/30").
    """
    seen = folded(note.text)
    (text,) = read([seen], note.language)
    for at, pair in enumerate(text.pairs):
        labels = _labels(note, pair.start, pair.end)
        if labels & _DATES or (whole and not labels) or (not whole and labels):
            yield bool(labels & _DATES), text.features(at)
    for found in _SCORE.finditer(seen):
        start, end = found.span()
        if _labels(note, start, end) == (set() if whole else {NO_DAY}):
            lower = f"{int(found[1]) % _MONTHS + 1}/{found[2]}"
            (text,) = read([seen[:start] + lower + seen[end:]], note.language)
            yield from (
                (False, text.features(at)) for at, p in enumerate(text.pairs) if p.start == start
            )


_SCORE = re.compile(r"(?<![\w/.,:$+#-])(1[3-9]|[2-9]\d)/([1-9]|[12]\d|3[01])(?![\w/+]|[.,:-]\d)")
_MONTHS = 12


def _labels(note: AnnotatedNote, start: int, end: int) -> set[str]:
    return {label for a, b, label in note.spans if a < end and start < b}


def fitted(sample: PairSample, settings: PairSettings, of: NDArray[np.bool_]) -> Judge:
    """The judge that the pairs `of` a sample teach."""
    weight = np.where(sample.authors == "", 1.0, settings.weight)
    learner = LogisticRegression(C=settings.c, max_iter=400, solver="liblinear")
    learner.fit(sample.rows[of], sample.days[of], sample_weight=weight[of])
    weights = learner.coef_[0].astype(np.float16)
    return Judge(settings.bits, float(learner.intercept_[0]), weights)


def cross_validated(sample: PairSample, settings: PairSettings) -> str:
    """Markdown: days missed and others taken of each author, by a judge that hasn't read them."""
    rows = []
    for author in sorted(set(sample.authors.tolist()) - {""}):
        held = sample.authors == author
        judge = fitted(sample, settings, ~held)
        odds = judge.bias + sample.rows[held] @ judge.weights.astype(np.float64)
        said, days = 1.0 / (1.0 + np.exp(-odds)), sample.days[held]
        auc = roc_auc_score(days, said) if len(set(days.tolist())) > 1 else float("nan")
        figures = (
            f"{np.mean(said[days] < at):.3f} / {np.mean(said[~days] >= at):.3f}"
            for at in THRESHOLDS
        )
        rows.append([author, str(int(held.sum())), f"{auc:.3f}", *figures])
    heads = [f"missed / taken at {at}" for at in THRESHOLDS]
    return markdown(["author", "pairs", "AUC", *heads], rows)


def export(path: Path, run: Path) -> Path:
    """Hand a run to the detectors: it is part of the program. Returns the file.

    Raises `Halt("export.run")` where the run has no judge.
    """
    language = recipes.settings(PairSettings, recipes.read(path)["data"], "data").language
    if not (run / FILE).is_file():
        raise Halt("export.run", f"{run} holds no {FILE}: was it trained to its end?")
    target = SHIPPED / f"{language}.json"
    atomic.write(target, (run / FILE).read_text("utf-8"))
    return target
