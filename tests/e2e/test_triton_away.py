"""Triton stopped for many requests' time, and killed, under the whole service on a real broker.

Notes wait, none is lost or comes twice, nothing is a dead letter; the worker is not ready and says
why, is live all the while, and releases again soon after.
"""

from __future__ import annotations

import os
import signal
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import orjson
from harness import AGAIN_AFTER_S, PATIENCE_S, make_topics
from sleeping import asleep
from whole import MODELS, PARTITIONS, send, whole_worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.health import SILENT_S

SERVED = {name for names in MODELS.values() for name in names}
REQUEST_S = 4.0
STOPPED_S = 36.0
"""Three tries end in vain meanwhile, each twice as long as the one before."""
AGAIN_S = 60.0
"""So long after it woke, or was started again, the next note is out at the latest: alone on a
machine it takes a second, and where waking ended it, as long as a start takes."""


class Stream:
    """One worker on its own Triton, a reader of what comes out, and what the worker tells."""

    def __init__(self, kafka: Kafka, folder: Path, stack: ExitStack) -> None:
        names = [name for models in MODELS.values() for name in models]
        own = LocalServer(manifest.repository(), names, threads=1, restarts=10)
        self.server = stack.enter_context(own)
        make_topics(kafka, PARTITIONS)
        self.kafka, self.log = kafka, folder / "worker.log"
        self.reader = LedgerReader(kafka, PARTITIONS, AGAIN_AFTER_S)
        stack.callback(self.reader.close)
        self.sent = 0
        self.worker: Supervised = stack.enter_context(
            whole_worker(
                kafka,
                self.server.url,
                self.log,
                STREAM_DEID_TRITON__REQUEST_TIMEOUT_S=str(REQUEST_S),
            )
        )

    def feed(self, count: int, seed: int) -> None:
        self.sent += len(send(self.kafka, (message.value for message in feed(count, seed))))

    def released(self, more: int, seconds: float = PATIENCE_S) -> float:
        """Seconds until so many more notes are out than were."""
        wanted, began = self.reader.ledger.done + more, time.monotonic()
        self.reader.until(lambda ledger: ledger.done >= wanted, seconds)
        passed = time.monotonic() - began
        print(f"{more} more after {passed:.1f} s")  # noqa: T201 - shown with -s
        return passed

    def settled(self) -> None:
        """All that was sent is out, each once, with its audit, and none of it is a dead letter."""
        self.reader.until(lambda ledger: ledger.done >= self.sent, PATIENCE_S)
        ledger = self.reader.settle(2.0)
        assert ledger.problems(self.sent) == {}
        assert not [place for place, _ in ledger.values if place == self.kafka.topic_dead]
        assert (self.worker.starts, self.worker.statuses) == (1, [])

    def events(self) -> list[dict[str, object]]:
        lines = self.log.read_bytes().splitlines()
        return [orjson.loads(line) for line in lines if line[:1] == b"{"]

    def asked(self, path: str) -> tuple[int, str]:
        address = next(e["address"] for e in self.events() if e["event"] == "endpoint")
        try:
            with urllib.request.urlopen(f"{address}{path}", timeout=10) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


def test_notes_wait_while_triton_is_stopped(
    apache: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    stream = Stream(apache, tmp_path, stack)
    stream.feed(30, 21)
    stream.released(10)
    with asleep(stream.server):
        stream.feed(30, 22)
        until = time.monotonic() + STOPPED_S
        live, ready = set(), []
        while (left := until - time.monotonic()) > 0:
            live.add(stream.asked("/healthz")[0])
            if left < STOPPED_S - SILENT_S - 12:
                ready.append(stream.asked("/readyz"))
            time.sleep(1.0)
        stream.reader.settle(1.0)
        assert stream.reader.ledger.done < stream.sent
    assert live == {200}, "a worker whose models are away is not to be restarted for it"
    assert {status for status, _ in ready} == {503}
    assert all("the models have not answered for" in said for _, said in ready)
    silent = [e for e in stream.events() if e["event"] == "models_silent"]
    assert silent
    assert len(silent) <= STOPPED_S / SILENT_S
    assert all(e["models"] and set(e["models"]) <= SERVED for e in silent)
    assert stream.released(1) < AGAIN_S
    stream.settled()
    assert [e for e in stream.events() if e["event"] == "models_answer"]
    assert stream.asked("/readyz")[0] == 200


def test_notes_wait_while_triton_is_killed(apache: Kafka, tmp_path: Path, stack: ExitStack) -> None:
    stream = Stream(apache, tmp_path, stack)
    stream.feed(30, 23)
    stream.released(10)
    killed = stream.server.pid
    os.kill(killed, signal.SIGKILL)
    stream.reader.settle(1.0)
    stream.feed(30, 24)
    while stream.server.pid == killed:
        time.sleep(0.1)
    stream.server.wait_ready(PATIENCE_S)
    assert stream.released(1) < AGAIN_S
    stream.settled()
    assert not [e for e in stream.events() if e["event"] == "not_live"]
