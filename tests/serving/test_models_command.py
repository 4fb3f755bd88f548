"""`stream-deid models check` and `models serve`, as a person runs them."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import tiny
import tritonclient.grpc as triton

from stream_deid import cli, exits
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port
from stream_deid.serving import manifest
from stream_deid.serving.tls import Tls

ROOT = Path(manifest.__file__).parents[2]


@pytest.fixture
def settings(tmp_path):
    repo = tmp_path / "models"
    tiny.add_model(repo, "tiny_lstm", "wordchar")
    path = tmp_path / "settings.toml"
    path.write_text(f'[triton]\nrepository = "{repo}"\nthreads = 1\n[models]\nen = ["tiny_lstm"]\n')
    return path


def test_check_says_what_it_saw_and_finds_what_is_wrong(settings, capsys):
    command = ["--config", str(settings), "models", "check"]
    assert cli.main(command) == 0
    assert "tiny_lstm@1: 1 files, 5 labels, onnxruntime, en: well" in capsys.readouterr().out
    config = settings.parent / "models/tiny_lstm/configs/cpu.pbtxt"
    config.write_text(config.read_text().replace("max_batch_size: 32", "max_batch_size: 64"))
    assert cli.main(command) == exits.MISCONFIGURED
    assert "config.drift: tiny_lstm/configs/cpu.pbtxt" in capsys.readouterr().err
    assert cli.main([*command, "--write"]) == 0
    assert cli.main(command) == 0
    (settings.parent / "models/tiny_lstm/1/model.onnx").write_bytes(b"other")
    assert cli.main(command) == exits.MISCONFIGURED
    assert "manifest.hash" in capsys.readouterr().err


def test_a_plan_cannot_be_built_without_tensorrt(settings, capsys):
    command = ["--config", str(settings), "models", "build", "--target", "tensorrt"]
    assert cli.main(command) == exits.MISCONFIGURED
    assert "tensorrt.missing" in capsys.readouterr().err


@contextmanager
def serving(settings, port, *more):
    """`models serve` in a process of its own, once it says that it is ready; told to stop after."""
    command = ["--config", str(settings), "models", "serve", "--grpc-port", str(port), *more]
    with subprocess.Popen(
        [sys.executable, "-m", "stream_deid.cli", *command],
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
    ) as process:
        try:
            said = process.stdout.readline()
            assert f"127.0.0.1:{port}".encode() in said
            yield said
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        finally:
            process.kill()


def test_serve_answers_until_it_is_told_to_stop(settings, unused_port):
    with serving(settings, unused_port) as said:
        assert b"TLS" not in said
        with triton.InferenceServerClient(f"127.0.0.1:{unused_port}") as client:
            assert client.is_model_ready("tiny_lstm")


def test_serve_over_tls_answers_those_who_have_a_certificate(settings, unused_port, tmp_path):
    ours = Authority(tmp_path / "ca")
    certificate, key = ours.issue("triton")
    named = ("--ca", ours.certificate, "--certificate", certificate, "--key", key)
    with serving(settings, unused_port, *map(str, named)) as said:
        assert b"gRPC over TLS" in said
        asks = Tls.read(ours.certificate, *ours.issue("worker")).options()
        with triton.InferenceServerClient(f"127.0.0.1:{unused_port}", **asks) as client:
            assert client.is_model_ready("tiny_lstm")
        bare = Tls.read(ours.certificate).options()
        with (
            triton.InferenceServerClient(f"127.0.0.1:{unused_port}", **bare) as client,
            pytest.raises(triton.InferenceServerException),
        ):
            client.is_server_live()


@pytest.mark.parametrize("given", [("ca",), ("certificate", "key"), ("ca", "certificate")])
def test_half_of_tls_is_refused_and_so_are_files_that_do_not_belong_together(
    settings, tmp_path, capsys, given
):
    ours = Authority(tmp_path / "ca")
    (certificate, key), (_, others) = ours.issue("triton"), ours.issue("other")
    files = {"ca": ours.certificate, "certificate": certificate, "key": key}
    command = ["--config", str(settings), "models", "serve", "--grpc-port", str(free_port())]
    for names, told in ((given, "go together"), (tuple(files), "is not the")):
        files = files if names == given else files | {"key": others}
        said = [part for name in names for part in (f"--{name}", str(files[name]))]
        assert cli.main([*command, *said]) == exits.MISCONFIGURED
        assert told in capsys.readouterr().err
