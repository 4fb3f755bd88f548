"""Bounded reading beside the group: stretches and single records, in the order of their times.

The offsets of one partition keep their order; between partitions the older record comes first. So
a patient's notes that lie in several partitions (the input got more of them, or the sender keys
by something else) come in the order in which they were recorded.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka.clients import (
    RECEIVE_LIMIT,
    TO_THE_END,
    as_they_come,
    base_options,
    client,
    known,
)
from stream_deid.streaming.kafka.rights import refuse_denied

Place = tuple[str, int]
"""(topic, partition)."""
_POLL_S = 0.5
_LEADERLESS = (KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.LEADER_NOT_AVAILABLE)
_AHEAD_BYTES = 64_000_000
"""Read ahead in all; each partition has an equal part of it."""
_NEAR = 500
"""So many records are read over rather than jumped over."""


class WantedOffsets(Protocol):
    """Which offsets of one partition are to be read."""

    def next(self, offset: int) -> int | None:
        """The first one at `offset` or after it; None at the end."""


@dataclass(frozen=True, slots=True)
class OffsetRange:
    """All offsets of `[start, until)`."""

    start: int
    until: int

    def __len__(self) -> int:
        return max(0, self.until - self.start)

    def next(self, offset: int) -> int | None:
        at = max(self.start, offset)
        return at if at < self.until else None


@dataclass(frozen=True, slots=True)
class Picked:
    """Single offsets, ascending."""

    offsets: Sequence[int]

    def __len__(self) -> int:
        return len(self.offsets)

    def next(self, offset: int) -> int | None:
        at = bisect_left(self.offsets, offset)
        return self.offsets[at] if at < len(self.offsets) else None


@dataclass(slots=True)
class _Partition:
    place: Place
    wanted: WantedOffsets
    at: int
    ahead: deque[Message] = field(default_factory=deque)
    bytes: int = 0
    read: bool = False
    paused: bool = False
    jumped: bool = False

    def next(self) -> int | None:
        return self.wanted.next(self.at)


class BrokerView:
    """What the broker knows of topics: ends, times, committed offsets. Blocking; one owner."""

    def __init__(self, kafka: Kafka, timeout_s: float) -> None:
        self._kafka, self._timeout = kafka, timeout_s
        self._consumer = client(Consumer, _options(kafka))

    def close(self) -> None:
        """Leave the broker."""
        self._consumer.close()

    @property
    def group(self) -> Any:
        """What a transaction needs to commit offsets of the group."""
        return self._consumer.consumer_group_metadata()

    def topics(self) -> set[str]:
        """Every topic that there is, and that we may see."""
        return set(self._consumer.list_topics(timeout=self._timeout).topics)

    def partitions(self, topic: str) -> list[Place]:
        """Every partition of a topic."""
        known = self._consumer.list_topics(topic, timeout=self._timeout).topics[topic]
        return [(topic, partition) for partition in sorted(known.partitions)]

    def ends(self, place: Place) -> OffsetRange:
        """From the first record that is still there to the last one that is settled.

        A partition that gets its leader just now (a topic that was made, a broker that went) is
        asked again.
        """
        deadline = time.monotonic() + self._timeout
        asked = TopicPartition(*place)
        while True:
            try:
                low, high = self._consumer.get_watermark_offsets(asked, self._timeout)
            except KafkaException as error:
                if error.args[0].code() not in _LEADERLESS or time.monotonic() > deadline:
                    raise
                time.sleep(_POLL_S)
            else:
                return OffsetRange(int(low), int(high))

    def at_time(self, places: Iterable[Place], time_ms: int) -> dict[Place, int]:
        """The first offset recorded at the time or later; the end where there is none."""
        asked = [TopicPartition(*place, time_ms) for place in places]
        found = checked(self._consumer.offsets_for_times(asked, timeout=self._timeout))
        return {
            (p.topic, p.partition): p.offset
            if p.offset >= 0
            else self.ends((p.topic, p.partition)).until
            for p in found
        }

    def committed(self, places: Iterable[Place]) -> dict[Place, TopicPartition]:
        """The group's offsets, where it has any."""
        asked = [TopicPartition(*place) for place in places]
        found = checked(self._consumer.committed(asked, timeout=self._timeout)) if asked else []
        return {(p.topic, p.partition): p for p in found if p.offset >= 0}

    def stream(self, wanted: Mapping[Place, WantedOffsets]) -> Stream:
        """Read what is wanted, with a consumer of its own."""
        return Stream(self._kafka, wanted, self._timeout)


def checked(found: list[TopicPartition]) -> list[TopicPartition]:
    """What a broker answered, or its first error."""
    for one in found:
        if one.error is not None:
            refuse_denied(one.error)
            raise KafkaException(one.error)
    return found


class Stream:
    """Reads what is wanted of some partitions, once. Blocking; one owner."""

    def __init__(
        self, kafka: Kafka, wanted: Mapping[Place, WantedOffsets], timeout_s: float
    ) -> None:
        self._timeout = timeout_s
        self._open: dict[Place, _Partition] = {}
        for place, offsets in wanted.items():
            first = offsets.next(0)
            if first is not None:
                self._open[place] = _Partition(place, offsets, first)
        self._ahead = max(256_000, _AHEAD_BYTES // max(1, len(self._open)))
        self._consumer = client(Consumer, _options(kafka))
        self._consumer.assign([TopicPartition(*p.place, p.at) for p in self._open.values()])

    def close(self) -> None:
        """Leave the broker."""
        self._consumer.close()

    def take(self, most: int) -> list[Message]:
        """Up to so many of the next records, at least one; none at the end.

        Raises `Unavailable("replay.read")` where the broker gives nothing for a while, and
        `Halt("replay.gone")` where records were deleted before they were read.
        """
        found: list[Message] = []
        while len(found) < most:
            if any(not p.ahead and not p.read for p in self._open.values()):
                if found:
                    break
                self._fill()
            ready = [p for p in self._open.values() if p.ahead]
            if not ready:
                break
            found.append(self._pop(min(ready, key=_recorded)))
        return found

    def _pop(self, partition: _Partition) -> Message:
        message = partition.ahead.popleft()
        partition.bytes -= _size(message)
        if partition.paused and partition.bytes < self._ahead // 2:
            partition.paused = False
            self._consumer.resume([TopicPartition(*partition.place)])
        if partition.read and not partition.ahead:
            del self._open[partition.place]
        return message

    def _fill(self) -> None:
        """Read until every partition has a record ahead, or is at its end."""
        heard = time.monotonic()
        while any(not p.ahead and not p.read for p in self._open.values()):
            messages = as_they_come(self._consumer, 100, _POLL_S)
            if messages:
                heard = time.monotonic()
            elif time.monotonic() - heard > self._timeout:
                raise Unavailable("replay.read", "records that must be there can't be read")
            for partition in self._open.values():
                partition.jumped = False
            for message in messages:
                self._sort(message)
            self._throttle()
        self._open = {k: p for k, p in self._open.items() if p.ahead or not p.read}

    def _sort(self, message: Message) -> None:
        partition = self._open.get((str(message.topic()), known(message.partition())))
        error = message.error()
        if partition is None or partition.read:
            return
        if error is not None and error.code() != KafkaError._PARTITION_EOF:  # noqa: SLF001
            _refuse(error, partition.place)
            return
        at, wanted = known(message.offset()), partition.next()
        if error is not None:
            if wanted is not None and at > wanted and partition.jumped:
                return  # the end as it was met before the jump
            wanted = None
        elif wanted is not None and at >= partition.at:
            partition.at = at + 1
            if partition.wanted.next(at) == at:
                partition.ahead.append(message)
                partition.bytes += _size(message)
            wanted = partition.next()
        if wanted is None:
            partition.read = True
            self._consumer.incremental_unassign([TopicPartition(*partition.place)])
        elif wanted > partition.at + _NEAR:
            partition.at, partition.jumped = wanted, True
            self._consumer.seek(TopicPartition(*partition.place, wanted))

    def _throttle(self) -> None:
        for partition in self._open.values():
            if partition.bytes > self._ahead and not partition.paused and not partition.read:
                partition.paused = True
                self._consumer.pause([TopicPartition(*partition.place)])


def _refuse(error: KafkaError, place: Place) -> None:
    refuse_denied(error)
    if error.code() in (KafkaError.OFFSET_OUT_OF_RANGE, KafkaError._AUTO_OFFSET_RESET):  # noqa: SLF001
        where = f"{place[0]}/{place[1]}"
        raise Halt("replay.gone", f"{where}: records were deleted before they were read")


def _recorded(partition: _Partition) -> tuple[int, Place]:
    return partition.ahead[0].timestamp()[1], partition.place


def _size(message: Message) -> int:
    return len(message.value() or b"")


def _options(kafka: Kafka) -> dict[str, Any]:
    return {
        **base_options(kafka),
        "group.id": kafka.group,
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        **TO_THE_END,
        "auto.offset.reset": "error",
        "isolation.level": "read_committed",
        "queued.max.messages.kbytes": 32_768,
        "receive.message.max.bytes": RECEIVE_LIMIT,
    }
