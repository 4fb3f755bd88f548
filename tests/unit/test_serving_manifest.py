"""Manifests: what is read, and what is refused with which words."""

import hashlib
import shutil
from pathlib import Path

import orjson
import pytest
from google.protobuf import text_format
from hypothesis import given
from hypothesis import strategies as st
from tritonclient.grpc import model_config_pb2

from stream_deid.errors import Halt
from stream_deid.serving import manifest
from stream_deid.serving.build import config_pbtxt
from stream_deid.serving.local.server import stage

WEIGHTS = b"not really a graph"
BODY = {
    "name": "m", "version": "3", "kind": "wordchar", "languages": ["es"],
    "labels": ["O", "B-DATE", "I-DATE"], "window": 100, "overlap": 20,
    "buckets": [16, 64, 128], "max_batch": 16,
    "inputs": [
        {"name": "words", "dtype": "INT32", "dims": [-1]},
        {"name": "chars", "dtype": "INT32", "dims": [-1, 24]},
        {"name": "lengths", "dtype": "INT64", "dims": [1], "role": "lengths"},
    ],
    "output": {"name": "scores", "dtype": "FP32"},
    "engine": {"cpu": "onnxruntime", "file": "1/model.onnx"},
    "files": {"1/model.onnx": hashlib.sha256(WEIGHTS).hexdigest()},
    "transitions": [[0.0]], "o_bias": 1.0,
}  # fmt: skip


@pytest.fixture
def repo(tmp_path):
    write(tmp_path, BODY)
    return tmp_path


def write(repo: Path, body: dict, weights: bytes = WEIGHTS) -> None:
    (repo / "m" / "1").mkdir(parents=True, exist_ok=True)
    (repo / "m" / "1" / "model.onnx").write_bytes(weights)
    (repo / "m" / manifest.FILE).write_bytes(orjson.dumps(body))


def refused(repo: Path) -> Halt:
    with pytest.raises(Halt) as caught:
        manifest.load(repo, "m")
    return caught.value


def test_a_good_manifest_is_read_whole(repo):
    model = manifest.load(repo, "m")
    assert (model.name, model.version, model.kind) == ("m", "3", "wordchar")
    assert model.inputs[1].dims == (-1, 24)
    assert model.inputs[2].role == "lengths"
    assert model.digest == hashlib.sha256((repo / "m/manifest.json").read_bytes()).hexdigest()
    assert manifest.names(repo) == ["m"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": "other"}, "the folder's is m"),
        ({"kind": "magic"}, "kind"),
        ({"languages": []}, "languages"),
        ({"labels": ["B-DATE", "I-DATE"]}, "labels"),
        ({"labels": ["O", "B-DATE", "B-DATE"]}, "labels"),
        ({"window": 200}, "largest bucket"),
        ({"overlap": 60}, "half of window"),
        ({"buckets": [64, 16, 128]}, "ascending"),
        ({"max_batch": 0}, "max_batch"),
        ({"inputs": [{"name": "words", "dtype": "UINT8", "dims": [-1]}]}, "dtype"),
        ({"inputs": [{"name": "chars", "dtype": "INT32", "dims": [-1, -1]}]}, "dims"),
        ({"inputs": [{"name": "n", "dtype": "INT32", "dims": [1], "role": "lengths"}]}, "tokens"),
        ({"output": {"name": "scores", "dtype": "FP16"}}, "FP32"),
        ({"engine": {"cpu": "gpu", "file": "1/model.onnx"}}, "engine"),
        ({"engine": {"cpu": "openvino", "file": "../x"}}, "folder"),
        ({"engine": {"cpu": "openvino"}}, "TypeError"),
        ({"inputs": [{"dtype": "INT32", "dims": [-1]}]}, "KeyError"),
    ],
)
def test_what_does_not_fit_halts_with_clear_words(repo, change, words):
    write(repo, BODY | change)
    error = refused(repo)
    assert error.code == "manifest.invalid"
    assert words in error.detail


def test_all_mistakes_are_reported_together(repo):
    write(repo, BODY | {"languages": [], "max_batch": 0})
    detail = refused(repo).detail
    assert "languages" in detail
    assert "max_batch" in detail


def test_other_weights_halt(repo):
    write(repo, BODY, WEIGHTS + b"!")
    assert refused(repo).code == "manifest.hash"
    assert manifest.load(repo, "m", hashes=False).name == "m"


def test_a_missing_file_halts_and_says_how_to_make_it(repo):
    (repo / "m/1/model.onnx").unlink()
    error = refused(repo)
    assert error.code == "manifest.file-missing"
    assert "models build" in error.detail


def test_an_engine_that_is_built_here_must_exist_but_has_no_fixed_hash(repo):
    write(repo, BODY | {"engine": {"cpu": "openvino", "file": "1/model.xml"}})
    assert refused(repo).code == "manifest.file-missing"
    (repo / "m/1/model.xml").write_text("<net/>")
    assert manifest.load(repo, "m").engine.file == "1/model.xml"


def test_an_engine_that_was_built_from_other_weights_halts(repo):
    recipe = {"weights": "1/model.onnx", "int8": True}
    write(repo, BODY | {"engine": {"cpu": "openvino", "file": "1/model.xml"}, "build": recipe})
    (repo / "m/1/model.xml").write_text("<net/>")
    assert refused(repo).code == "manifest.stale-engine"
    engines = {"model.xml": manifest.sha256(repo / "m/1/model.xml")}
    stamp = {"build": recipe, "files": BODY["files"], "openvino": "1", "engines": engines}
    (repo / "m/1/built.json").write_bytes(orjson.dumps(stamp))
    assert manifest.load(repo, "m").name == "m"
    for change in ({"files": {"1/model.onnx": "0"}}, {"build": recipe | {"int8": False}}):
        (repo / "m/1/built.json").write_bytes(orjson.dumps(stamp | change))
        assert refused(repo).code == "manifest.stale-engine"


def test_an_engine_that_is_not_the_one_that_was_built_halts(repo):
    """Judged by its content: a stamp beside another engine says nothing."""
    recipe = {"weights": "1/model.onnx", "int8": True}
    write(repo, BODY | {"engine": {"cpu": "openvino", "file": "1/model.xml"}, "build": recipe})
    (repo / "m/1/model.xml").write_text("<net/>")
    engines = {"model.xml": manifest.sha256(repo / "m/1/model.xml")}
    stamp = {"build": recipe, "files": BODY["files"], "engines": engines}
    (repo / "m/1/built.json").write_bytes(orjson.dumps(stamp))
    assert manifest.load(repo, "m").name == "m"
    (repo / "m/1/model.xml").write_text("<net>another</net>")
    assert refused(repo).code == "manifest.engine-hash"


def test_a_stamp_that_does_not_name_the_engine_says_nothing_of_it(repo):
    recipe = {"weights": "1/model.onnx", "int8": True}
    write(repo, BODY | {"engine": {"cpu": "openvino", "file": "1/model.xml"}, "build": recipe})
    (repo / "m/1/model.xml").write_text("<net>another</net>")
    stamp = {"build": recipe, "files": BODY["files"], "engines": {}}
    (repo / "m/1/built.json").write_bytes(orjson.dumps(stamp))
    assert refused(repo).code == "manifest.stale-engine"


def test_what_the_core_reads_is_checked_wherever_the_model_is_served(repo):
    """A worker beside a Triton elsewhere took any vocabulary that lay in its folder."""
    write(repo, BODY | {"vocabulary": "words.json"})
    assert "files must name" in refused(repo).detail
    digest = hashlib.sha256(b"{}").hexdigest()
    files = BODY["files"] | {"words.json": digest}
    write(repo, BODY | {"vocabulary": "words.json", "files": files})
    (repo / "m/words.json").write_text("[]")
    with pytest.raises(Halt) as raised:
        manifest.model_spec(manifest.load(repo, "m", hashes=False))
    assert raised.value.code == "manifest.hash"


def test_a_server_gets_what_manifests_name_and_nothing_else(repo, tmp_path_factory):
    """Neither code beside the weights, nor another version, nor what a link leads to unchecked."""
    config_pbtxt.write_all(repo)
    shutil.copytree(repo / "m/1", repo / "m/2")
    (repo / "m/1/model.py").write_text("raise SystemExit")
    shutil.move(repo / "m/1/model.onnx", repo / "elsewhere")
    (repo / "m/1/model.onnx").symlink_to(repo / "elsewhere")
    staged = stage(tmp_path_factory.mktemp("staged"), manifest.load_all(repo, ["m"]))
    found = {str(path.relative_to(staged)) for path in staged.rglob("*") if not path.is_dir()}
    assert found == {
        "m/1/model.onnx", "m/config.pbtxt", "m/configs/cpu.pbtxt", "m/manifest.json"
    }  # fmt: skip
    assert not (staged / "m/1/model.onnx").is_symlink()
    (repo / "elsewhere").write_bytes(b"other weights")
    with pytest.raises(Halt, match=r"manifest\.hash"):
        stage(tmp_path_factory.mktemp("again"), manifest.load_all(repo, ["m"], hashes=False))


def test_no_manifest_and_no_json(tmp_path):
    assert refused(tmp_path).code == "manifest.missing"
    write(tmp_path, BODY)
    (tmp_path / "m" / manifest.FILE).write_bytes(b"{")
    assert refused(tmp_path).code == "manifest.invalid"


@given(st.integers(0, 128))
def test_the_bucket_is_the_smallest_that_holds_the_window(tmp_path_factory, length):
    repo = tmp_path_factory.getbasetemp() / "shared"
    write(repo, BODY)
    model = manifest.load(repo, "m")
    bucket = model.bucket(length)
    assert bucket >= length
    assert all(b < length for b in model.buckets if b < bucket)


def test_a_window_beyond_the_largest_bucket_halts(repo):
    with pytest.raises(Halt) as caught:
        manifest.load(repo, "m").bucket(129)
    assert caught.value.code == "window.too-long"


def test_the_repository_is_found_or_refused(tmp_path):
    assert manifest.repository(str(tmp_path)) == tmp_path
    with pytest.raises(Halt, match=r"models\.missing: .*none is no folder"):
        manifest.repository(str(tmp_path / "none"))


def tensors(text: str) -> str:
    """The part of a configuration that a client can see."""
    return text[text.index("max_batch_size") : text.index("instance_group")]


def test_gpu_and_cpu_hosts_look_the_same_to_a_client(repo):
    files = config_pbtxt.render(manifest.load(repo, "m"))
    gpu, cpu = files["config.pbtxt"], files["configs/cpu.pbtxt"]
    assert tensors(gpu) == tensors(cpu)
    assert 'platform: "tensorrt_plan"' in gpu
    assert 'profile: [ "0", "1", "2" ]' in gpu
    assert 'backend: "stream_deid_cpu"' in cpu
    assert "KIND_GPU" in gpu
    assert "KIND_CPU" in cpu
    assert "dims: [ -1, 3 ]" in cpu
    assert "reshape: { shape: [ ] }" in cpu
    assert "queue_policy" not in gpu + cpu  # see config_pbtxt: it stalls Triton


def test_configurations_parse_as_tritons_own_message(repo):
    for text in config_pbtxt.render(manifest.load(repo, "m")).values():
        parsed = text_format.Parse(text, model_config_pb2.ModelConfig())
        assert parsed.name == "m"
        assert parsed.max_batch_size == 16
        assert [i.name for i in parsed.input] == ["words", "chars", "lengths"]
        assert list(parsed.dynamic_batching.preferred_batch_size) == [16]


def test_drift_is_found_and_mended(repo):
    assert config_pbtxt.drift(repo) == ["m/config.pbtxt", "m/configs/cpu.pbtxt"]
    assert len(config_pbtxt.write_all(repo)) == 2
    assert config_pbtxt.drift(repo) == []
    assert config_pbtxt.write_all(repo) == []
    path = repo / "m/configs/cpu.pbtxt"
    path.write_text(path.read_text() + "# by hand\n")
    assert config_pbtxt.drift(repo) == ["m/configs/cpu.pbtxt"]
    with pytest.raises(Halt, match=r"config\.drift"):
        config_pbtxt.check(repo)


def test_the_committed_models_are_well():
    """Every model of `triton_models`: manifest, hashes of what is committed, no drift."""
    repo = manifest.repository()
    assert config_pbtxt.drift(repo) == []
    for name in manifest.names(repo):
        model = manifest.load(repo, name, hashes=False)
        for relative, digest in model.files.items():
            if (model.directory / relative).is_file():
                assert manifest.sha256(model.directory / relative) == digest
