"""`stream-deid models build --target tensorrt`, as the init container runs it, as far as that goes
where no GPU is: TensorRT and `nvidia-smi` are stood in for, so what is shown is which steps are
taken, under which names, with which shapes; not that TensorRT takes the graphs, nor that its plans
are right.
"""

import re
import sys

import fake_tensorrt
import numpy as np
import onnxruntime
import pytest
import tiny

from stream_deid import cli, exits
from stream_deid.config import Settings, Triton
from stream_deid.errors import Halt
from stream_deid.serving import commands, manifest, wire
from stream_deid.serving.build import config_pbtxt
from stream_deid.serving.build import tensorrt as tensorrt_build

REPOSITORY = manifest.repository()


@pytest.fixture
def settings(repo):
    tiny.add_model(repo, "unused", "wordchar", seed=3)
    return Settings(triton=Triton(repository=str(repo)), models={"en": ("tiny_lstm", "tiny_bert")})


def build(settings, into, cache):
    with pytest.raises(Halt) as caught:
        commands.build(settings, "tensorrt", into=into, cache=cache)
    return caught.value.code


def test_only_the_configured_models_are_copied_and_a_second_try_starts_anew(settings, tmp_path):
    """The container that builds plans is started again in the folder that it left."""
    into = tmp_path / "models"
    (into / "tiny_lstm").mkdir(parents=True)
    (into / "tiny_lstm/half").write_text("what an earlier try left")
    assert build(settings, into, tmp_path / "plans").startswith("tensorrt.")
    assert build(settings, into, tmp_path / "plans").startswith("tensorrt.")
    assert sorted(path.name for path in into.iterdir()) == ["tiny_bert", "tiny_lstm"]
    assert (into / "tiny_lstm/1/model.onnx").is_file()
    assert not (into / "tiny_lstm/half").exists()


def test_cpu_engines_take_no_cache(settings, tmp_path):
    with pytest.raises(Halt) as caught:
        commands.build(settings, "cpu", cache=tmp_path)
    assert caught.value.code == "build.target"


class Host:
    """A GPU host: its kind of GPU, and a pod that builds what a Triton beside it is to serve."""

    def __init__(self, settings, folder, monkeypatch):
        self.folder, self.monkeypatch = folder, monkeypatch
        self.plans = folder / "plans"
        names = settings.models["en"]
        (folder / "stream-deid.toml").write_text(
            f'[triton]\nrepository = "{settings.triton.repository}"\n'
            f'[models]\nen = ["{names[0]}", "{names[1]}"]\n'
        )
        monkeypatch.setitem(sys.modules, "tensorrt", fake_tensorrt)
        monkeypatch.setattr(fake_tensorrt, "BUILT", [])

    def pod(self, name, kind="NVIDIA L4, 8.9"):
        """The status of the init container of a pod, and where its models are."""
        script = self.folder / "nvidia-smi"
        script.write_text(f"#!/bin/sh\necho '{kind}'\n")
        script.chmod(0o755)
        self.monkeypatch.setenv("PATH", f"{self.folder}:/usr/bin:/bin")
        into = self.folder / name
        settings = ["--config", str(self.folder / "stream-deid.toml")]
        told = ["--target=tensorrt", f"--into={into}", f"--cache={self.plans}"]
        return cli.main([*settings, "models", "build", *told]), into


@pytest.fixture
def host(settings, tmp_path, monkeypatch):
    return Host(settings, tmp_path, monkeypatch)


def built():
    return len(fake_tensorrt.BUILT)


def test_a_pod_builds_what_its_triton_names_and_the_next_one_takes_it(host, capsys):
    status, first = host.pod("first")
    assert status == 0
    for name in ("tiny_lstm", "tiny_bert"):
        model, plan = manifest.load(first, name), first / name / "1/model.plan"
        config = (first / name / "config.pbtxt").read_text()
        assert 'default_model_filename: "model.plan"' in config
        profiles = re.findall(r'"(\d+)"', re.search(r"profile: \[(.*)\]", config)[1])
        asked = fake_tensorrt.json.loads(plan.read_text())["profiles"]
        assert profiles == [str(n) for n in range(len(asked))]
        for profile, bucket in zip(asked, model.buckets, strict=True):
            for tensor in model.inputs:
                least, _, most = profile[tensor.name]
                assert (least[0], most[0]) == (1, model.max_batch)
                assert tensor.role == "lengths" or least[1] == most[1] == bucket
    assert built() == 2
    status, second = host.pod("second")
    assert (status, built()) == (0, 2)
    assert "plan taken from" in capsys.readouterr().out
    for name in ("tiny_lstm", "tiny_bert"):
        config_pbtxt.check(second, [name])
        plans = [folder / name / "1/model.plan" for folder in (first, second)]
        assert plans[0].read_bytes() == plans[1].read_bytes()


def test_plans_of_another_gpu_release_or_model_are_built_beside(host, monkeypatch):
    host.pod("first")
    assert host.pod("other", "NVIDIA H100 80GB HBM3, 9.0")[0] == 0
    assert built() == 4
    monkeypatch.setattr(fake_tensorrt, "__version__", "10.8.0")
    host.pod("newer")
    assert built() == 6
    kept = sorted({path.parent.name for path in host.plans.rglob("*.plan")})
    assert kept == ["NVIDIA-H100-80GB-HBM3-9.0-trt10.7.0",
                    "NVIDIA-L4-8.9-trt10.7.0", "NVIDIA-L4-8.9-trt10.8.0"]  # fmt: skip
    assert host.pod("last")[0] == 0
    assert built() == 6


@pytest.mark.parametrize("wrong", ["a file in its place", "rotten"])
def test_a_cache_that_is_no_good_costs_a_build_and_no_more(host, capsys, wrong):
    if wrong == "rotten":
        host.pod("first")
        for plan in host.plans.rglob("*.plan"):
            plan.write_bytes(plan.read_bytes()[:-1] + b"?")
    else:
        host.plans.write_text("")
    before = built()
    status, models = host.pod("second")
    assert (status, built()) == (0, before + 2)
    said = capsys.readouterr().out
    assert ("is not what was kept there" if wrong == "rotten" else "is not kept") in said
    for name in ("tiny_lstm", "tiny_bert"):
        fake_tensorrt.json.loads((models / name / "1/model.plan").read_text())


def test_gpus_of_two_kinds_in_a_pod_are_refused(host, capsys):
    status, _ = host.pod("first", "NVIDIA L4, 8.9\nNVIDIA A10, 8.6")
    assert status == exits.MISCONFIGURED
    assert "tensorrt.gpu" in capsys.readouterr().err


@pytest.mark.parametrize("name", [n for n in manifest.names(REPOSITORY) if "bert" not in n])
def test_the_graph_that_tensorrt_is_given_scores_as_the_one_that_serves(name):
    """Tables that are stored in narrow types are widened for it, and nothing else is changed."""
    model = manifest.load(REPOSITORY, name)
    path = model.directory / model.engine.onnx
    asked = wire.probe_arrays(model)
    served, given = (
        onnxruntime.InferenceSession(graph).run(None, asked)[0]
        for graph in (path.read_bytes(), tensorrt_build._graph(path))
    )
    np.testing.assert_array_equal(served, given)
