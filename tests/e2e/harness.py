"""Publishing notes, running workers, and counting what came out: shared by the kill tests."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import orjson
import pytest

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import environment, named_after
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import create_topics
from stream_deid.streaming.kafka.offsets import Offsets

PATIENCE_S = 240.0
"""So long a test waits for what must come; no claim hangs on it, for machines are loaded."""

AGAIN_AFTER_S = 3.0
"""For readers of the embedded broker while workers are killed, see `account.Reader`."""

PARTITIONS = 3
"""Of the topics of tests of one worker."""

HASHING = Path(__file__).with_name("hashing.py")


def kafka_settings(bootstrap: str, group: str = "deid", session_s: float = 6.0) -> Kafka:
    """Settings for tests: topics named after the group, short timeouts."""
    kafka = Kafka(
        bootstrap=bootstrap,
        batch=50,
        session_timeout_s=session_s,
        heartbeat_s=0.5,
        transaction_timeout_s=20.0,
    )
    return named_after(kafka, group)


def make_topics(kafka: Kafka, partitions: int) -> None:
    create_topics(kafka, dict.fromkeys(kafka.topics, partitions), timeout_s=PATIENCE_S)


def worker(kafka: Kafka, log: Path, *, pause_s: float = 0.2, **more: str) -> Supervised:
    """A supervised worker with the hashing processor, not started yet."""
    root = str(HASHING.parents[2])
    return Supervised(
        [sys.executable, str(HASHING)],
        env=environment(kafka, **{"PYTHONPATH": root, "STREAM_DEID_SHUTDOWN_S": "10", **more}),
        log=log,
        first_pause_s=pause_s,
        max_pause_s=max(2.0, pause_s),
    )


def notes(count: int, size: int = 1000) -> Iterable[bytes]:
    return (f"note {i} ".encode().ljust(size, b".") for i in range(count))


def committed(kafka: Kafka, partitions: int) -> int:
    """The sum of the group's committed offsets."""
    offsets = Offsets(kafka)
    try:
        return sum(position for position, _ in offsets.lag(range(partitions)).values())
    finally:
        offsets.close()


def kafka_home() -> Path:
    """Where Apache Kafka is; without one a test is left out."""
    home = os.environ.get("KAFKA_HOME")
    if not home:
        pytest.skip("KAFKA_HOME is not set")
    return Path(home)


def until(
    condition: Callable[[], object],
    what: str | Callable[[], object] = "",
    seconds: float = PATIENCE_S,
) -> None:
    """Wait for it; fails with `what` was waited for."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what() if callable(what) else f"in vain: {what}"
        time.sleep(0.05)


def events(log: Path) -> list[dict[str, Any]]:
    """What a process has logged so far."""
    lines = log.read_bytes().splitlines() if log.exists() else []
    return [orjson.loads(line) for line in lines if line[:1] == b"{" and line[-1:] == b"}"]
