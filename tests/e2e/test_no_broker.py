"""Every command that needs a broker says soon that there is none, and ends when it is told to."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from stream_deid import cli, config
from stream_deid.rig.broker import free_port

SOON_S = 24.0
"""Ten seconds, and the start of a process on a loaded machine."""

BATCH = Path(__file__).parents[1] / "data" / "batch.hl7"

AT_ONCE = {
    "trace": (["trace", "0/17"], 75),
    "demo": (["demo"], 75),
    "doctor": (["doctor"], 78),
}
"""Their arguments, and the status with which they end by themselves."""

WAITING = {
    "worker": (["worker"], 0),
    "release": (["release"], 0),
    "replay": (["replay", "--from", "0", "--dry-run"], -signal.SIGTERM),
    "split": (["split", str(BATCH), "--publish"], -signal.SIGTERM),
    "mllp": (["mllp"], 0),
    "mllp-out": (["mllp-out"], 0),
}
"""Their arguments, and the status with which SIGTERM ends them."""

WITHOUT = {
    *("file", "chaos", "fuzz", "broker", "keygen", "config", "explain", "top", "reference"),
    *("models", "trunk", "train", "evaluate", "compare", "choose", "review", "attack", "lists"),
    "templates",
}
"""What has no broker, or one of its own."""

TOLD = (b"kafka.unreachable", b"waiting_for_kafka", b"does not answer")


def test_every_command_is_known_here() -> None:
    (commands,) = (
        action.choices
        for action in cli._parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    assert set(commands) == {*AT_ONCE, *WAITING, *WITHOUT}


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    nobody = f"127.0.0.1:{free_port()}"
    config.write_new_key(tmp_path / "key")
    return {
        **os.environ,
        "KAFKA_BOOTSTRAP_SERVERS": nobody,
        "STREAM_DEID_KAFKA__BOOTSTRAP": nobody,
        "STREAM_DEID_KEYS__FILE": str(tmp_path / "key"),
        "STREAM_DEID_HTTP__PORT": "0",
        "STREAM_DEID_MLLP__PORT": str(free_port()),
        "STREAM_DEID_MLLP_OUT__HOST": "127.0.0.1",
    }


class Running:
    """A command, and when it first said that there is no broker."""

    def __init__(self, arguments: list[str], environ: Mapping[str, str]) -> None:
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "stream_deid.cli", *arguments],
            env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.said, self.heard, self.told_s = b"", threading.Event(), float("inf")
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if not self.heard.is_set() and any(words in line for words in TOLD):
                self.told_s = time.monotonic() - self._began
                self.heard.set()

    def status(self) -> int:
        status = self.process.wait(60)
        self._thread.join(60)
        return status

    def close(self) -> None:
        self.process.kill()
        self.status()


@pytest.mark.parametrize("command", AT_ONCE)
def test_a_command_without_a_broker_ends_soon(command: str, environ: Mapping[str, str]) -> None:
    arguments, status = AT_ONCE[command]
    running = Running(arguments, environ)
    try:
        assert running.status() == status, running.said
        assert running.told_s < SOON_S, running.said
    finally:
        running.close()


@pytest.mark.parametrize("command", WAITING)
def test_a_service_without_a_broker_says_so_and_can_be_ended(
    command: str, environ: Mapping[str, str]
) -> None:
    arguments, status = WAITING[command]
    running = Running(arguments, environ)
    try:
        assert running.heard.wait(SOON_S), running.said
        running.process.terminate()
        assert running.status() == status, running.said
    finally:
        running.close()
