"""Who has which partitions of the input, and under which name a worker may join the others.

A static member (KIP-345) that comes back under its name gets what it had, without a rebalance. So
partitions that nobody has (those that were added to the input while workers ran, those that a
leader with old metadata left out) would stay nobody's through any number of restarts. A worker that
finds such partitions joins as an ordinary member, which makes the group assign everything anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from confluent_kafka import ConsumerGroupState, KafkaException
from confluent_kafka.admin import AdminClient

from stream_deid.config import Kafka
from stream_deid.streaming.kafka.clients import base_options
from stream_deid.streaming.observability import logs

_ASK_S = 2.0  # an answer takes milliseconds; a group without coordinator has none

_log = logs.get("membership")


def owned(kafka: Kafka) -> set[int] | None:
    """The partitions of the input that members of the group have; None while it is rebalancing,
    and where there is nobody in it.
    """
    group = _described(kafka)
    return (
        _places(group.members, kafka.topic_in) if group.state == ConsumerGroupState.STABLE else None
    )


def _described(kafka: Kafka) -> Any:
    """By a client of its own: one that saw its broker restart never finds the coordinator again,
    and each of its questions takes all the time that it has (measured, librdkafka 2.15).
    """
    admin = AdminClient(base_options(kafka))
    answer = admin.describe_consumer_groups([kafka.group], request_timeout=_ASK_S)
    return answer[kafka.group].result(_ASK_S)


def _places(members: Iterable[Any], topic: str) -> set[int]:
    return {
        place.partition
        for member in members
        if member.assignment is not None
        for place in member.assignment.topic_partitions
        if place.topic == topic
    }


def holds(kafka: Kafka, member: str, partitions: Iterable[int]) -> bool | None:
    """Whether `member` (its id) has all these partitions of the input now; None where the
    group can't say: it is rebalancing, or its coordinator is away. Blocking; for threads.
    """
    try:
        group = _described(kafka)
    except (KafkaException, TimeoutError):
        return None
    mine = [one for one in group.members if one.member_id == member]
    if not mine:
        return False
    if group.state != ConsumerGroupState.STABLE:
        return None
    return set(partitions) <= _places(mine, kafka.topic_in)


def name_to_join_under(kafka: Kafka, partitions: Iterable[int]) -> str:
    """The name for static membership; empty for an ordinary member."""
    name = kafka.member_name()
    if not name:
        return ""
    try:
        have = owned(kafka)
    except (KafkaException, TimeoutError) as error:
        _log.warning("membership_unknown", error=logs.describe(error)[0]["type"])
        return name
    if have is None or not (nobodys := sorted(set(partitions) - have)):
        return name
    _log.warning("joins_as_ordinary_member", partitions=nobodys)
    return ""
