"""Inner to outer topics on Apache Kafka: exactly once under kills, in batches, without a trace."""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import orjson
from confluent_kafka import Consumer, Message, TopicPartition
from harness import make_topics, notes, worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import Reader, environment, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import base_options, create_topics

PARTITIONS = 3
COUNT = 900


def mover(kafka: Kafka, outer: tuple[str, str], log: Path) -> Supervised:
    """A supervised `stream-deid release` that closes a batch every two seconds."""
    env = environment(
        kafka,
        STREAM_DEID_KEYS__VALUE="tests-only-key-of-the-release",
        STREAM_DEID_RELEASE__TOPIC_NOTES=outer[0],
        STREAM_DEID_RELEASE__TOPIC_AUDIT=outer[1],
        STREAM_DEID_RELEASE__PERIOD_S="2",
        STREAM_DEID_RELEASE__LEAST="60",
        STREAM_DEID_KAFKA__TRANSACTION_TIMEOUT_S="15",
    )
    return Supervised([sys.executable, "-m", "stream_deid.cli", "release"], env=env, log=log)


class Outside:
    """A recipient: reads the outer topics as anybody may."""

    def __init__(self, kafka: Kafka, outer: tuple[str, str]) -> None:
        self.seen: dict[str, list[Message]] = {topic: [] for topic in outer}
        self._consumer = Consumer(
            {
                **base_options(kafka),
                "group.id": "outside",
                "isolation.level": "read_committed",
                "auto.offset.reset": "earliest",
            }
        )
        self._consumer.assign([TopicPartition(t, p, 0) for t in outer for p in range(PARTITIONS)])

    def until(self, count: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while min(map(len, self.seen.values())) < count:
            assert time.monotonic() < deadline, {t: len(m) for t, m in self.seen.items()}
            self.read(0.5)

    def read(self, seconds: float) -> None:
        for message in self._consumer.consume(500, seconds):
            if message.error() is None:
                self.seen[str(message.topic())].append(message)

    def close(self) -> None:
        self._consumer.close()


def test_every_note_goes_out_once_in_another_order_and_tells_no_time(
    apache: Kafka, tmp_path: Path
) -> None:
    outer = (f"{apache.group}.outer.notes", f"{apache.group}.outer.audit")
    make_topics(apache, PARTITIONS)
    create_topics(apache, dict.fromkeys(outer, PARTITIONS))
    with ExitStack() as stack:
        inner = Reader(apache, PARTITIONS)
        stack.callback(inner.close)
        outside = Outside(apache, outer)
        stack.callback(outside.close)
        only = stack.enter_context(mover(apache, outer, tmp_path / "release.log"))
        stack.enter_context(worker(apache, tmp_path / "worker.log"))
        for part in range(3):
            publish(apache, notes(COUNT // 3, 200 + part), PARTITIONS)
            outside.until(60 + part * COUNT // 3, 90)
            only.send(signal.SIGKILL)
        inner.until(lambda seen: seen.done >= COUNT, 90)
        last = f"{apache.group}.last"  # fewer than `least` wait for company
        publish(apache, (f"{last} {i}".encode() for i in range(60)), PARTITIONS)
        outside.until(COUNT + 60, 120)
        outside.read(3.0)
    found = outside.seen[outer[0]]
    written = {
        value for (t, _), v in inner.ledger.values.items() if t == apache.topic_out for value in v
    }
    counts = Counter(message.value() for message in found)
    assert set(counts.values()) == {1}
    assert written <= set(counts)
    assert len(outside.seen[outer[1]]) == len(found) == COUNT + 60
    assert not any(message.headers() for messages in outside.seen.values() for message in messages)
    stamps = {m.timestamp()[1] for messages in outside.seen.values() for m in messages}
    assert len(stamps) < 40
    assert all(stamp % 2000 == 0 for stamp in stamps)
    assert all(
        set(orjson.loads(m.value() or b"")) == {"spans"} for m in outside.seen[outer[1]]
    )  # of the test worker's audit nothing is releasable
