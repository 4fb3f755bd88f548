"""The doctor before a real Triton: each model answers, is missing, or is another one."""

import shutil
from dataclasses import replace

import tiny

from stream_deid.config import Settings
from stream_deid.operations.doctor import triton as doctor
from stream_deid.operations.doctor.findings import Level


def told(triton, *models):
    return list(doctor.look(Settings(triton=triton, models={"en": models})))


def test_models_that_answer_are_well(settings):
    found = told(settings, *tiny.MODELS)
    assert [one.level for one in found] == [Level.WELL, Level.WELL]
    assert all("tensors as its manifest" in one.what for one in found)


def test_a_model_with_other_labels_than_its_manifest(settings, repo, tmp_path):
    other = tmp_path / "models"
    shutil.copytree(repo, other)
    shutil.rmtree(other / "tiny_lstm")
    tiny.add_model(other, "tiny_lstm", "wordchar", labels=[*tiny.LABELS, "B-AGE", "I-AGE"])
    found = told(replace(settings, repository=str(other)), *tiny.MODELS)
    levels = {one.what.split(": ")[-1][:9]: one.level for one in found}
    assert Level.ERROR in levels.values()
    (error,) = (one for one in found if one.level is Level.ERROR)
    assert "triton.contract" in error.what
    assert "deploy both from one release" in error.remedy


def test_a_server_that_is_away(settings, unused_port, monkeypatch):
    monkeypatch.setattr(doctor, "_WAIT_S", 3.0)
    (only,) = told(replace(settings, url=f"127.0.0.1:{unused_port}"), "tiny_lstm")
    assert only.level is Level.ERROR
    assert "triton.unavailable" in only.what


def test_a_name_without_an_address(settings):
    (only,) = told(replace(settings, url="dns:///nowhere.invalid:8001"), "tiny_lstm")
    assert "has no address" in only.what


def test_a_server_of_ones_own_needs_no_look():
    (only,) = told(Settings().triton, "bert_en")
    assert only.level is Level.WELL
