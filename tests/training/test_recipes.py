"""Recipes that are shipped can be read, and say what they mean."""

import json
import re

import pytest

from stream_deid import cli
from stream_deid.errors import Halt
from stream_deid.training import recipe
from stream_deid.training.bert_recipe import BertRun
from stream_deid.training.data import corpora
from stream_deid.training.models.bilstm import BilstmSizes
from stream_deid.training.models.e2ej import E2ejSizes
from stream_deid.training.models.skeleton import SkeletonSizes

RECIPES = sorted(recipe.SHIPPED.glob("*.toml"))
NAMES = {path.stem for path in RECIPES}


@pytest.mark.parametrize("path", RECIPES, ids=lambda p: p.stem)
def test_shipped_recipes_can_be_read(path):
    table = recipe.read(path)
    if table["system"] == "bert":
        assert BertRun.read(path).name == table["name"]


def test_a_recipe_that_extends_another_says_only_what_differs():
    one = BertRun.read(recipe.find("bert-en-names"))
    titled = BertRun.read(recipe.find("bert-en-names-titled"))
    assert (titled.name, titled.model.titled) == ("bert_en_names_titled", True)
    assert (titled.data, titled.training) == (one.data, one.training)


def test_the_base_of_a_recipe_must_be_there(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "no-such"\n', "utf-8")
    with pytest.raises(Halt, match="no-such"):
        recipe.read(path)


def test_notes_of_ones_own_are_read_from_where_one_is_without_the_training_data(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.delenv("STREAM_DEID_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    span = {"start": 4, "end": 14, "type": "PATIENT"}
    line = json.dumps({"id": "a", "text": "Mr. John Smith was seen.", "spans": [span]})
    (tmp_path / "ours.jsonl").write_text(line + "\n")
    assert cli.main(["compare", "jsonl:en:ours.jsonl", "patterns=patterns"]) == 0
    assert "| patterns |" in capsys.readouterr().out
    assert cli.main(["compare", "jsonl:en:theirs.jsonl", "patterns=patterns"]) == 78
    assert "theirs.jsonl" in capsys.readouterr().err


def test_the_recipes_that_need_no_data_are_those_that_the_guide_names():
    guide = (corpora.PROJECT / "docs/models.md").read_text("utf-8").partition("First minute")[2]
    told = guide.partition("All other recipes want")[0]
    free = {p.stem for p in RECIPES if not recipe.needs_data(recipe.read(p))}
    assert set(re.findall(r"`(?:[^`]* train )?([a-z]+-[a-z-]+)[^`]*`", told)) & NAMES == free


def test_the_guide_names_every_part_of_the_data_that_a_recipe_reads():
    guide = (corpora.PROJECT / "docs/models.md").read_text("utf-8")
    read = set()
    for path in RECIPES:
        data = recipe.read(path).get("data", {})
        sources = [one for key in ("train", "dev", "replay") for one in data.get(key, ())]
        read |= {s.rsplit(":", 1)[1] for s in sources if ":corpora/" not in s}
        read |= {one.partition(":")[0] for one in data.get("carriers", ())}
    assert len(read) > 5
    assert [name for name in sorted(read) if f"`{name}`" not in guide] == []


def sizes(kind, name):
    return recipe.settings(kind, recipe.read(recipe.find(name)).get("sizes", {}), "sizes")


def test_sizes_that_the_papers_page_states_are_those_of_its_recipes():
    page = " ".join((corpora.PROJECT / "docs/papers.md").read_text("utf-8").split())
    assert "`ann-es` has the paper's widths 25, 25, 100, 100, dropout .5" in page
    for name in ("ann-es", "ann-en"):
        ann = sizes(BilstmSizes, name)
        assert (ann.char, ann.char_hidden, ann.word, ann.hidden) == (25, 25, 100, 100)
        assert ann.dropout == 0.5
    assert "Sizes of the paper (150, 150, window 7, dropout .5, r = .25, RMSprop, 8 epochs)" in page
    for name in ("ts-gru-es", "ts-gru-es-published", "ts-gru-en"):
        skeleton = sizes(SkeletonSizes, name)
        assert (skeleton.word, skeleton.hidden, skeleton.around) == (150, 150, 7)
        assert (skeleton.dropout, skeleton.kept) == (0.5, 0.25)
    assert "E2EJ has table 1's sizes" in page
    joint = sizes(E2ejSizes, "e2ej-es")
    assert (joint.word, joint.char, joint.char_filters, joint.hidden) == (300, 50, 100, 256)
    assert (joint.filters, joint.sensitive, joint.kernel, joint.dropout) == (200, 200, 3, 0.3)
