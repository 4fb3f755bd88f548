"""An account of a stream: publish a feed, read both outputs, and say what is missing or twice.

Used by the demo, the chaos command and the kill tests. A reader here sees committed records
only, as every consumer of the outputs should.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.streaming.kafka.clients import RECEIVE_LIMIT, base_options
from stream_deid.streaming.kafka.headers import headers_in

_KNOWN_S = 10.0  # so long partitions are waited for


def publish(
    kafka: Kafka,
    values: Iterable[bytes],
    partitions: int,
    *,
    only: int | None = None,
    compression: str = "none",
) -> int:
    """Send messages round robin over the partitions (or to one), durably; give their number.

    Raises `Unavailable("kafka.publish")` if not all were taken.
    """
    more = {"enable.idempotence": True, "linger.ms": 20, "compression.type": compression}
    producer = Producer(base_options(kafka) | more)
    _await_partitions(producer, kafka.topic_in, partitions)
    refused: Counter[str] = Counter()

    def reported(error: KafkaError | None, _: object) -> None:
        if error is not None:
            refused[error.name()] += 1

    number = 0
    for number, value in enumerate(values, 1):
        while True:
            try:
                place = number % partitions if only is None else only
                producer.produce(kafka.topic_in, value, partition=place, on_delivery=reported)
                break
            except BufferError:
                producer.poll(0.1)
            except KafkaException as error:
                reported(error.args[0], None)
                break
        producer.poll(0)
    left = producer.flush(60)
    if left or refused:
        why = ", ".join(refused) or "no answer"
        raise Unavailable(
            "kafka.publish", f"{left + refused.total()} messages were not taken: {why}"
        )
    return number


def _await_partitions(producer: Producer, topic: str, partitions: int) -> None:
    """A broker may learn of partitions that were added after their maker was told of them, and
    a message for one that it doesn't know is refused.
    """
    deadline = time.monotonic() + _KNOWN_S
    while (known := _count(producer, topic)) < partitions:
        if time.monotonic() > deadline:
            raise Unavailable("kafka.publish", f"{topic} has {known} partitions, not {partitions}")
        time.sleep(0.1)


def _count(producer: Producer, topic: str) -> int:
    return len(producer.list_topics(topic, timeout=_KNOWN_S).topics[topic].partitions)


def named_after(kafka: Kafka, group: str) -> Kafka:
    """The same broker, with a group and the four topics under its name."""
    return replace(
        kafka,
        group=group,
        topic_in=f"{group}.raw",
        topic_out=f"{group}.deid",
        topic_audit=f"{group}.audit",
        topic_dead=f"{group}.dead",
    )


@dataclass
class Ledger:
    """Everything that a read_committed reader has seen, by source coordinates."""

    notes: Counter[str] = field(default_factory=Counter)
    audits: Counter[str] = field(default_factory=Counter)
    dead: Counter[str] = field(default_factory=Counter)
    values: dict[tuple[str, str], set[bytes]] = field(default_factory=dict)

    @property
    def done(self) -> int:
        return len(self.notes.keys() | self.dead.keys())

    def problems(self, published: int) -> dict[str, int]:
        """What is wrong with the account; empty if every note is there exactly once."""
        ends = self.notes + self.dead
        found = {
            "lost": published - len(ends),
            "duplicates": sum(n - 1 for n in ends.values()),
            "notes_without_audit": len(self.notes.keys() - self.audits.keys()),
            "audits_without_note": len(self.audits.keys() - self.notes.keys()),
            "duplicate_audits": sum(n - 1 for n in self.audits.values()),
        }
        return {name: number for name, number in found.items() if number}


class Watcher(Protocol):
    """Looks at every committed record in place of keeping its value in the ledger."""

    def saw(self, topic: str, partition: int, source: str, value: bytes) -> None:
        """A record of `topic` in its `partition`, made of the message at `source`."""

    def forget(self) -> None:
        """Everything is read again from its beginning."""


class LedgerReader:
    """Reads the three output topics from their beginning into a ledger.

    noida-db may hide committed records from a consumer that was reading while a transaction of
    a killed worker was aborted, and shows them to the next consumer. So with `again_after_s`, a
    reader that waits in vain for that long reads everything again with a fresh consumer. On
    Kafka leave it out: there, what a live reader misses is lost.
    """

    def __init__(
        self,
        kafka: Kafka,
        partitions: int,
        again_after_s: float = math.inf,
        watcher: Watcher | None = None,
    ) -> None:
        self.ledger = Ledger()
        self._watcher = watcher
        self._kafka = kafka
        self._counters: Mapping[str, Counter[str]] = {
            kafka.topic_out: self.ledger.notes,
            kafka.topic_audit: self.ledger.audits,
            kafka.topic_dead: self.ledger.dead,
        }
        self._places = [
            TopicPartition(topic, partition, 0)
            for topic in self._counters
            for partition in range(partitions)
        ]
        self._again_after_s = again_after_s
        self._consumer = self._open()
        self._heard = time.monotonic()

    def poll(self, seconds: float = 0.05) -> None:
        for message in self._consumer.consume(500, seconds):
            if message.error() is not None:
                continue
            self._heard = time.monotonic()
            topic = str(message.topic())
            headers = dict(headers_in(message) or ())
            source = str(headers.get("source", b""), "utf-8")
            self._counters[topic][source] += 1
            value = message.value() or b""
            if self._watcher is None:
                self.ledger.values.setdefault((topic, source), set()).add(value)
            else:
                self._watcher.saw(topic, int(message.partition() or 0), source, value)

    def until(self, condition: Callable[[Ledger], bool], seconds: float) -> Ledger:
        """Read until the condition holds; raises `Unavailable("kafka.slow")` after `seconds`."""
        deadline = time.monotonic() + seconds
        while not condition(self.ledger):
            if time.monotonic() > deadline:
                detail = f"{self.ledger.done} notes done after {seconds:g} s"
                raise Unavailable("kafka.slow", detail)
            if time.monotonic() - self._heard > self._again_after_s:
                self.read_again()
            self.poll()
        return self.ledger

    def settle(self, seconds: float = 2.0) -> Ledger:
        """Read on for a while, for duplicates that come late."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.poll()
        return self.ledger

    def read_again(self) -> None:
        """Empty the ledger and begin again with a fresh consumer."""
        self._consumer.close()
        for counter in self._counters.values():
            counter.clear()
        self.ledger.values.clear()
        if self._watcher is not None:
            self._watcher.forget()
        self._consumer = self._open()
        self._heard = time.monotonic()

    def close(self) -> None:
        self._consumer.close()

    def _open(self) -> Consumer:
        consumer = Consumer(
            {
                **base_options(self._kafka),
                "group.id": f"{self._kafka.group}-reader",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "isolation.level": "read_committed",
                "receive.message.max.bytes": RECEIVE_LIMIT,
                "fetch.wait.max.ms": 100,
                "reconnect.backoff.max.ms": 500,  # what a reader waits is no stall of the worker
            }
        )
        consumer.assign(self._places)
        return consumer


def environment(kafka: Kafka, **more: str) -> dict[str, str]:
    """These settings as environment variables for a worker process; its HTTP port is free.

    A key of its own stands in place of one that the environment names.
    """
    names = (
        *("bootstrap", "group", "member", "topic_in", "topic_out", "topic_audit", "topic_dead"),
        *("batch", "session_timeout_s", "heartbeat_s", "transaction_timeout_s"),
    )
    found = {f"STREAM_DEID_KAFKA__{n.upper()}": str(getattr(kafka, n)) for n in names}
    found["STREAM_DEID_HTTP__PORT"] = "0"
    if kafka.security:
        said = ", ".join(f'"{name}" = "{value}"' for name, value in kafka.security.items())
        found["STREAM_DEID_KAFKA__SECURITY"] = f"{{{said}}}"
    if "STREAM_DEID_KEYS__VALUE" in more:
        found["STREAM_DEID_KEYS__FILE"] = ""
    return found | more
