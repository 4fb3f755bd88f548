"""Who has which partitions of the input, and under which name a worker may join the others.

A static member (KIP-345) that comes back under its name gets what it had, without a rebalance. So
partitions that nobody has (those that were added to the input while workers ran, those that a
leader with old metadata left out) would stay nobody's through any number of restarts. A worker that
finds such partitions joins as an ordinary member, which makes the group assign everything anew.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from confluent_kafka import KafkaException
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    GroupMember,
    GroupMetadata,
)

from stream_deid.config import Kafka
from stream_deid.streaming.kafka.clients import base_options, client
from stream_deid.streaming.observability import logs

_ASK_S = 2.0  # an answer takes milliseconds; a group without coordinator has none
_STABLE = "Stable"

_log = logs.get("membership")


def owned(kafka: Kafka) -> set[int] | None:
    """The partitions of the input that members of the group have; None while it is rebalancing,
    and where there is nobody in it. Raises `KafkaException`.
    """
    group = described(kafka)
    if group is None or group.state != _STABLE:
        return None
    return _places(group.members, kafka.topic_in)


def described(kafka: Kafka) -> GroupMetadata | None:
    """The group; None where no broker knows of it. Raises `KafkaException`.

    By the older of librdkafka's two questions: `describe_consumer_groups` ends the process where
    the connection to the coordinator breaks meanwhile (`eonce->refcnt > 0`, confluentinc/librdkafka
    4605 and 5397, up to 2.16). By a client of its own: one that saw its broker restart never finds
    the coordinator again, and each of its questions takes all the time that it has.
    """
    admin = client(AdminClient, base_options(kafka))
    for group in admin.list_groups(kafka.group, timeout=_ASK_S):
        if group.id == kafka.group:
            if group.error is not None:
                raise KafkaException(group.error)
            return group
    return None


def _places(members: Iterable[GroupMember], topic: str) -> set[int]:
    return {
        partition
        for member in members
        for name, partition in assigned(member.assignment or b"")
        if name == topic
    }


def assigned(assignment: bytes) -> Iterator[tuple[str, int]]:
    """Topic and partition of each place that a member has (Kafka's consumer protocol, all versions:
    a version, then for each topic its name and partitions, then what the assignor adds).
    """
    if not assignment:
        return
    topics, at = struct.unpack_from(">i", assignment, 2)[0], 6
    for _ in range(topics):
        (length,) = struct.unpack_from(">h", assignment, at)
        name, at = assignment[at + 2 : at + 2 + length].decode(), at + 2 + length
        (count,) = struct.unpack_from(">i", assignment, at)
        for partition in struct.unpack_from(f">{count}i", assignment, at + 4):
            yield name, partition
        at += 4 + 4 * count


def holds(kafka: Kafka, member: str, partitions: Iterable[int]) -> bool | None:
    """Whether `member` (its id) has all these partitions of the input now; None where the
    group can't say: it is rebalancing, or its coordinator is away. Blocking; for threads.
    """
    try:
        group = described(kafka)
    except KafkaException:
        return None
    if group is None:  # a coordinator that has just begun knows of none
        return None
    mine = [one for one in group.members if one.id == member]
    if not mine:
        return False
    if group.state != _STABLE:
        return None
    return set(partitions) <= _places(mine, kafka.topic_in)


def name_to_join_under(kafka: Kafka, partitions: Iterable[int]) -> str:
    """The name for static membership; empty for an ordinary member."""
    name = kafka.member_name()
    if not name:
        return ""
    try:
        have = owned(kafka)
    except KafkaException as error:
        _log.warning("membership_unknown", error=logs.describe(error)[0]["type"])
        return name
    if have is None or not (nobodys := sorted(set(partitions) - have)):
        return name
    _log.warning("joins_as_ordinary_member", partitions=nobodys)
    return ""
