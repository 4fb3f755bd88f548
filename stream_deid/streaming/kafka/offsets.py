"""A reader beside the group: committed offsets, ends of partitions, and what lies in a gap.

Blocking calls for threads; each instance serves one thread at a time (a lock sees to it).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.streaming import suspects
from stream_deid.streaming.kafka.clients import client, reader_options


@dataclass(frozen=True, slots=True)
class Start:
    """Where a partition goes on; `expired` notes before it were deleted unread by the broker;
    `tries`, `begun`: what is remembered of processes that ended there (`suspects`).
    """

    position: int
    expired: int
    tries: dict[int, int]
    begun: int = 0


class Offsets:
    """Looks at one topic's partitions for one group without ever joining it."""

    def __init__(self, kafka: Kafka, *, timeout_s: float = 15.0) -> None:
        self._topic = kafka.topic_in
        self._timeout = timeout_s
        self._lock = threading.Lock()
        self._consumer = client(Consumer, reader_options(kafka))

    def group_metadata(self) -> Any:
        """The group without generation or member: fencing is by transactional id alone."""
        return self._consumer.consumer_group_metadata()

    def partitions(self) -> int:
        """How many there are now. Raises `KafkaException`."""
        known = self._consumer.list_topics(self._topic, timeout=self._timeout)
        return len(known.topics[self._topic].partitions)

    def start_of(self, partition: int) -> Start:
        """Where processing goes on: the committed offset with pending transactions settled
        (KIP-447), or the first record that is still there. Raises `KafkaException`.
        """
        try:
            return self._start_of(partition)
        except KafkaException as error:
            if error.args[0].code() != KafkaError._UNKNOWN_PARTITION:  # noqa: SLF001 - public code
                raise
        self.partitions()  # this client's metadata are older than the partition
        return self._start_of(partition)

    def _start_of(self, partition: int) -> Start:
        with self._lock:
            committed = self._committed([partition])[partition]
            low, _ = self._bounds(partition)
        expired = max(0, low - committed.offset) if committed.offset >= 0 else 0
        position = max(committed.offset, low)
        told = committed.metadata
        return Start(position, expired, suspects.decode(told), suspects.unexplained(told))

    def next_record(self, partition: int, offset: int, before: int) -> int:
        """The offset of the first committed record in `[offset, before]`.

        Offsets without a record (transaction markers, aborted or compacted records) are
        stepped over. Raises `Unavailable("kafka.no_record")` when none shows up in time.
        """
        found = self.peek(partition, offset, timeout_s=self._timeout)
        if found is None:
            raise Unavailable(
                "kafka.no_record", f"no record at offsets {offset} to {before} of {partition}"
            )
        return found

    def peek(self, partition: int, offset: int, *, timeout_s: float) -> int | None:
        """The offset of the first committed record at or after `offset`, if there is one."""
        deadline = time.monotonic() + timeout_s
        with self._lock:
            self._consumer.assign([TopicPartition(self._topic, partition, offset)])
            try:
                while (left := deadline - time.monotonic()) > 0:
                    message = self._consumer.poll(min(left, 1.0))
                    if message is not None and message.error() is None:
                        return message.offset()
            finally:
                self._consumer.unassign()
        return None

    def lag(self, partitions: Sequence[int]) -> dict[int, tuple[int, int]]:
        """For each partition the offset where reading goes on, and the end of the log."""
        with self._lock:
            committed = self._committed(partitions)
            found = {}
            for partition in partitions:
                low, high = self._bounds(partition)
                found[partition] = (max(committed[partition].offset, low), high)
        return found

    def close(self) -> None:
        with self._lock:
            self._consumer.close()

    def _committed(self, partitions: Sequence[int]) -> dict[int, TopicPartition]:
        asked = [TopicPartition(self._topic, partition) for partition in partitions]
        answer = self._consumer.committed(asked, timeout=self._timeout)
        for item in answer:
            if item.error is not None:
                raise KafkaException(item.error)
        return {item.partition: item for item in answer}

    def _bounds(self, partition: int) -> tuple[int, int]:
        low, high = self._consumer.get_watermark_offsets(
            TopicPartition(self._topic, partition), timeout=self._timeout
        )
        return int(low), int(high)
