"""Where the messages of a feed stand: read back from the broker.

Reports of delivery don't tell it: what is retried over a broker's restart is reported with no
offset (KIP-98, `DUPLICATE_SEQUENCE_NUMBER`), and seldom with another message's.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from confluent_kafka import Consumer, TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.streaming.kafka.clients import RECEIVE_LIMIT, base_options

_WAIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Sent:
    """A message as the broker took it: its keyed hash, its size, and when (monotonic)."""

    mac: str
    size: int
    good: bool
    at: float


Record = tuple[int, int, str]
"""Partition, offset, keyed hash of the value."""


def placed(
    topic: str, sent: Iterable[tuple[int, Sent]], found: Iterable[Record], *, whole: bool = True
) -> dict[str, Sent]:
    """What was sent to a partition each, by `topic/partition/offset`; equal ones in their order.

    Raises `Unavailable("kafka.publish")` where the broker holds more than was sent, or (`whole`)
    less.
    """
    waiting: dict[tuple[int, str], deque[Sent]] = defaultdict(deque)
    for partition, one in sent:
        waiting[partition, one.mac].append(one)
    places = {}
    for partition, offset, mac in found:
        if not waiting[partition, mac]:
            raise Unavailable("kafka.publish", f"nobody sent offset {offset} of {partition}")
        places[f"{topic}/{partition}/{offset}"] = waiting[partition, mac].popleft()
    if whole and (left := sum(map(len, waiting.values()))):
        raise Unavailable("kafka.publish", f"{left} messages that were taken are not there")
    return places


def held(kafka: Kafka, partitions: int, mac: Callable[[bytes], str]) -> Iterator[Record]:
    """All records of the input. Raises `Unavailable("kafka.publish")` where they don't come."""
    topic = kafka.topic_in
    more = {
        "group.id": f"{kafka.group}-placing",
        "enable.auto.commit": False,
        "receive.message.max.bytes": RECEIVE_LIMIT,
    }
    consumer = Consumer(base_options(kafka) | more)
    try:
        for partition in range(partitions):
            place = TopicPartition(topic, partition, 0)
            _, end = consumer.get_watermark_offsets(place, timeout=_WAIT_S)
            consumer.assign([place])
            offset = -1
            while offset < end - 1:
                message = consumer.poll(_WAIT_S)
                if message is None:
                    raise Unavailable("kafka.publish", f"partition {partition} can't be read")
                if message.error() is None:
                    offset = message.offset() or 0
                    yield partition, offset, mac(message.value() or b"")
    finally:
        consumer.close()
