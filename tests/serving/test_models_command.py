"""`stream-deid models check` and `models serve`, as a person runs them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import tiny
import tritonclient.grpc as triton

from stream_deid import cli, exits
from stream_deid.serving import manifest

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


def test_serve_answers_until_it_is_told_to_stop(settings, unused_port):
    port = unused_port
    command = ["--config", str(settings), "models", "serve", "--grpc-port", str(port)]
    with subprocess.Popen(
        [sys.executable, "-m", "stream_deid.cli", *command],
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
    ) as process:
        try:
            assert f"127.0.0.1:{port}".encode() in process.stdout.readline()
            with triton.InferenceServerClient(f"127.0.0.1:{port}") as client:
                assert client.is_model_ready("tiny_lstm")
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        finally:
            process.kill()
