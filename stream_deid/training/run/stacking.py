"""Fit the second opinion of `detect.stacking` on notes that the pooled models have not seen.

Models of earlier rounds read the notes that were written after them; boosted trees
(scikit-learn's histogram gradient boosting) learn from their scores and `detect.evidence` which
words are identifiers. The table that is printed holds out notes (cross-validation), so it says
what the trees add on notes that nothing has seen. Writes `stacking.json` and `figures.json`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from stream_deid import atomic
from stream_deid.detect.neural.decoding import Reading, digest, joint_opinion
from stream_deid.detect.neural.evidence import WordCounts, evidence, is_word
from stream_deid.detect.neural.stacking import DOUBT
from stream_deid.labels import label_type
from stream_deid.serving import manifest
from stream_deid.text.tokens import tokenize
from stream_deid.training import recipe as recipes
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.models import trunks
from stream_deid.training.run.engines import engine
from stream_deid.training.run.fit import say
from stream_deid.training.scores.offline import readings
from stream_deid.training.scores.tables import markdown

FILE = "stacking.json"
RECALLS = (0.95, 0.96, 0.97, 0.98)
_FOLDS = 3
_SELDOM = 2
"""A word that stands less often than this in the notes is left out of the tables."""


@dataclass(frozen=True, slots=True)
class ServedPool:
    """`served`: the pool of the repository that the trees will judge, leader first; `words`: notes
    whose words are counted.
    """

    served: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Set:
    """Notes, and models of the pool's kind, in its order, that have not seen them, as
    `run.engines.engine` reads them; "{runs}" is the folder that holds this run.
    """

    notes: tuple[str, ...]
    unseen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """How the trees grow; see scikit-learn's `HistGradientBoostingClassifier`."""

    trees: int = 150
    rate: float = 0.06
    leaves: int = 20
    depth: int = 8
    smallest_leaf: int = 20
    l2: float = 1.0
    seed: int = 1

    def model(self) -> HistGradientBoostingClassifier:
        """An untrained model."""
        return HistGradientBoostingClassifier(
            max_iter=self.trees,
            learning_rate=self.rate,
            max_leaf_nodes=self.leaves,
            max_depth=self.depth,
            min_samples_leaf=self.smallest_leaf,
            l2_regularization=self.l2,
            early_stopping=False,
            random_state=self.seed,
        )


@dataclass(frozen=True, slots=True)
class WordSample:
    """Words in doubt: features [n, F], log-odds of the pool [n], truth [n], note [n]."""

    rows: NDArray[np.float64]
    phi: NDArray[np.float64]
    truth: NDArray[np.bool_]
    note: NDArray[np.int64]


def train(path: Path, out: Path, data: Path) -> None:
    """Run a recipe of the system "stacking"; see the module."""
    body = recipes.read(path)
    pool = recipes.settings(ServedPool, body["pool"], "pool")
    sets = [recipes.settings(Set, one, "sets") for one in body["sets"]]
    growth = recipes.settings(Growth, body.get("trees", {}), "trees")
    sample = joined([_sample(one, pool, data, out.parent) for one in sets])
    say(f"{sample.note.max() + 1} notes, {len(sample.truth)} words in doubt")
    table = cross_validated(sample, growth)
    say(table)
    learner = growth.model().fit(sample.rows, sample.truth)
    served = word_counts(recipes.load_all(pool.words, data))
    out.mkdir(parents=True, exist_ok=True)
    atomic.write(out / FILE, _json(served, learner))
    atomic.write(out / "figures.json", json.dumps({"cross-validated": table}))


def _sample(one: Set, pool: ServedPool, data: Path, runs: Path) -> WordSample:
    """The words in doubt of a set; words are counted in the other notes."""
    notes = recipes.load_all(one.notes, data)
    others = tuple(source for source in pool.words if source not in one.notes)
    said = _pooled_readings(pool.served, one.unseen, notes, data=data, runs=runs)
    return gather(notes, said, word_counts(recipes.load_all(others, data)))


def joined(samples: Sequence[WordSample]) -> WordSample:
    """All samples as one, their notes told apart."""
    first = np.cumsum([0, *(sample.note.max() + 1 for sample in samples[:-1])])
    return WordSample(
        np.concatenate([sample.rows for sample in samples]),
        np.concatenate([sample.phi for sample in samples]),
        np.concatenate([sample.truth for sample in samples]),
        np.concatenate([s.note + at for s, at in zip(samples, first, strict=True)]),
    )


def word_counts(notes: Sequence[AnnotatedNote]) -> WordCounts:
    """What the marked notes say of their words."""
    tables: list[tuple[Counter[str], Counter[str]]] = [(Counter(), Counter()) for _ in range(3)]
    for note in notes:
        tokens = tokenize(note.text)
        at = np.flatnonzero(is_word(note.text, tokens.starts.tolist()))
        low = [tokens.words[i].casefold() for i in at.tolist()]
        marked = _marked(note)
        yes = [bool(marked[i]) for i in tokens.starts[at].tolist()]
        beside = (yes, [*yes[1:], False], [False, *yes[:-1]])
        for (hits, times), flags in zip(tables, beside, strict=True):
            times.update(low)
            hits.update(word for word, flag in zip(low, flags, strict=True) if flag)
    inside, before, after = (
        {w: (hits[w], n) for w, n in sorted(times.items()) if n >= _SELDOM}
        for hits, times in tables
    )
    return WordCounts(inside, before, after)


def _marked(note: AnnotatedNote, *, neutral: bool = False) -> bytearray:
    """1 for every character of an identifier (or of a neutral span)."""
    flags = bytearray(len(note.text))
    for start, end, label in note.spans:
        if (label_type(label) is None) == neutral:
            flags[start:end] = b"\1" * (end - start)
    return flags


def _pooled_readings(
    names: Sequence[str],
    specs: Sequence[str],
    notes: Sequence[AnnotatedNote],
    *,
    data: Path,
    runs: Path,
) -> Iterator[tuple[Reading, ...]]:
    repo = trunks.repository()
    engines = []
    for name, spec in zip(names, specs, strict=True):
        served = manifest.model_spec(manifest.load(repo, name, hashes=False))
        model, emit = engine(spec.replace("{runs}", str(runs)), data)
        engines.append((replace(model, weight=served.weight), emit))
    return zip(*(readings(one, notes) for one in engines), strict=True)


def gather(
    notes: Sequence[AnnotatedNote], said: Iterator[tuple[Reading, ...]], counts: WordCounts
) -> WordSample:
    """The words that the pool is not sure of, but for those in neutral spans."""
    rows, phis, truths, numbers = [], [], [], []
    for number, (note, pool) in enumerate(zip(notes, said, strict=True)):
        joint = joint_opinion(pool)
        if joint is None:
            continue
        _, _, judged = digest(joint)
        at, features = evidence(note.text, judged, counts)
        phi = judged.phi[at]
        marked, neutral = _marked(note), _marked(note, neutral=True)
        first = joint.starts[at].tolist()
        keep = [i for i, s in enumerate(first) if not neutral[s] and abs(phi[i]) < DOUBT]
        rows.append(features[keep])
        phis.append(phi[keep])
        truths.append(np.array([marked[first[i]] for i in keep], dtype=bool))
        numbers.append(np.full(len(keep), number))
    return WordSample(*(np.concatenate(part) for part in (rows, phis, truths, numbers)))


def cross_validated(sample: WordSample, growth: Growth) -> str:
    """Markdown: precision at some recalls of the words in doubt, before and after."""
    after = np.zeros(len(sample.truth))
    for fit, held in GroupKFold(_FOLDS).split(sample.rows, sample.truth, sample.note):
        learner = growth.model().fit(sample.rows[fit], sample.truth[fit])
        after[held] = learner.decision_function(sample.rows[held])
    rows = [
        [name, *(f"{p:.4f}" for p in _precision_at(score, sample.truth))]
        for name, score in (("pool", sample.phi), ("stacked", after))
    ]
    return markdown(["words in doubt", *(f"P at R {r:g}" for r in RECALLS)], rows)


def _precision_at(score: NDArray[np.float64], truth: NDArray[np.bool_]) -> list[float]:
    ordered = truth[np.argsort(-score, kind="stable")]
    found = np.cumsum(ordered)
    reached = np.searchsorted(found, [r * found[-1] for r in RECALLS])
    return [float(found[i] / (i + 1)) for i in reached]


def _json(counts: WordCounts, learner: HistGradientBoostingClassifier) -> str:
    words = {name: getattr(counts, name) for name in ("inside", "before", "after")}
    body = {"words": words, "trees": trees_json(learner)}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def trees_json(learner: HistGradientBoostingClassifier) -> dict[str, Any]:
    """What `Trees.from_json` reads: a node is [feature, threshold, left, right], a leaf [value]."""
    trees = [one.nodes for (one,) in learner._predictors]  # noqa: SLF001 - no public export
    return {
        "baseline": float(learner._baseline_prediction[0, 0]),  # noqa: SLF001
        "depth": int(max(nodes["depth"].max() for nodes in trees)),
        "nodes": [[_node(node) for node in nodes] for nodes in trees],
    }


def _node(node: Any) -> list[float]:
    if node["is_leaf"]:
        return [round(float(node["value"]), 6)]
    return [
        int(node["feature_idx"]),
        float(node["num_threshold"]),
        int(node["left"]),
        int(node["right"]),
    ]


def export(path: Path, run: Path, repo: Path, o_bias: float) -> Path:
    """Hand a run to the model that leads its pool, as it stands in `repo`; returns its folder."""
    recipe = recipes.read(path)
    served = recipes.settings(ServedPool, recipe["pool"], "pool").served
    folder = repo / served[0]
    body = json.loads((run / FILE).read_text("utf-8"))
    models = [manifest.load(repo, name, hashes=False) for name in served]
    pool = [manifest.model_spec(one).detector for one in models]
    whole = {"pool": pool, "o_bias": o_bias, "type_bias": recipe.get("type_bias", {}), **body}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    atomic.write(folder / FILE, text)
    files = {**models[0].files, FILE: manifest.sha256(folder / FILE)}
    about = {**models[0].body, "stacking": FILE, "files": files}
    atomic.write(folder / manifest.FILE, json.dumps(about, indent=1) + "\n")
    return folder
