"""Serving calls nobody: every look-up and connection of a run is recorded by the kernel's tracer.

onnxruntime and openvino would report their use to their makers when they are imported or run.
"""

import os
import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from harness import AGAIN_AFTER_S, PATIENCE_S, make_topics
from whole import KEY, PARTITIONS, send, whole_environment

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.synthetic import feed

OUTSIDE = re.compile(r"sa_family=AF_INET6?,.*?(?:inet_addr\(\"|inet_pton\(AF_INET6, \")([^\"]+)")
NAMES = "htons(53)"  # a resolver on this machine passes look-ups on
LOOPBACK = re.compile(r"^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)")


def calls(trace: Path) -> list[str]:
    """The addresses outside of this machine, and the name servers on it, that any process of a run
    spoke to.
    """
    lines = [(m[1], line) for line in trace.read_text().splitlines() if (m := OUTSIDE.search(line))]
    return [address for address, line in lines if NAMES in line or not LOOPBACK.match(address)]


def inherits(trace: Path, key: str) -> list[str]:
    """The programs that a run started with the key in their environment."""
    first, *others = (line for line in trace.read_text().splitlines() if " execve(" in line)
    assert key in first
    return [line.split('"')[1] for line in others if key in line and "ENOENT" not in line]


def spy(trace: Path) -> list[str]:
    """What a command is put behind to have its calls and programs written to a file."""
    if shutil.which("strace") is None:
        if os.environ.get("CI"):
            pytest.fail("CI must install strace: this test may not be skipped there")
        pytest.skip("needs strace")
    watched = "trace=connect,sendto,sendmsg,sendmmsg,execve"
    # all other calls run at their speed (--seccomp-bpf)
    how = ["-f", "--seccomp-bpf", "-qq", "-v", "-s", "256", "-e"]
    return ["strace", *how, watched, "-o", str(trace)]


def traced(command: list[str], trace: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*spy(trace), *command], env={**os.environ, **env}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_the_recorder_sees_a_call(tmp_path):
    call = "import socket; s = socket.socket(2, 2); s.connect(('192.0.2.1', 9))"
    done = traced([sys.executable, "-c", call], tmp_path / "trace")
    assert done.returncode in (0, 1)
    assert calls(tmp_path / "trace") == ["192.0.2.1"]


def test_the_recorder_sees_a_look_up_that_a_resolver_here_answers(tmp_path):
    query = "import socket; socket.socket(2, 2).sendto(b'?', ('127.0.0.53', 53))"
    traced([sys.executable, "-c", query], tmp_path / "trace")
    assert calls(tmp_path / "trace") == ["127.0.0.53"]


def test_a_worker_with_its_own_triton_calls_nobody_but_its_broker(embedded: Kafka, tmp_path):
    make_topics(embedded, PARTITIONS)
    reader = LedgerReader(embedded, PARTITIONS, AGAIN_AFTER_S)
    placed = send(embedded, (message.value for message in feed(PARTITIONS, 3)))
    command = [*spy(tmp_path / "trace"), sys.executable, "-m", "stream_deid.cli", "worker"]
    env = {**os.environ, **whole_environment(embedded, "auto")}
    with (
        closing(reader),
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(command, env=env, stdout=log, stderr=log) as process,
    ):
        reader.until(lambda ledger: ledger.done >= len(placed), PATIENCE_S)
        (worker,) = psutil.Process(process.pid).children()
        worker.terminate()
        assert process.wait(PATIENCE_S) == 0
    assert reader.ledger.problems(len(placed)) == {}
    assert calls(tmp_path / "trace") == []
    assert inherits(tmp_path / "trace", KEY) == []


def test_a_file_with_its_own_triton_calls_nobody(tmp_path):
    source = tmp_path / "notes.jsonl"
    source.write_text(
        '{"note_id":"1","patient_id":"p","text":"Seen by Dr. Anna Keller on 3/4/2021."}\n'
        '{"note_id":"2","patient_id":"q","text":"La paciente Ana Ruiz ingresa el 3 de mayo."}\n'
    )
    command = [
        sys.executable, "-m", "stream_deid.cli", "file", str(source), "--quiet",
        "--out", str(tmp_path / "clean"), "--audit", str(tmp_path / "audit"),
    ]  # fmt: skip
    done = traced(command, tmp_path / "trace", STREAM_DEID_KEYS__VALUE=KEY)
    assert done.returncode == 0, done.stderr
    assert "Keller" not in (tmp_path / "clean").read_text()
    assert calls(tmp_path / "trace") == []
    assert inherits(tmp_path / "trace", KEY) == []
