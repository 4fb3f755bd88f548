"""Replays of the real pipeline on Apache Kafka and a real Triton: same bytes, and what differs."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import orjson
from harness import PATIENCE_S, make_topics
from whole import PARTITIONS, send, whole_environment, whole_worker

from stream_deid.config import Kafka
from stream_deid.rig.fuzz import samples
from stream_deid.rig.fuzz.messages import make
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.synthetic import feed, poison
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import create_topics
from stream_deid.streaming.replay.order import named

ODD = 60
"""Records of every format, mutated ones among them: released, rejected, or of several notes."""
SAFE = {"STREAM_DEID_POLICY__NAME": "limited-data-set"}


def outputs(kafka: Kafka, count: int) -> dict[tuple[int, str], set[bytes]]:
    reader = LedgerReader(kafka, PARTITIONS)
    try:
        seen = reader.until(lambda ledger: ledger.done >= count, PATIENCE_S)
        assert seen.problems(count) == {}
        return {(kafka.topics.index(t), s): values for (t, s), values in seen.values.items()}
    finally:
        reader.close()


def test_the_same_release_gives_the_same_bytes_and_another_policy_is_told_without_a_value(
    apache: Kafka, server: LocalServer, tmp_path: Path
) -> None:
    make_topics(apache, PARTITIONS)
    beside = named(apache, "again", live=False)
    create_topics(apache, dict.fromkeys(beside.topics, PARTITIONS))
    bad, good = [message for _, message in poison()], list(feed(45, 11))
    odd = [make(31, number, samples.load()) for number in range(ODD)]
    placed = send(apache, [*(message.value for message in (*good, *bad)), *(o.raw for o in odd)])
    with whole_worker(apache, server.url, tmp_path / "worker.log"):
        live = outputs(apache, len(placed))

    def replay(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        env = os.environ | whole_environment(apache, server.url, **more)
        command = [sys.executable, "-m", "stream_deid.cli", "replay", *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    done = replay("--id", "again", PYTHONHASHSEED="7")
    assert done.returncode == 3, done.stderr[-3000:]  # poison is rejected again
    assert outputs(beside, len(placed)) == live

    others = replay("--id", "again", STREAM_DEID_KEYS__VALUE="a-key-that-did-not-begin-it")
    assert others.returncode == 78, others.stdout
    assert "replay.other" in others.stderr

    verified = replay("--verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr[-3000:]
    assert f"{len(placed)} of {len(placed)} notes came out byte for byte" in verified.stdout

    folder = tmp_path / "differences"
    compared = replay("--diff", str(folder), **SAFE)
    assert compared.returncode == 0, compared.stderr[-3000:]
    records = [orjson.loads(line) for line in (folder / "differences.jsonl").open()]
    kept = [span for one in records for span in one.get("spans", ()) if span["kind"] == "surrogate"]
    assert {span["type"] for span in kept} & {"DATE", "CITY", "ZIP", "STATE"}
    assert {one["verdict"] for one in records} == {"different"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())

    told = "".join(
        [*(p.read_text() for p in folder.iterdir()),
         *(d.stdout + d.stderr for d in (done, verified, compared))]
    )  # fmt: skip
    secrets = {text for m in (*bad, *good) for text in m.expected if len(text) > 5}
    secrets |= {text for one in odd for text in one.canaries if len(text) > 8}
    assert len(secrets) > 50
    assert not [text for text in sorted(secrets) if text in told]
    assert replay("--verify", **SAFE).returncode == 3
