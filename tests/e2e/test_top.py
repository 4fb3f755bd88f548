"""`top` over two real workers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from harness import PATIENCE_S, committed, make_topics, worker

from stream_deid import cli
from stream_deid.config import Kafka
from stream_deid.rig.broker import free_port
from stream_deid.rig.reconciliation import publish


def test_two_workers_in_one_table(
    embedded: Kafka, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_topics(embedded, 4)
    ports = [free_port(), free_port()]
    values = [f"note {i}".encode() for i in range(200)] + [b"dead 1", b"dead 2"]
    publish(embedded, values, 4)
    first, second = (
        worker(embedded, tmp_path / f"{port}.log", STREAM_DEID_HTTP__PORT=str(port))
        for port in ports
    )
    with first, second:
        deadline = time.monotonic() + PATIENCE_S
        while committed(embedded, 4) < len(values):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        addresses = [f"127.0.0.1:{port}" for port in ports]
        said = ""
        while not all(one in said for one in ("2 of 2 workers", "hashing.dead", " 0 behind")):
            assert time.monotonic() < deadline, said
            assert cli.main(["top", "--once", "--every", "0", *addresses]) in (0, 1)
            said = capsys.readouterr().out
        assert "202 notes since their starts" in said
        assert said.count("hashing-1") == 2
        assert cli.main(["top", "--once", "--every", "0.5", *addresses]) == 0
        assert "0.0 notes/s, 0 behind" in capsys.readouterr().out
