"""What is known to have been taken from a sender: a window in memory, and its topic.

Each record of the topic is one message that was taken: key the sender, value number and digest.
It is written in the transaction that writes the message, so one is there exactly if the other is.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from confluent_kafka import (
    Consumer,
    IsolationLevel,
    KafkaError,
    KafkaException,
    Message,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, OffsetSpec  # type: ignore[attr-defined]

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.mllp.arrival import Arrival
from stream_deid.streaming.kafka.clients import (
    RECEIVE_LIMIT,
    TO_THE_END,
    as_they_come,
    base_options,
    client,
)

_NUMBER = 16
_ASK_S = 5.0


class LastMessages:
    """The last `limit` messages of one sender, by number."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._digests: OrderedDict[bytes, bytes] = OrderedDict()

    def knows(self, arrival: Arrival) -> bool:
        """Whether this very message was taken. A number that comes again with another content is
        another message: senders do begin to count anew.
        """
        return self._digests.get(arrival.number) == arrival.digest

    def add(self, number: bytes, digest: bytes) -> None:
        self._digests.pop(number, None)
        self._digests[number] = digest
        if len(self._digests) > self._limit:
            self._digests.popitem(last=False)

    def __len__(self) -> int:
        return len(self._digests)


def value_of(arrival: Arrival) -> bytes:
    """The record of an arrival in the topic."""
    return arrival.number + arrival.digest


def load(
    kafka: Kafka,
    place: TopicPartition,
    sender: str,
    window: LastMessages,
    *,
    since_s: float,
    end: float,
) -> None:
    """Read into `window` what the topic has of `sender`, up to what is there now.

    Waits for transactions of others that stand before the end. `since_s`: seconds since the epoch;
    `end`: by `time.monotonic()`. Raises `KafkaException`, `Unavailable("kafka.no_record")`.
    """
    goal = _end_of(kafka, place)
    consumer = client(Consumer, _reader(kafka))
    try:
        asked = TopicPartition(place.topic, place.partition, int(since_s * 1000))
        (start,) = consumer.offsets_for_times([asked], timeout=_ASK_S)
        if start.error is not None:
            raise KafkaException(start.error)
        if 0 <= start.offset < goal:
            for message in _records(consumer, start, goal, end):
                value = message.value() or b""
                if message.key() == sender.encode():
                    window.add(value[:_NUMBER], value[_NUMBER:])
    finally:
        consumer.close()


def _reader(kafka: Kafka) -> dict[str, Any]:
    return {
        **base_options(kafka),
        "group.id": f"{kafka.group}-mllp",
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "isolation.level": "read_committed",
        **TO_THE_END,
        "receive.message.max.bytes": RECEIVE_LIMIT,
    }


def _end_of(kafka: Kafka, place: TopicPartition) -> int:
    """Behind the last record, committed or not."""
    admin = client(AdminClient, base_options(kafka))
    latest: Any = OffsetSpec.latest()  # type: ignore[no-untyped-call]
    (answer,) = admin.list_offsets(
        {TopicPartition(place.topic, place.partition): latest},
        isolation_level=IsolationLevel.READ_UNCOMMITTED,
        request_timeout=_ASK_S,
    ).values()
    try:
        return int(answer.result(2 * _ASK_S).offset)
    except TimeoutError:
        raise Unavailable("kafka.no_record", f"{place.topic} does not tell its end") from None


def _records(consumer: Consumer, start: TopicPartition, goal: int, end: float) -> Iterator[Message]:
    consumer.assign([start])
    while time.monotonic() < end:
        for message in as_they_come(consumer, 1000, 0.1):
            error = message.error()
            if error is None:
                yield message
                if (message.offset() or 0) + 1 >= goal:
                    return
            elif error.code() != KafkaError._PARTITION_EOF:  # noqa: SLF001
                raise KafkaException(error)
            elif (message.offset() or 0) >= goal:
                return
    raise Unavailable("kafka.no_record", f"{start.topic}/{start.partition} can't be read to {goal}")
