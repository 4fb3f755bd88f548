"""Fitting the second opinion: words counted, trees served as they were grown, a run handed over."""

import json
import shutil
from pathlib import Path

import numpy as np

from stream_deid.detect.neural.trees import Trees
from stream_deid.serving import manifest
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.run import stacking
from stream_deid.training.run.stacking import (
    Growth,
    WordSample,
    cross_validated,
    joined,
    trees_json,
    word_counts,
)

RECIPE = """
system = "stacking"
[pool]
served = ["lead"]
words = []
"""


def rows_and_truth(n=600):
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(n, 4))
    return rows, rows[:, 0] + rows[:, 1] * rows[:, 2] > 0


def test_served_trees_answer_as_the_grown_ones_do():
    rows, truth = rows_and_truth()
    grown = Growth(trees=30, smallest_leaf=5).model().fit(rows, truth)
    served = Trees.from_json(json.loads(json.dumps(trees_json(grown))))
    np.testing.assert_allclose(served(rows), grown.decision_function(rows), atol=1e-4)


def test_words_are_counted_inside_before_and_after_identifiers():
    note = AnnotatedNote("n", "Dr Chen here. Dr Chen left. Dr who", ((3, 7, "DOCTOR"),), "en")
    counts = word_counts([note])
    assert counts.inside == {"chen": (1, 2), "dr": (0, 3)}
    assert counts.before["dr"] == (1, 3)
    assert counts.after["chen"] == (0, 2)


def test_what_the_trees_can_learn_shows_on_notes_that_they_have_not_seen():
    rows, truth = rows_and_truth(1200)
    sample = WordSample(rows, rows[:, 0], truth, np.repeat(np.arange(60), 20))
    _, _, pool, stacked = cross_validated(sample, Growth(trees=60)).splitlines()
    assert float(stacked.split("|")[2]) > float(pool.split("|")[2]) + 0.1


def test_sets_that_other_models_read_are_one_sample_with_notes_of_their_own():
    rows, truth = rows_and_truth(8)
    one = WordSample(rows, rows[:, 0], truth, np.array([0, 0, 1, 1, 1, 2, 2, 2]))
    both = joined([one, one])
    assert both.note.tolist() == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5]
    assert both.rows.shape == (16, 4)


def test_export_gives_the_run_to_the_leader_of_the_pool(tmp_path: Path):
    lead, run = tmp_path / "repo" / "lead", tmp_path / "run"
    lead.mkdir(parents=True)
    run.mkdir()
    shutil.copytree(manifest.repository() / "bilstm_crf_es", lead, dirs_exist_ok=True)
    about = json.loads((lead / "manifest.json").read_text()) | {"name": "lead", "version": "7"}
    (lead / "manifest.json").write_text(json.dumps(about))
    rows, truth = rows_and_truth()
    body = {
        "words": {"inside": {"chen": [1, 2]}, "before": {}, "after": {}},
        "trees": trees_json(Growth(trees=3).model().fit(rows, truth)),
    }
    (run / "stacking.json").write_text(json.dumps(body))
    (tmp_path / "recipe.toml").write_text(RECIPE)
    stacking.export(tmp_path / "recipe.toml", run, tmp_path / "repo", 1.5)
    served = manifest.model_spec(manifest.load(lead.parent, lead.name, hashes=False)).stacking
    assert served is not None
    assert (served.pool, served.o_bias) == (("lead@7",), 1.5)
    assert served.counts.inside == {"chen": (1, 2)}
    written = json.loads((lead / "manifest.json").read_text())
    assert written["files"]["stacking.json"] == manifest.sha256(lead / "stacking.json")
