"""Where the group stands in the input, and whether that fits log and outputs.

A group without offsets begins at the first record: all that was released comes out again. So where
offsets are missing, the outputs are asked how far it had come: each names its source in a header.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from stream_deid.config import Kafka
from stream_deid.errors import DeidError
from stream_deid.operations.doctor.findings import DoctorFinding
from stream_deid.operations.doctor.topics import KAFKA
from stream_deid.streaming.kafka import membership
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange, Place
from stream_deid.streaming.replay.released import source_of

_ASK_S = 10.0
_LAST = 5000
"""So many of the newest records of each partition of the outputs are looked at."""


@dataclass(frozen=True, slots=True)
class Position:
    """Of one partition of the input; `committed` None: the group has no offset there."""

    partition: int
    committed: int | None
    begin: int
    end: int


def look(_: AdminClient, kafka: Kafka) -> Iterator[DoctorFinding]:
    """Who is in the group, how far it is, and what is wrong with that."""
    broker = BrokerView(kafka, _ASK_S)
    try:
        positions = list(_positions(broker, kafka))
        odd = list(judge(kafka, positions))
        lost = [one for one in positions if one.committed is None and one.end > one.begin]
        if lost:
            odd += _lost(kafka, broker, lost)
    finally:
        broker.close()
    yield from odd
    if not odd:
        behind = sum(one.end - max(one.committed or 0, one.begin) for one in positions)
        yield KAFKA.well(f"group {kafka.group}: {_members(kafka)} workers, {behind} behind")


def judge(kafka: Kafka, positions: list[Position]) -> Iterator[DoctorFinding]:
    """Offsets that lie outside of the log."""
    for one in positions:
        where, committed = f"{kafka.topic_in}/{one.partition}", one.committed
        if committed is None:
            continue
        if committed > one.end:
            yield KAFKA.error(
                f"the group stands at offset {committed} of {where}, whose log ends at {one.end}: "
                "the topic was made anew, and notes would not be read",
                f"stop the workers, then: {_reset(kafka, one.partition, one.begin)}",
            )
        elif committed < one.begin:
            yield KAFKA.error(
                f"{one.begin - committed} notes of {where} were deleted before they were read",
                "send them again; keep the input for longer",
            )


def _lost(kafka: Kafka, broker: BrokerView, lost: list[Position]) -> Iterator[DoctorFinding]:
    """What to set the offsets to, of partitions where the group has none."""
    try:
        done = furthest(kafka, broker)
    except (KafkaException, DeidError):
        yield KAFKA.warning(
            f"the group has no offset in {len(lost)} partitions that hold notes and would begin "
            "with the first; whether it did before can't be seen (that takes Read on the audit)",
            "well before the first start; else look again as a user who may read the audit",
        )
        return
    for one in lost:
        last = done.get(one.partition)
        if last is None:
            continue
        where = f"the group has no offset in {kafka.topic_in}/{one.partition}"
        if last.offset >= one.end or _is_newer(broker, (kafka.topic_in, one.partition), last):
            yield KAFKA.warning(
                f"{where}, and its outputs are of another topic of that name: it was made anew",
                "well: workers begin with its first record",
            )
            continue
        yield KAFKA.error(
            f"{where}, but its outputs go up to offset {last.offset}: everything would come out "
            "again",
            f"stop the workers, then: {_reset(kafka, one.partition, last.offset + 1)}",
        )


def _is_newer(broker: BrokerView, place: Place, last: OutputOrigin) -> bool:
    """Whether the record at an output's source is younger than the output: not its source."""
    return broker.at_time([place], last.time_ms + 1)[place] <= last.offset


@dataclass(frozen=True, slots=True)
class OutputOrigin:
    """The offset that an output names as its source, and when the output was made."""

    offset: int
    time_ms: int


def furthest(kafka: Kafka, broker: BrokerView) -> Mapping[int, OutputOrigin]:
    """For each partition of the input the output of its last record that has one."""
    there = broker.topics()
    ends = {
        place: broker.ends(place)
        for topic in (kafka.topic_audit, kafka.topic_dead)
        if topic in there
        for place in broker.partitions(topic)
    }
    newest = {
        place: OffsetRange(max(s.start, s.until - _LAST), s.until) for place, s in ends.items()
    }
    found: dict[int, OutputOrigin] = {}
    stream = broker.stream(newest)
    try:
        while messages := stream.take(_LAST):
            for message in messages:
                source = source_of(message)
                if source is not None and source.topic == kafka.topic_in:
                    one = OutputOrigin(source.offset, message.timestamp()[1])
                    best = found.get(source.partition, one)
                    found[source.partition] = max(best, one, key=lambda out: out.offset)
    finally:
        stream.close()
    return found


def _positions(broker: BrokerView, kafka: Kafka) -> Iterator[Position]:
    places = broker.partitions(kafka.topic_in)
    committed = broker.committed(places)
    for place in places:
        ends, found = broker.ends(place), committed.get(place)
        yield Position(place[1], found.offset if found else None, ends.start, ends.until)


def _members(kafka: Kafka) -> int:
    try:
        group = membership.described(kafka)
    except KafkaException:
        return 0
    return len(group.members) if group is not None else 0


def _reset(kafka: Kafka, partition: int, offset: int) -> str:
    return (
        f"kafka-consumer-groups.sh --reset-offsets --group {kafka.group} "
        f"--topic {kafka.topic_in}:{partition} --to-offset {offset} --execute"
    )
