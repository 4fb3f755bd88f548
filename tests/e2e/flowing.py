"""Notes that keep coming while something is changed, and everything that came of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import orjson
from confluent_kafka import Consumer, Producer, TopicPartition
from whole import PARTITIONS

from stream_deid.config import Kafka
from stream_deid.streaming.kafka.clients import TO_THE_END, base_options


class Feeder:
    """Sends messages one after the other, `rate` a second, to the partition of each patient's key.

    `sent`: the messages by their places in the input. `time_ms`: the time of each record; 0: now.
    """

    def __init__(
        self,
        kafka: Kafka,
        messages: Iterable[tuple[bytes, bytes]],
        *,
        rate: float,
        time_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        self.sent: dict[str, bytes] = {}
        self._kafka, self._messages, self._rate, self._time_ms = kafka, messages, rate, time_ms
        self._over, self._whole = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name="feeder")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> None:
        """Send no more; what was sent is taken by the broker."""
        self._over.set()
        self.all_sent()

    def all_sent(self) -> None:
        """Wait until everything was sent, and taken by the broker."""
        self._thread.join()
        assert self._whole, "a message was not taken"

    def _run(self) -> None:
        limit = {"message.max.bytes": self._kafka.max_message_bytes}
        producer = Producer(base_options(self._kafka) | limit)
        number = 0
        for key, value in self._messages:
            if self._over.wait(1 / self._rate):
                break
            number += 1
            producer.produce(
                self._kafka.topic_in, value, key, timestamp=self._time_ms(),
                on_delivery=self._report(value),
            )  # fmt: skip
            producer.poll(0)
        self._whole = producer.flush(60) == 0 and len(self.sent) == number

    def _report(self, value: bytes):
        def on_delivery(error, record):
            assert error is None, error
            self.sent[f"{record.topic()}/{record.partition()}/{record.offset()}"] = value

        return on_delivery


@dataclass
class Output:
    """One record of an output topic, and where it lies."""

    source: str
    partition: int
    offset: int
    time_ms: int
    value: bytes = field(repr=False)
    headers: Mapping[str, bytes]

    @property
    def body(self) -> dict[str, object]:
        return orjson.loads(self.value)

    @property
    def release(self) -> str:
        return self.headers["release"].decode()


def outputs(kafka: Kafka, topic: str) -> list[Output]:
    """All committed records of a topic now, partition by partition in their order."""
    options = {**base_options(kafka), "group.id": "outputs", "isolation.level": "read_committed",
               **TO_THE_END}  # fmt: skip
    consumer = Consumer(options)
    consumer.assign([TopicPartition(topic, p, 0) for p in range(PARTITIONS)])
    found, ends = [], 0
    while ends < PARTITIONS:
        message = consumer.poll(20)
        assert message is not None
        if message.error() is not None:
            ends += 1
            continue
        headers = dict(message.headers() or ())
        place = (message.partition(), message.offset(), message.timestamp()[1])
        found.append(Output(headers["source"].decode(), *place, message.value(), headers))
    consumer.close()
    return sorted(found, key=lambda one: (one.partition, one.offset))


def offset_of(source: str) -> tuple[int, int]:
    """Partition and offset that a source names."""
    _, partition, offset = source.rsplit("/", 2)
    return int(partition), int(offset)


def in_order(found: Iterable[Output]) -> bool:
    """Whether the records made of each partition of the input come in its order."""
    last: dict[tuple[int, int], int] = {}
    for one in found:
        partition, offset = offset_of(one.source)
        if last.get((one.partition, partition), -1) >= offset:
            return False
        last[one.partition, partition] = offset
    return True
