"""What was sent and what came of it: the demo's own book, filled from the outputs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from confluent_kafka import KafkaError, Message, Producer

from stream_deid import config
from stream_deid.errors import Halt, Unavailable
from stream_deid.exits import MISCONFIGURED
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import FeedMessage
from stream_deid.streaming.kafka.clients import base_options

TIMEOUT_S = 180.0


@dataclass(slots=True)
class DemoEntry:
    """One message: when the producer took it, where it landed, what came out and when."""

    message: FeedMessage = field(repr=False)
    sent: float
    source: str = ""
    note: bytes = field(default=b"", repr=False)
    audit: bytes = field(default=b"", repr=False)
    dead: bytes = b""
    arrived: float = 0.0

    @property
    def latency(self) -> float:
        """Seconds from handing the message to the producer to reading its outcome."""
        return self.arrived - self.sent


class DemoBook:
    """Publishes messages and reads their outcomes; `entries` in the order of publication."""

    def __init__(self, kafka: config.Kafka, partitions: int, worker: Supervised) -> None:
        self.entries: list[DemoEntry] = []
        self.reader = LedgerReader(kafka, partitions)
        self._kafka = kafka
        self._partitions = partitions
        self._worker = worker
        self._producer = Producer(
            {**base_options(kafka), "message.max.bytes": kafka.max_message_bytes}
        )

    def burst(self, messages: Sequence[FeedMessage]) -> list[DemoEntry]:
        """Publish all at once; returns when every outcome has been read."""
        entries = [self._send(message) for message in messages]
        self._producer.flush()
        self._await()
        return entries

    def singly(self, messages: Sequence[FeedMessage]) -> list[DemoEntry]:
        """Publish each message when the outcome of the one before has been read."""
        return [entry for message in messages for entry in self.burst([message])]

    def close(self) -> None:
        self.reader.close()

    def _send(self, message: FeedMessage) -> DemoEntry:
        entry = DemoEntry(message, time.time())

        def report(error: KafkaError | None, record: Message) -> None:
            if error is not None:
                raise Unavailable("kafka.publish", error.name())
            entry.source = f"{record.topic()}/{record.partition()}/{record.offset()}"

        self.entries.append(entry)
        place = len(self.entries) % self._partitions
        self._producer.produce(
            self._kafka.topic_in, message.value, message.key, place, on_delivery=report
        )
        return entry

    def _await(self) -> None:
        """Read until every entry has its outcome. Raises `Unavailable` after `TIMEOUT_S`."""
        deadline = time.monotonic() + TIMEOUT_S
        waiting = [entry for entry in self.entries if not entry.arrived]
        while waiting:
            if MISCONFIGURED in self._worker.statuses:
                raise Halt("demo.worker", "the worker refuses to run; its log tells why")
            if time.monotonic() > deadline:
                raise Unavailable(
                    "demo.timeout",
                    f"{len(waiting)} of {len(self.entries)} notes did not arrive within "
                    f"{TIMEOUT_S:g} s; the worker's log may tell why",
                )
            self.reader.poll(0.05)
            now = time.time()
            waiting = [entry for entry in waiting if not self._settled(entry, now)]

    def _settled(self, entry: DemoEntry, now: float) -> bool:
        values, kafka = self.reader.ledger.values, self._kafka
        note, audit, dead = (
            next(iter(values.get((topic, entry.source), ())), b"")
            for topic in (kafka.topic_out, kafka.topic_audit, kafka.topic_dead)
        )
        if not dead and not (note and audit):
            return False
        entry.note, entry.audit, entry.dead, entry.arrived = note, audit, dead, now
        return True
