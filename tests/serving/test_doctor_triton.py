"""The doctor before a real Triton: each model answers, is missing, or is another one."""

import re
import shutil
from dataclasses import replace

import pytest
import tiny

from stream_deid.config import Settings, Triton
from stream_deid.operations.doctor import triton as doctor
from stream_deid.operations.doctor.findings import Level
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer
from stream_deid.serving.tls import Tls

NAME, HOSTS = "stream-deid-triton", ("127.0.0.1", "127.0.0.2")


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
    assert only.what.endswith("Connection refused")


def test_a_name_without_an_address(settings):
    (only,) = told(replace(settings, url="dns:///nowhere.invalid:8001"), "tiny_lstm")
    assert "has no address" in only.what


@pytest.fixture
def under_a_name(repo, tmp_path, monkeypatch):
    """Settings of a Triton over TLS under a name with two addresses, and how to make a replica."""
    ours = Authority(tmp_path / "ca")
    port = free_port()
    made = Triton(
        url=f"dns:///{NAME}:{port}", repository=str(repo), ca=str(ours.certificate),
        **dict(zip(("certificate", "key"), map(str, ours.issue("worker")), strict=True)),
    )  # fmt: skip
    monkeypatch.setattr(doctor, "_addresses", lambda _: [f"{host}:{port}" for host in HOSTS])
    monkeypatch.setattr(doctor, "_WAIT_S", 6.0)

    def replica(host, days=2):
        tls = Tls.read(ours.certificate, *ours.issue(host, days, f"subjectAltName=DNS:{NAME}\n"))
        return LocalServer(repo, ["tiny_lstm"], Listening(host, port, tls=tls), threads=1)

    return made, replica


def test_who_is_refused_is_told_why(under_a_name):
    made, replica = under_a_name
    bare = replace(made, certificate="", key="")
    with replica(HOSTS[0]):
        found, _ = told(bare, "tiny_lstm")
        assert re.search("hangs up|CERTIFICATE", found.what), found.what
        other = made.url.replace(NAME, "another-name")
        found, _ = told(replace(made, url=other), "tiny_lstm")
        assert "its certificate: Hostname mismatch" in found.what
        found, second = told(replace(made, ca="", certificate="", key=""), "tiny_lstm")
        assert (found.level, second.level) == (Level.ERROR, Level.ERROR)


@pytest.mark.parametrize("days", [2, -1])
def test_each_replica_is_asked_over_tls_too_under_the_name_of_all(under_a_name, days):
    """Behind the name the one that is sick (here: its certificate is over) would not show."""
    made, replica = under_a_name
    with replica(HOSTS[0]), replica(HOSTS[1], days):
        first, second = told(made, "tiny_lstm")
    assert first.level is Level.WELL
    assert first.what.startswith(HOSTS[0])
    assert second.what.startswith(HOSTS[1])
    assert second.level is (Level.WELL if days > 0 else Level.ERROR)
    assert days > 0 or "certificate has expired" in second.what


def test_a_server_of_ones_own_needs_no_look():
    (only,) = told(Settings().triton, "bert_en")
    assert only.level is Level.WELL


def test_where_no_model_is_served_no_server_is_asked(settings, unused_port):
    nobody = replace(settings, url=f"127.0.0.1:{unused_port}")
    (found,) = told(nobody, "crf")
    assert (found.level, found.what) == (
        Level.WELL, "every model is read in the worker: no server is asked",
    )  # fmt: skip
