"""Options that Kafka's client refuses are told as such by every command; none is a defect."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import stream_deid
from stream_deid.rig.broker import free_port

PACKAGE = Path(stream_deid.__file__).parent
KINDS = {"Consumer", "Producer", "AdminClient"}
ASKS_ITSELF = {"operations/doctor/kafka.py"}
"""What looks at the settings first."""
COMMANDS = (
    ["worker"], ["release"], ["mllp"], ["mllp-out"], ["replay", "--from", "0", "--dry-run"],
    ["replay", "--from", "0", "--verify"], ["trace", "0/0"],
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_file_of_certificates_that_is_none_is_told(tmp_path, command):
    authority, key = tmp_path / "ca.crt", tmp_path / "key"
    authority.write_text("no PEM")
    key.write_text("0123456789abcdef" * 2)
    key.chmod(0o600)
    own = {
        "KAFKA__BOOTSTRAP": "127.0.0.1:9", "KAFKA__SECURITY__SECURITY_PROTOCOL": "ssl",
        "KAFKA__SECURITY__SSL_CA_LOCATION": str(authority), "KEYS__FILE": str(key),
        "TRITON__URL": "127.0.0.1:9", "DEADLINE_S": "10", "HTTP__PORT": "0",
        "MLLP__PORT": str(free_port()), "MLLP_OUT__HOST": "127.0.0.1",
    }  # fmt: skip
    env = {name: value for name, value in os.environ.items() if "STREAM_DEID" not in name}
    env |= {f"STREAM_DEID_{name}": value for name, value in own.items()}
    done = subprocess.run(
        [sys.executable, "-m", "stream_deid.cli", *command],
        env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    told = done.stdout + done.stderr
    assert done.returncode == 78, told
    assert "kafka.options" in told
    assert "defect" not in told


def test_every_client_is_made_by_what_tells_so():
    for path in PACKAGE.rglob("*.py"):
        name = str(path.relative_to(PACKAGE))
        if name in ASKS_ITSELF or name.startswith("rig/"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            made = isinstance(node, ast.Call) and getattr(node.func, "id", "") in KINDS
            assert not made, f"{name}:{node.lineno}: use clients.client"
