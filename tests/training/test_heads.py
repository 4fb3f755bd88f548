"""Heads on a served trunk in small: train, export, join, build one engine, and score the same."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import bert_parts as parts

from stream_deid.detect.neural.model_windows import windows
from stream_deid.errors import Halt
from stream_deid.serving import manifest
from stream_deid.serving.build import config_pbtxt
from stream_deid.serving.build import cpu as build
from stream_deid.training.bert_recipe import BertRun
from stream_deid.training.data.corpora import marked
from stream_deid.training.export import bert, command, heads
from stream_deid.training.export.choice import Choice
from stream_deid.training.models.heads import trained
from stream_deid.training.run.bert import train as train_bert
from stream_deid.training.run.engines import engine
from stream_deid.training.run.heads import train

RECIPE = """
system = "heads"
name = "heads_en"
language = "en"
seed = 3
[data]
train = ["marked:en:notes.txt"]
labels = ["PATIENT", "DOCTOR", "CITY", "STATE"]
[heads]
width = 8
entities = {names = ["PATIENT", "DOCTOR"], places = ["CITY", "STATE"]}
versions = {a = 2, b = 1}
[model]
trunk = "served:tiny_en"
window = 96
overlap = 24
[training]
epochs = 2
head_rate = 1e-2
"""
TITLED = """
extends = "heads"
name = "heads_titled_en"
[data]
labels = ["PATIENT", "DOCTOR"]
[heads]
joins = "heads_en"
entities = {names = ["PATIENT", "DOCTOR"]}
versions = {titled-a = 2}
[model]
titled = true
"""
CHOICE = Choice("4", 0.5, int8=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The repository with a trunk, and a folder with the recipes and runs of two sets of heads."""
    folder = tmp_path_factory.mktemp("heads")
    recipe, data = parts.workshop(folder, epochs=1)
    train_bert(recipe, folder / "trunk", data)
    repo = folder / "repo"
    bert.export(BertRun.read(recipe), folder / "trunk", repo, data, CHOICE)
    build.build(repo, "tiny_en")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAM_DEID_TRITON__REPOSITORY", str(repo))
        for name, text in (("heads", RECIPE), ("titled", TITLED)):
            (folder / f"{name}.toml").write_text(text, "utf-8")
            train(folder / f"{name}.toml", folder / name, data)
        yield repo, folder, data


def exported(repo, folder):
    for name in ("heads", "titled"):
        assert command.main(str(folder / f"{name}.toml"), folder / name, repo, CHOICE) == 0
    return manifest.load(repo, "heads_en", hashes=False)


def test_heads_that_were_exported_share_one_engine_and_score_as_they_learnt(made):
    repo, folder, data = made
    model = exported(repo, folder)
    assert list(model.body["heads"]) == ["names-a", "places-a", "names-b", "places-b",
                                         "names-titled-a"]  # fmt: skip
    assert model.width == 5 * 5
    assert build.build(repo, "heads_en").startswith("built")
    assert build.build(repo, "heads_en") == "up to date"
    spec, emit = engine(f"openvino:{repo / 'heads_en'}", data)
    assert (spec.width, spec.version, spec.o_bias) == (25, "4", 0.5)
    for name, part in (("heads", slice(0, 20)), ("titled", slice(20, 25))):
        own, torch = trained(folder / f"{name}.toml", folder / name, data)
        found = [w for n in marked(data / "notes.txt", "en") for w in windows(own, 0, n.text)]
        for window, want, got in zip(found, torch(found), emit(found), strict=True):
            words = window.ends > window.starts  # not the last piece, beside padding
            np.testing.assert_allclose(got[words, part], want[words], atol=0.02)  # fp16 storage


def test_a_server_is_told_the_scores_of_all_heads(made):
    repo, folder, _ = made
    model = exported(repo, folder)
    assert all("dims: [ -1, 25 ]" in text for text in config_pbtxt.render(model).values())


def test_heads_of_another_trunk_are_refused(made):
    repo, folder, _ = made
    exported(repo, folder)
    weights = repo / "tiny_en" / "weights.safetensors"
    former = weights.read_bytes()
    try:
        weights.write_bytes(former + b" ")
        with pytest.raises(Halt, match=r"export\.trunk"):
            heads.export(BertRun.read(folder / "titled.toml"), folder / "titled", repo, CHOICE)
        with pytest.raises(Halt, match=r"build\.hash"):
            build.build(repo, "heads_en", force=True)
    finally:
        weights.write_bytes(former)


def test_what_is_exported_holds_heads_alone(made):
    repo, folder, _ = made
    model = exported(repo, folder)
    trunk = manifest.load(repo, "tiny_en", hashes=False)
    assert model.build["trunk"] == {
        "file": "tiny_en/weights.safetensors", "sha256": trunk.files["weights.safetensors"],
    }  # fmt: skip
    assert "stacking" not in json.dumps(model.body)
    names = build.tensors(model.directory / heads.FILE)
    assert {name.split(".")[0] for name in names} == {"heads"}
