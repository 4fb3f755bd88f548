"""`stream-deid release`: moves clean notes and audits from the inner topics to the outer ones.

Consume, shuffle, produce: a batch and the offsets of all that it holds are one transaction, fenced
by the generation of the consumer group (KIP-447). What a killed process held is read again. Records
go out without headers, under the time of their batch.
"""

from __future__ import annotations

import signal
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, Producer, TopicPartition

from stream_deid.config import Kafka, Settings, read_key
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka.clients import await_topics, base_options
from stream_deid.streaming.kafka.rights import refuse_denied
from stream_deid.streaming.observability import logs
from stream_deid.streaming.releasing.batch import Item, Schedule, releasable, shuffled

_POLL_S = 0.5
_log = logs.get("release")


class Mover:
    """One process of the release group. Blocking; ends between two batches when told to."""

    def __init__(
        self, settings: Settings, key: bytes, *, now: Callable[[], float] = time.time
    ) -> None:
        kafka, outer = settings.kafka, settings.release
        self._kafka, self._key, self._now = kafka, key, now
        self._to = {kafka.topic_out: outer.topic_notes, kafka.topic_audit: outer.topic_audit}
        self._schedule = Schedule(outer.period_s, outer.least, outer.most)
        self._timeout = kafka.transaction_timeout_s
        self._consumer = Consumer(_reader(kafka))
        self._producer = Producer(_writer(kafka))
        self._forget()

    def run(self, ended: Callable[[], bool]) -> None:
        """Move until `ended`. Raises `Unavailable("release.transaction")`, `Halt`."""
        topics = [*self._to, *self._to.values()]
        await_topics(self._kafka, topics, deadline_s=self._timeout, tell=_tell, worker=False)
        self._producer.init_transactions(self._timeout)
        self._consumer.subscribe(list(self._to), on_revoke=self._forget, on_lost=self._forget)
        _log.info("releasing", topics=list(self._to.values()), period_s=self._schedule.period_s)
        try:
            while not ended():
                for message in self._consumer.consume(500, _POLL_S):
                    self._take(message)
                now = self._now()
                if self._notes and self._schedule.is_due(self._notes, self._opened, now):
                    self._send(now)
        finally:
            self._consumer.close()

    def _forget(self, *_: object) -> None:
        """Begin a new batch; what is in hand has gone out, or belongs to another owner."""
        self._items: list[Item] = []
        self._places: dict[tuple[str, int], int] = {}
        self._notes, self._opened = 0, 0.0

    def _take(self, message: Message) -> None:
        error = message.error()
        if error is not None:
            refuse_denied(error)
            _log.warning("consume_failed", code=error.name())
            return
        topic, partition, offset = message.topic(), message.partition(), message.offset()
        value = message.value()
        assert topic is not None and partition is not None and offset is not None  # noqa: PT018
        self._places[topic, partition] = offset + 1
        if value is None:
            return
        if topic == self._kafka.topic_audit:
            value = self._releasable(value, partition, offset)
        elif not self._notes:
            self._opened = self._now()
        self._notes += topic == self._kafka.topic_out
        self._items.append(Item(self._to[topic], message.key(), value))

    def _releasable(self, audit: bytes, partition: int, offset: int) -> bytes:
        try:
            return releasable(audit)
        except ValueError:
            detail = f"offset {offset} of partition {partition} of {self._kafka.topic_audit}"
            raise Halt("release.audit", f"no audit record at {detail}") from None

    def _send(self, now: float) -> None:
        """One batch, all or nothing."""
        count = self._notes
        try:
            self._producer.begin_transaction()
            self._deliver(self._schedule.stamp(now))
            places = [TopicPartition(t, p, offset) for (t, p), offset in self._places.items()]
            group = self._consumer.consumer_group_metadata()
            self._producer.send_offsets_to_transaction(places, group, self._timeout)
            self._producer.commit_transaction(self._timeout)
        except KafkaException as error:
            refuse_denied(error.args[0])
            raise _unsettled(error.args[0].name()) from None
        self._forget()
        _log.info("released", notes=count)

    def _deliver(self, stamp: int) -> None:
        errors: list[KafkaError] = []

        def reported(error: KafkaError | None, _: object) -> None:
            if error is not None:
                errors.append(error)

        for item in shuffled(self._items, self._key):
            self._produce(item, stamp, reported)
        if left := self._producer.flush(self._timeout):
            raise _unsettled(f"{left} records are not taken")
        if errors:
            refuse_denied(errors[0])
            raise _unsettled(errors[0].name())

    def _produce(self, item: Item, stamp: int, reported: Callable[..., None]) -> None:
        while True:
            try:
                self._producer.produce(
                    item.topic, item.value, item.key, timestamp=stamp, on_delivery=reported
                )
            except BufferError:
                self._producer.poll(0.1)
            else:
                return


def _unsettled(reason: str) -> Unavailable:
    return Unavailable("release.transaction", f"the batch is not settled: {reason}")


def _tell(event: str, fields: Mapping[str, Any]) -> None:
    _log.warning(event, **fields)


def _reader(kafka: Kafka) -> dict[str, Any]:
    return {
        **base_options(kafka),
        "group.id": f"{kafka.group}-release",
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "isolation.level": "read_committed",
        "session.timeout.ms": int(kafka.session_timeout_s * 1000),
        "max.poll.interval.ms": max(300_000, int(kafka.transaction_timeout_s * 3000)),
    }


def _writer(kafka: Kafka) -> dict[str, Any]:
    return {
        **base_options(kafka),
        "transactional.id": f"{kafka.group}-release-{uuid.uuid4()}",
        "transaction.timeout.ms": int(kafka.transaction_timeout_s * 1000),
        "message.max.bytes": kafka.max_message_bytes,
        "partitioner": "murmur2_random",
        "queue.buffering.max.kbytes": 1 << 20,
    }


def main(settings: Settings) -> int:
    """Run until SIGTERM or Ctrl-C; what is in hand then is read again by the next one."""
    logs.configure()
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    Mover(settings, read_key(settings.keys)).run(ended.is_set)
    return 0
