"""The inner topics as `stream-deid release` reads them: up to a moment, from committed offsets."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource  # type: ignore[attr-defined]

from stream_deid import seal
from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt, Unavailable
from stream_deid.outcome import headers_of
from stream_deid.streaming.kafka.clients import (
    TO_THE_END,
    as_they_come,
    base_options,
    client,
    known,
)
from stream_deid.streaming.kafka.headers import headers_in
from stream_deid.streaming.kafka.rights import refuse_denied
from stream_deid.streaming.releasing.batch import BatchProgress

Place = tuple[str, int]
"""(topic, partition)."""
_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class InnerRecord:
    """What stands in an inner topic; `seal`: empty where it bears none."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes = field(repr=False)
    seal: bytes = field(repr=False)


class InnerTopics:
    """Reads whole stretches of the inner topics. Blocking; one owner."""

    def __init__(self, settings: Settings, timeout_s: float) -> None:
        kafka, outer = settings.kafka, settings.release
        self._timeout = timeout_s
        self._topics = (kafka.topic_out, kafka.topic_audit)
        self._outer = (outer.topic_notes, outer.topic_audit)
        self._group = release_group(kafka)
        self._consumer = client(Consumer, _options(kafka))
        self.waiting = 0
        self.starts: dict[Place, int] = {}

    def close(self) -> None:
        """Leave the broker."""
        self._consumer.close()

    @property
    def group(self) -> Any:
        """What a transaction needs to commit offsets of the group."""
        return self._consumer.consumer_group_metadata()

    def committed(self) -> tuple[dict[Place, int], dict[Place, BatchProgress]]:
        """Where each partition goes on, and what is known of a batch under way; `waiting` is how
        many offsets of notes lie behind that.

        Raises `Halt("release.gap")` where records were deleted before they went out,
        `Halt("release.forgotten")` where nothing tells what did.
        """
        starts: dict[Place, int] = {}
        under_way: dict[Place, BatchProgress] = {}
        waiting = 0
        committed = self._asked(self._consumer.committed, self._partitions(self._topics))
        if all(found.offset < 0 for found in committed):
            self._refuse_forgotten()
        for found in committed:
            place = found.topic, found.partition
            low, high = self._consumer.get_watermark_offsets(found, self._timeout)
            starts[place] = low if found.offset < 0 else found.offset
            if starts[place] < low:
                raise Halt(
                    "release.gap",
                    f"{found.topic}/{found.partition}: {low - starts[place]} records from offset "
                    f"{starts[place]} on were deleted before they went out",
                )
            progress = BatchProgress.load(found.metadata)
            if progress is not None:
                under_way[place] = progress
            if found.topic == self._topics[0]:
                waiting += high - starts[place]
        self.waiting, self.starts = waiting, starts
        return starts, under_way

    def _refuse_forgotten(self) -> None:
        """A group that has no offset at all has released nothing; else all of it would go out
        again.
        """
        for place in self._partitions(self._outer):
            low, high = self._consumer.get_watermark_offsets(place, self._timeout)
            if low < high:
                raise Halt(
                    "release.forgotten",
                    f"{place.topic} has records, and the broker knows no offset of group "
                    f"{self._group}",
                )

    def bounds(self, places: Iterable[Place], moment: float) -> dict[Place, int]:
        """The first offset of each partition that was recorded at `moment` or later."""
        partitions = [TopicPartition(*place) for place in places]
        ends = {
            (p.topic, p.partition): self._consumer.get_watermark_offsets(p, self._timeout)[1]
            for p in partitions
        }
        asked = [TopicPartition(p.topic, p.partition, int(moment * 1000)) for p in partitions]
        return {
            (p.topic, p.partition): ends[p.topic, p.partition] if p.offset < 0 else p.offset
            for p in self._asked(self._consumer.offsets_for_times, asked)
        }

    def records(
        self, starts: Mapping[Place, int], until: Mapping[Place, int]
    ) -> Iterator[InnerRecord]:
        """All committed records in the stretches.

        Raises `Unavailable("release.read")` where the broker gives nothing for a while.
        """
        left = {place for place, end in until.items() if starts[place] < end}
        self._consumer.assign([TopicPartition(t, p, starts[t, p]) for t, p in left])
        heard = time.monotonic()
        while left:
            messages = as_they_come(self._consumer, 500, _POLL_S)
            if not messages and time.monotonic() - heard > self._timeout:
                detail = f"{len(left)} partitions can't be read to their end"
                raise Unavailable("release.read", detail)
            for message in messages:
                heard = time.monotonic()
                place = str(message.topic()), known(message.partition())
                at = known(message.offset())
                error = message.error()
                if error is not None and error.code() != KafkaError._PARTITION_EOF:  # noqa: SLF001
                    refuse_denied(error)
                    continue
                if place in left and at >= until[place]:
                    left.discard(place)
                    self._consumer.incremental_unassign([TopicPartition(*place)])
                value = message.value() if error is None else None
                if value is not None and at < until[place]:
                    yield InnerRecord(*place, at, message.key(), value, _seal_of(message))

    def _partitions(self, topics: Iterable[str]) -> list[TopicPartition]:
        known = self._consumer.list_topics(timeout=self._timeout).topics
        return [TopicPartition(t, p) for t in topics for p in sorted(known[t].partitions)]

    def _asked(self, ask: Any, partitions: list[TopicPartition]) -> list[TopicPartition]:
        found: list[TopicPartition] = ask(partitions, timeout=self._timeout)
        for one in found:
            if one.error is not None:
                refuse_denied(one.error)
                raise KafkaException(one.error)
        return found


def _seal_of(message: Message) -> bytes:
    """Headers whose names can't be read are nobody's of ours."""
    return headers_of(headers_in(message)).get(seal.HEADER, b"")


def release_group(kafka: Kafka) -> str:
    """Whose offsets tell what went out; the transactional id too."""
    return f"{kafka.group}-release"


def refuse_short_retention(kafka: Kafka, period_s: float) -> None:
    """Raise `Halt("release.retention")` where a topic forgets notes before two periods have passed.

    A broker that doesn't tell (no right to describe configurations) is believed.
    """
    admin = client(AdminClient, base_options(kafka))
    names = (kafka.topic_out, kafka.topic_audit)
    topics = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
    for resource, future in admin.describe_configs(topics, request_timeout=10).items():
        try:
            kept_ms = int(future.result(20)["retention.ms"].value)
        except (KafkaException, TimeoutError):
            continue
        if 0 <= kept_ms < 2000 * period_s:
            raise Halt(
                "release.retention",
                f"{resource.name} keeps records for {kept_ms / 86_400_000:g} days; with release."
                f"period_s they wait for up to {period_s / 86_400:g} days and need twice that",
            )


def _options(kafka: Kafka) -> dict[str, Any]:
    return {
        **base_options(kafka),
        "group.id": release_group(kafka),
        "enable.auto.commit": False,
        **TO_THE_END,
        "auto.offset.reset": "error",
        "isolation.level": "read_committed",
    }
