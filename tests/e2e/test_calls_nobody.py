"""Serving calls nobody: every look-up and connection of a run is recorded by the kernel's tracer.

onnxruntime and openvino would report their use to their makers when they are imported or run.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from whole import KEY

OUTSIDE = re.compile(r"sa_family=AF_INET6?,.*?(?:inet_addr\(\"|inet_pton\(AF_INET6, \")([^\"]+)")
LOOPBACK = re.compile(r"^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)")


def calls(trace: Path) -> list[str]:
    """The addresses outside of this machine that any process of a run spoke to."""
    found = [m[1] for line in trace.read_text().splitlines() if (m := OUTSIDE.search(line))]
    return [address for address in found if not LOOPBACK.match(address)]


def inherits(trace: Path, key: str) -> list[str]:
    """The programs that a run started with the key in their environment."""
    first, *others = (line for line in trace.read_text().splitlines() if " execve(" in line)
    assert key in first
    return [line.split('"')[1] for line in others if key in line and "ENOENT" not in line]


def traced(command: list[str], trace: Path, **env: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("strace") is None:
        if os.environ.get("CI"):
            pytest.fail("CI must install strace: this test may not be skipped there")
        pytest.skip("needs strace")
    watched = "trace=connect,sendto,sendmsg,sendmmsg,execve"
    spy = ["strace", "-f", "-qq", "-v", "-s", "256", "-e", watched, "-o", str(trace)]
    return subprocess.run(
        [*spy, *command], env={**os.environ, **env}, capture_output=True, text=True, check=False
    )


def test_the_recorder_sees_a_call(tmp_path):
    call = "import socket; s = socket.socket(2, 2); s.connect(('192.0.2.1', 9))"
    done = traced([sys.executable, "-c", call], tmp_path / "trace")
    assert done.returncode in (0, 1)
    assert calls(tmp_path / "trace") == ["192.0.2.1"]


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
