"""A whole BERT run in small: train, stop, go on, export, build engines, and score the same."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

sys.path.insert(0, str(Path(__file__).parent))
import bert_parts as parts

from stream_deid.detect.neural.model_windows import ModelSpec, windows
from stream_deid.detect.neural.stacking import Stacking
from stream_deid.errors import Halt
from stream_deid.serving import manifest
from stream_deid.serving.build import cpu as build
from stream_deid.serving.build.packing import pack, unpack
from stream_deid.training.bert_recipe import BertRun
from stream_deid.training.data.corpora import marked
from stream_deid.training.export.bert import export
from stream_deid.training.export.choice import Choice
from stream_deid.training.models import trunks
from stream_deid.training.models.bert import BertTagger, own_tags
from stream_deid.training.models.bert import trained as trained_engine
from stream_deid.training.run.bert import Trainer, train
from stream_deid.training.run.engines import engine, openvino_emitter, with_bias
from stream_deid.training.scores.offline import predict
from stream_deid.training.scores.progress_score import binary_counts, score_windows


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    recipe, data = parts.workshop(folder, copies=8, epochs=12, rate=5e-3, mask=0.0)
    train(recipe, folder / "out", data)
    return recipe, data, folder / "out"


def test_the_run_learns_its_notes(trained):
    recipe, data, out = trained
    trainer = Trainer(BertRun.read(recipe), out, data)
    trainer.resume()
    counts = binary_counts(trainer.spec, trainer.model.eval(), trainer.notes)
    assert counts.gold > 20
    assert counts.both / counts.gold > 0.6


def test_embeddings_stay_frozen(trained):
    recipe, data, out = trained
    trainer = Trainer(BertRun.read(recipe), out, data)
    before = trainer.model.trunk.embeddings.word_embeddings.weight.clone()
    trainer.resume()
    assert torch.equal(before, trainer.model.trunk.embeddings.word_embeddings.weight)
    assert not [k for k in trainer.model.learnt() if "embeddings" in k]


def test_a_stopped_run_goes_on_to_the_same_weights(tmp_path):
    recipe, data = parts.workshop(tmp_path)
    whole = Trainer(BertRun.read(recipe), tmp_path / "whole", data)
    whole.train()
    first = Trainer(BertRun.read(recipe), tmp_path / "stopped", data)
    first.resume()
    first._epoch()
    first.epoch += 1
    first.save()
    second = Trainer(BertRun.read(recipe), tmp_path / "stopped", data)
    second.train()
    assert second.epoch == whole.epoch == 2
    for name, weight in whole.model.learnt().items():
        assert torch.allclose(weight, second.model.learnt()[name], atol=1e-6), name


def test_minutes_end_a_run(tmp_path):
    recipe, data = parts.workshop(tmp_path, epochs=500, minutes=0.02)
    trainer = Trainer(BertRun.read(recipe), tmp_path / "out", data)
    trainer.train()
    assert trainer.epoch < 500
    assert (tmp_path / "out" / "model.safetensors").exists()


def test_recipes_with_mistakes_halt(tmp_path):
    recipe, _ = parts.workshop(tmp_path)
    good = recipe.read_text("utf-8")
    for bad in (
        good + "\n[extra]\n",
        good.replace("epochs", "epoch"),
        good.replace('"bert"', '"x"'),
    ):
        recipe.write_text(bad, "utf-8")
        with pytest.raises(Halt):
            BertRun.read(recipe)


def test_a_model_of_one_type_starts_from_the_one_of_all_and_learns_its_own_labels(trained):
    recipe, data, out = trained
    names = recipe.with_name("names.toml")
    names.write_text(
        f'extends = "{recipe.stem}"\nname = "names"\n[data]\nlabels = ["PATIENT", "DOCTOR"]\n'
        f'[model]\nstart = "{out.name}"\ntitled = true\n[training]\nepochs = 4\n',
        "utf-8",
    )
    train(names, out.with_name("names"), data)
    spec, emit = trained_engine(names, out.with_name("names"), data)
    assert spec.labels == ("O", "B-PATIENT", "I-PATIENT", "B-DOCTOR", "I-DOCTOR")
    assert spec.subword.titled
    notes = marked(data / "notes.txt", "en")
    found = predict(notes, (spec, emit))
    gold = {n.text[a:b] for n in notes for a, b, k in n.spans if k in {"PATIENT", "DOCTOR"}}
    assert {n.text[d.start : d.end] for n, ds in zip(notes, found, strict=True) for d in ds} & gold


def test_what_another_run_has_learnt_since_the_trunk_is_added(trained):
    recipe, data, out = trained
    fresh = Trainer(BertRun.read(recipe), out.with_name("fresh"), data).model.layers()
    going = recipe.with_name("going.toml")
    start = f'extends = "{recipe.stem}"\n[model]\nstart = "{out.name}"\n'
    going.write_text(start + f'borrow = "{out.name}"\nborrowed = 0.5\n', "utf-8")
    borrowed = Trainer(BertRun.read(going), out.with_name("going"), data).model
    going.write_text(start, "utf-8")
    alone = Trainer(BertRun.read(going), out.with_name("going"), data).model
    assert any(not torch.equal(alone.layers()[name], own) for name, own in fresh.items())
    for name, own in fresh.items():
        learnt = alone.layers()[name]
        torch.testing.assert_close(borrowed.layers()[name], learnt + 0.5 * (learnt - own))
    torch.testing.assert_close(borrowed.head.weight, alone.head.weight)


def test_notes_of_another_language_are_learnt_beside_and_their_tags_left_out(trained):
    recipe, data, out = trained
    (data / "otras.txt").write_text(
        "=== es1_1 | nota | planta\nVive en [[CALLE|Calle Oak 4]], [[HOSPITAL|C. Fairhaven]].\n",
        "utf-8",
    )
    going, both = recipe.with_name("beside.toml"), out.with_name("beside")
    going.write_text(
        f'extends = "{recipe.stem}"\n[data]\nbeside = ["marked:es:otras.txt"]\n'
        f'beside_share = 1.0\n[model]\nstart = "{out.name}"\n[training]\nepochs = 1\n',
        "utf-8",
    )
    run = BertRun.read(going)
    trainer = Trainer(run, both, data)
    alone = trained_engine(recipe, out, data)[0].labels
    assert trainer.tags == (*alone, "B-CALLE", "I-CALLE")
    kept = load_file(out / "model.safetensors")["head.weight"]
    assert np.array_equal(trainer.model.head.weight.detach()[: len(alone)], kept)
    assert "es" in {note.language for note in trainer.drawn(0)}
    trainer.train()
    assert trained_engine(going, both, data)[0].labels == alone
    export(run, both, both / "repo", data, Choice("1", 0.0, int8=False))
    rows = load_file(both / "repo" / run.name / "weights.safetensors")["head.weight"]
    learnt = load_file(both / "model.safetensors")["head.weight"]
    assert np.array_equal(rows, learnt[: len(alone)].astype(np.float16))


def test_a_label_that_both_languages_have_is_left_out_where_the_recipe_does_not_name_it():
    tags = ("O", "B-DATE", "I-DATE", "B-HOSPITAL", "I-HOSPITAL", "B-CALLE", "I-CALLE")
    assert own_tags(tags, "en") == tags[:5]
    assert own_tags(tags, "en", ("DATE",)) == tags[:3]


def test_a_run_with_notes_beside_goes_on_and_not_under_other_tags(trained, tmp_path):
    recipe, data, _ = trained
    (data / "otras_2.txt").write_text(
        "=== es1_1 | nota | planta\nVive en [[CALLE|Calle Oak 4]], el [[FECHAS|3/4/24]].\n", "utf-8"
    )
    going, both = recipe.with_name("beside_2.toml"), tmp_path / "beside_2"
    going.write_text(
        f'extends = "{recipe.stem}"\n[data]\nbeside = ["marked:es:otras_2.txt"]\n'
        "beside_share = 1.0\n[training]\nepochs = 1\n",
        "utf-8",
    )
    first = Trainer(BertRun.read(going), both, data)
    first.train()
    again = Trainer(BertRun.read(going), both, data)
    again.resume()
    assert (again.epoch, again.step) == (1, first.step)
    for name, learnt in first.model.learnt().items():
        assert torch.equal(again.model.learnt()[name], learnt), name
    tags = (both / "tags.txt").read_text("utf-8").split("\n")
    (both / "tags.txt").write_text("\n".join([*tags[:-4], *tags[-2:], *tags[-4:-2]]), "utf-8")
    with pytest.raises(Halt, match="tags"):
        Trainer(BertRun.read(going), both, data).resume()


def test_a_bias_may_be_set_beside_a_run(trained):
    recipe, data, out = trained
    spec = f"run:{recipe}:{out}"
    assert engine(spec, data)[0].o_bias == 0
    assert engine(f"{spec}@2.5", data)[0].o_bias == 2.5
    stacked = replace(engine(spec, data)[0], stacking=Stacking(("a@1",), 1.0, None, None))
    assert with_bias(stacked, 2.5).stacking.o_bias == 2.5
    with pytest.raises(Halt, match="much"):
        engine(f"{spec}@much", data)


def test_labels_that_no_note_has_halt(trained):
    recipe, data, out = trained
    bad = recipe.with_name("bad.toml")
    bad.write_text(f'extends = "{recipe.stem}"\n[data]\nlabels = ["VEHICLE"]\n', "utf-8")
    with pytest.raises(Halt, match="VEHICLE"):
        Trainer(BertRun.read(bad), out.with_name("bad"), data)


@pytest.fixture(scope="module")
def repo(trained, tmp_path_factory):
    recipe, data, out = trained
    repo = tmp_path_factory.mktemp("repo")
    run = BertRun.read(recipe)
    export(run, out, repo, data, Choice("7", 0.5, int8=False))
    folder = repo / run.name
    text = marked(data / "notes.txt", "en")[0].text
    spec = read_spec(folder)
    # notes outside of the project's corpora are never published, not even as calibration
    assert json.loads((folder / "calibration.json").read_text("utf-8")) == []
    rows = [w.inputs["input_ids"].tolist() for w in windows(spec, 0, text)]
    (folder / "calibration.json").write_text(json.dumps(rows), "utf-8")
    body = json.loads((folder / "manifest.json").read_text("utf-8"))
    body["files"]["calibration.json"] = manifest.sha256(folder / "calibration.json")
    (folder / "manifest.json").write_text(json.dumps(body), "utf-8")
    return repo


def read_spec(folder):
    body = json.loads((folder / "manifest.json").read_text("utf-8"))
    return ModelSpec.from_manifest(
        body, {"tokenizer.json": (folder / "tokenizer.json").read_text("utf-8")}
    )


def engine_scores(repo, spec, found):
    body = json.loads((repo / spec.name / "manifest.json").read_text("utf-8"))
    emit = openvino_emitter(repo / spec.name / "1/model.xml", 1, body["buckets"])
    return emit(found)


def test_engines_score_as_torch_does(trained, repo):
    recipe, data, out = trained
    assert build.build(repo, "tiny_en").startswith("built")
    assert build.build(repo, "tiny_en") == "up to date"
    spec = read_spec(repo / "tiny_en")
    assert (spec.o_bias, spec.version) == (0.5, "7")
    manifest.load(repo, "tiny_en")
    run = BertRun.read(recipe)
    model = BertTagger(trunks.find(run.model.trunk, data), len(spec.labels))
    model.load_learnt(out / "model.safetensors")
    found = [w for n in marked(data / "notes.txt", "en") for w in windows(spec, 0, n.text)]
    model.eval()
    expected = score_windows(model, found, 1)
    for want, got in zip(expected, engine_scores(repo, spec, found), strict=True):
        np.testing.assert_allclose(got, want, atol=0.02)  # fp16 storage


def test_int8_stays_near(trained, repo, tmp_path):
    shutil.copytree(repo, tmp_path / "repo")
    folder = tmp_path / "repo" / "tiny_en"
    body = json.loads((folder / "manifest.json").read_text("utf-8"))
    body["build"] |= {"int8": True, "keep_float": ["head/matmul"]}
    (folder / "manifest.json").write_text(json.dumps(body), "utf-8")
    assert "int8" in build.build(tmp_path / "repo", "tiny_en")
    spec = read_spec(folder)
    found = windows(spec, 0, marked(trained[1] / "notes.txt", "en")[0].text)
    build.build(repo, "tiny_en")
    exact, near = engine_scores(repo, spec, found), engine_scores(tmp_path / "repo", spec, found)
    changed = [np.abs(a - b).max() for a, b in zip(exact, near, strict=True)]
    assert max(changed) > 0
    same = np.mean([(a.argmax(1) == b.argmax(1)).mean() for a, b in zip(exact, near, strict=True)])
    assert same > 0.85


def test_a_changed_weight_file_is_not_built(repo, tmp_path):
    shutil.copytree(repo, tmp_path / "repo")
    weights = tmp_path / "repo" / "tiny_en" / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    with pytest.raises(Halt, match=r"build\.hash"):
        build.build(tmp_path / "repo", "tiny_en")


def test_other_embeddings_are_refused(trained, repo, tmp_path):
    recipe, data, out = trained
    shutil.copytree(repo / "shared", tmp_path / "shared")
    shared = tmp_path / "shared" / "tiny.safetensors"
    changed = load_file(shared)
    changed = {k: v + 1 if v.dtype == np.float16 else v for k, v in changed.items()}
    save_file(changed, shared)
    with pytest.raises(Halt, match="frozen"):
        export(BertRun.read(recipe), out, tmp_path, data, Choice("1", 0.0, int8=False))


def test_four_bit_tables_are_packed_without_loss():
    rng = np.random.default_rng(0)
    codes = rng.integers(-8, 8, size=(50, 2, 32))
    scales = rng.uniform(0.01, 0.1, size=(50, 2, 1)).astype(np.float16)
    table = (codes * scales.astype(np.float32)).astype(np.float16).reshape(50, 64)
    packed = pack("t", table)
    assert set(packed) == {"t.codes4", "t.scales4"}
    assert (unpack(packed)["t"] == table).all()
    free = rng.normal(size=(50, 64)).astype(np.float16)
    assert list(pack("t", free)) == ["t"]
    assert (unpack(pack("t", free))["t"] == free).all()
