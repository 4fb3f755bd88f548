"""What the plans are asked for; building them needs TensorRT, which is not on this machine."""

from dataclasses import replace
from pathlib import Path

import pytest

from stream_deid.errors import Halt
from stream_deid.serving.build import plan_cache
from stream_deid.serving.build import tensorrt as tensorrt_build
from stream_deid.serving.build.plan_cache import PlanCache
from stream_deid.serving.manifest import Engine, InputTensor, Manifest, OutputTensor


def a_model(**changes):
    model = Manifest(
        name="m", version="1", kind="wordchar", languages=("en",), labels=("O", "B-X", "I-X"),
        window=256, overlap=32, buckets=(32, 256), max_batch=64, inputs=(),
        output=OutputTensor("scores", "FP32"), engine=Engine("onnxruntime", "1/model.onnx"),
        files={}, build={}, directory=Path(), digest="d" * 64,
    )  # fmt: skip
    return replace(model, **changes)


def test_profiles_cover_every_batch_that_the_batcher_can_send():
    chars = InputTensor("chars", "INT32", (-1, 24))
    lengths = InputTensor("lengths", "INT32", (1,), "lengths")
    model = a_model(inputs=(chars, lengths))
    assert tensorrt_build.shapes(chars, model, 32) == ((1, 32, 24), (64, 32, 24), (64, 32, 24))
    assert tensorrt_build.shapes(chars, model, 256) == ((1, 256, 24), (8, 256, 24), (64, 256, 24))
    assert tensorrt_build.shapes(lengths, model, 256) == ((1,), (8,), (64,))


class Builder:
    """Builds a plan whose bytes say which build it was."""

    def __init__(self):
        self.built = 0

    def __call__(self, model):
        self.built += 1
        path = model.directory / "1/model.plan"
        path.write_bytes(b"plan %d" % self.built)
        return path


@pytest.fixture
def model(tmp_path):
    (tmp_path / "m/1").mkdir(parents=True)
    return a_model(directory=tmp_path / "m")


def test_a_plan_is_built_once_for_a_gpu_a_release_and_a_model(tmp_path, model):
    build, folder = Builder(), tmp_path / "plans"
    here = PlanCache(folder, "NVIDIA-L4-8.9", "10.7.0")
    assert here.fetch(model, build).read_bytes() == b"plan 1"
    (model.directory / "1/model.plan").unlink()  # another pod, with a fresh copy of the model
    assert here.fetch(model, build).read_bytes() == b"plan 1"
    assert build.built == 1
    PlanCache(folder, "NVIDIA-A10-8.6", "10.7.0").fetch(model, build)
    PlanCache(folder, "NVIDIA-L4-8.9", "10.8.0").fetch(model, build)
    here.fetch(replace(model, digest="e" * 64), build)
    assert build.built == 4
    assert len(list(folder.rglob("*.plan"))) == 4
    assert here.fetch(model, build).read_bytes() == b"plan 1"


def test_a_build_that_fails_leaves_no_plan_behind(tmp_path, model):
    def fails(_):
        raise Halt("tensorrt.build", "no plan")

    cache = PlanCache(tmp_path / "plans", "NVIDIA-L4-8.9", "10.7.0")
    with pytest.raises(Halt):
        cache.fetch(model, fails)
    assert not cache.place(model).exists()


def test_a_cache_that_can_not_be_written_says_so_and_holds_nobody_up(tmp_path, model, capsys):
    (tmp_path / "plans").write_text("a file")
    cache = PlanCache(tmp_path / "plans", "NVIDIA-L4-8.9", "10.7.0")
    assert cache.fetch(model, Builder()).read_bytes() == b"plan 1"
    assert "the plan is not kept" in capsys.readouterr().out


def test_a_kept_plan_that_has_changed_is_built_anew(tmp_path, model, capsys):
    cache, build = PlanCache(tmp_path / "plans", "NVIDIA-L4-8.9", "10.7.0"), Builder()
    cache.fetch(model, build)
    (kept,) = cache.place(model).iterdir()
    kept.write_bytes(b"plan 0")
    assert cache.fetch(model, build).read_bytes() == b"plan 2"
    assert f"{kept} is not what was kept there" in capsys.readouterr().out
    assert cache.fetch(model, build).read_bytes() == b"plan 2"
    assert build.built == 2


@pytest.mark.parametrize(
    ("answer", "name"),
    [("NVIDIA L4, 8.9", "NVIDIA-L4-8.9"), ("NVIDIA A100/PCIE, 8.0\nNVIDIA A100/PCIE, 8.0", None)],
)
def test_the_gpu_is_named_by_kind(tmp_path, monkeypatch, answer, name):
    tell(tmp_path, monkeypatch, answer)
    assert plan_cache.gpu() == (name or "NVIDIA-A100-PCIE-8.0")


@pytest.mark.parametrize("answer", ["NVIDIA L4, 8.9\nNVIDIA A10, 8.6", "", None])
def test_no_gpu_and_gpus_of_two_kinds_halt(tmp_path, monkeypatch, answer):
    tell(tmp_path, monkeypatch, answer)
    with pytest.raises(Halt) as caught:
        plan_cache.gpu()
    assert caught.value.code == "tensorrt.gpu"


def tell(folder, monkeypatch, answer):
    """A host whose `nvidia-smi` gives this answer; None: it has none."""
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    if answer is None:
        monkeypatch.setenv("PATH", str(folder))
        return
    script = folder / "nvidia-smi"
    script.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n")
    script.chmod(0o755)
