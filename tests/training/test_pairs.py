"""The judge of pairs: what is an example, what it learns, and that what is shipped is that."""

import json

import numpy as np
import pytest

from stream_deid import cli
from stream_deid.detect.pairs import judge
from stream_deid.errors import Halt
from stream_deid.training import recipe
from stream_deid.training.data.corpora import AnnotatedNote, unmark
from stream_deid.training.run import pairs
from stream_deid.training.run.pairs import (
    PairSettings,
    cross_validated,
    examples,
    fitted,
    gather,
)

SETTINGS = PairSettings("en", (), (), bits=12)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_shipped_recipes_read_what_they_name(language, tmp_path):
    table = recipe.read(recipe.find(f"pairs-{language}"))["data"]
    settings = recipe.settings(PairSettings, {**table, "notes": []}, "data")
    _, texts = pairs.sources(settings, tmp_path)
    assert pairs.NO_DAY in {label for text in texts for *_, label in text.spans}


def note(body, name="a-1"):
    text, spans = unmark(body)
    return AnnotatedNote(name, text, tuple(spans), "en")


def said(body, *, whole):
    return [day for day, _ in examples(note(body), whole=whole)]


def test_what_is_not_marked_is_no_day_in_a_whole_note_and_nothing_elsewhere():
    body = "CT [[DATE|4/16]], grip 4/5, "
    assert said(body + "room [[LOCATION_OTHER|3-12]]", whole=True) == [True, False]
    assert said(body, whole=False) == [True]
    assert said("CT [[DATE|4/16]], grip [[QUANTITY|4/5]]", whole=False) == [True, False]


def test_a_score_that_is_too_high_for_a_month_is_shown_with_a_lower_one():
    ((day, features),) = examples(note("MMSE [[QUANTITY|24/30]]"), whole=False)
    assert not day
    assert {"lw=mmse", "b=30", "a=1"} <= set(features)


def test_the_judge_learns_words_and_is_held_against_another_author():
    texts = [
        note(
            f"CT [[DATE|{n % 12 + 1}/{n % 28 + 1}]], grip [[QUANTITY|{n % 5 + 1}/5]]", f"{who}-{n}"
        )
        for who in ("a", "b")
        for n in range(30)
    ]
    sample = gather([], texts, SETTINGS)
    assert (sample.rows.shape, int(sample.days.sum())) == ((120, 4096), 60)
    judging = fitted(sample, SETTINGS, np.full(120, fill_value=True))
    (text,) = judge.read(["CT 3/4, grip 3/4"], "en")
    assert [p > 0.5 for _, p in judge.judged(judging, text)] == [True, False]
    rows = cross_validated(sample, SETTINGS).splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == ["a", "b"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_shipped_is_what_its_recipe_makes(language, tmp_path, monkeypatch):
    """So neither the features nor the marked texts change without the weights."""
    monkeypatch.delenv("STREAM_DEID_DATA", raising=False)
    assert cli.main(["train", f"pairs-{language}", "--out", str(tmp_path / "run")]) == 0
    made = judge.Judge.from_json(json.loads((tmp_path / "run" / pairs.FILE).read_text("utf-8")))
    shipped = judge.load(language)
    assert shipped.bias == pytest.approx(made.bias, abs=1e-3)
    np.testing.assert_allclose(shipped.weights, made.weights, atol=5e-3)


def test_a_run_is_handed_over_where_it_was_trained_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(pairs, "SHIPPED", tmp_path)
    path = recipe.find("pairs-en")
    with pytest.raises(Halt, match="trained to its end"):
        pairs.export(path, tmp_path / "nothing")
    (tmp_path / pairs.FILE).write_text("{}")
    assert pairs.export(path, tmp_path).read_text() == "{}"
