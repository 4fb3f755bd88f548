"""The brokers: reached, topics, rights, limits, transactions, the group, times of records."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AdminClient,
    BrokerMetadata,
    ConfigResource,
    ResourceType,
)

from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt
from stream_deid.operations.doctor import offsets, topics
from stream_deid.operations.doctor.findings import DoctorFinding
from stream_deid.operations.doctor.topics import KAFKA, Facts, WantedTopic
from stream_deid.streaming.kafka import rights
from stream_deid.streaming.kafka.awaiting import why_unreached
from stream_deid.streaming.kafka.clients import (
    base_options,
    producer_options,
    reader_options,
)
from stream_deid.streaming.releasing.inner import refuse_short_retention

_MEET_S, _ASK_S = 6.0, 10.0
_KNOCK_S = 3.0
_FUTURE_S = 300


def look(settings: Settings, commands: frozenset[str] = frozenset()) -> Iterator[DoctorFinding]:
    """Everything that the brokers tell; one that is not reached ends it."""
    kafka = settings.kafka
    refused: list[KafkaError] = []
    options: dict[str, Any] = {**base_options(kafka), "error_cb": refused.append}
    admin = AdminClient(options)
    try:
        known = admin.list_topics(timeout=_MEET_S)
    except KafkaException as error:
        admin.poll(0)
        yield _unreached(kafka, error.args[0], refused)
        return
    yield KAFKA.well(f"{kafka.bootstrap}: {len(known.brokers)} brokers, cluster {known.cluster_id}")
    yield from brokers(known.brokers.values())
    found = topics.wanted(settings, commands)
    yield from _topics(admin, known, found, settings)
    there = {one.name for one in found if known.topics.get(one.name)}
    if set(kafka.topics) <= there:
        for part in (_rights, _limits, _transactions, offsets.look, _times):
            yield from _asked(part, admin, kafka)
    if "release" in commands:
        yield from _asked(_release, admin, kafka, settings.release.period_s)


def brokers(known: Iterable[BrokerMetadata]) -> Iterator[DoctorFinding]:
    """Brokers that the cluster names and nobody reaches: what the cluster itself says of them may
    be old, as two of three that are lost leave no majority to tell.
    """
    told = {one.id: f"{one.host}:{one.port}" for one in known}
    away = {number: why for number, address in told.items() if (why := _refusal(address))}
    for number, why in sorted(away.items()):
        say = KAFKA.warning if 2 * len(away) < len(told) else KAFKA.error
        yield say(
            f"broker {number} at {told[number]} can't be reached: {why}",
            "start it; or advertised.listeners and the network between here and it: clients go to "
            "each broker by the name that it tells",
        )


def _refusal(address: str) -> str:
    """Why no connection is made; empty where one is."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=_KNOCK_S).close()
    except OSError as error:
        return error.strerror or "no answer"
    return ""


def _unreached(kafka: Kafka, error: KafkaError, refused: list[KafkaError]) -> DoctorFinding:
    why, remedy, of_us = why_unreached(error, refused)
    told = "refuses us" if of_us else "does not answer"
    return KAFKA.error(f"{kafka.bootstrap} {told}: {why}", remedy)


def _asked(part: Callable[..., Iterator[DoctorFinding]], *args: Any) -> Iterator[DoctorFinding]:
    """The findings of a part; what the broker won't tell is no finding against it."""
    name = f"{part.__module__.rpartition('.')[2]} {part.__name__.strip('_')}"
    try:
        yield from part(*args)
    except KafkaException as error:
        told: KafkaError = error.args[0]
        try:
            rights.refuse_denied(told)
        except Halt as denied:
            yield KAFKA.of(denied, "docs/deployment.md has the rights of each user")
            return
        yield KAFKA.warning(f"{name} can't be looked at: {told.name()}", "health of the brokers")


def _topics(
    admin: AdminClient, known: Any, found: list[WantedTopic], settings: Settings
) -> Iterator[DoctorFinding]:
    there = [one for one in found if known.topics.get(one.name)]
    input_ = known.topics.get(settings.kafka.topic_in)
    denied = set(rights.denied_topics(admin, [one.name for one in found if one not in there]))
    values = _configs(admin, [one.name for one in there])
    for one in found:
        if one in there:
            yield from topics.judge(one, _facts(known.topics[one.name], values[one.name]), settings)
        elif one.name in denied:
            yield KAFKA.error(
                f"{one.setting}: this user may not see {one.name}", f"give Describe on {one.name}"
            )
        else:
            yield topics.missing(one, len(input_.partitions) if input_ else 0)
    counts = {one.name: len(known.topics[one.name].partitions) for one in there}
    kafka, release = settings.kafka, settings.release
    pairs = [(kafka.topic_out, kafka.topic_audit), (release.topic_notes, release.topic_audit)]
    yield from topics.alike(counts, pairs)


def _facts(topic: Any, values: dict[str, str] | None) -> Facts:
    parts = topic.partitions.values()
    return Facts(
        partitions=len(parts),
        replicas=min(len(p.replicas) for p in parts),
        in_sync=min(len(p.isrs) for p in parts),
        leaderless=sum(p.leader < 0 for p in parts),
        settings=values,
    )


def _configs(admin: AdminClient, names: list[str]) -> dict[str, dict[str, str] | None]:
    """Settings by topic; None where they can't be asked for."""
    found: dict[str, dict[str, str] | None] = dict.fromkeys(names)
    if not names:
        return found
    asked = [ConfigResource(ResourceType.TOPIC, name) for name in names]
    for resource, future in admin.describe_configs(asked, request_timeout=_ASK_S).items():
        try:
            entries = future.result(_ASK_S)
        except (KafkaException, TimeoutError):
            continue
        found[resource.name] = {n: e.value for n, e in entries.items() if e.value is not None}
    return found


def _rights(admin: AdminClient, kafka: Kafka) -> Iterator[DoctorFinding]:
    missing = rights.missing_rights(admin, kafka)
    for one in missing:
        yield KAFKA.error(
            f"this user may not {one}",
            f"kafka-acls.sh --add --allow-principal User:... --operation {one.split()[0]} ...; "
            "deploy/k8s/components/strimzi/users.yaml has all of them",
        )
    if not missing:
        yield KAFKA.well("rights on topics and group")


def _limits(admin: AdminClient, kafka: Kafka) -> Iterator[DoctorFinding]:
    problems = rights.beyond_limits(admin, kafka)
    for problem in problems:
        yield KAFKA.error(f"the broker would refuse: {problem}", "change one of the two")
    if not problems:
        yield KAFKA.well("time-outs are within the broker's limits")


def _transactions(_: AdminClient, kafka: Kafka) -> Iterator[DoctorFinding]:
    """A producer with an id that no partition has: it fences nobody, and writes nothing."""
    options = producer_options(kafka, f"{kafka.group}-{kafka.topic_in}-doctor")
    Producer(options).init_transactions(_ASK_S)
    yield KAFKA.well("the broker opens transactions")


def _times(_: AdminClient, kafka: Kafka) -> Iterator[DoctorFinding]:
    """Whether records seem to come from the future; no record is read for it."""
    consumer = Consumer(reader_options(kafka))
    later = int((time.time() + _FUTURE_S) * 1000)
    try:
        known = consumer.list_topics(kafka.topic_in, timeout=_ASK_S).topics[kafka.topic_in]
        asked = [TopicPartition(kafka.topic_in, p, later) for p in sorted(known.partitions)]
        found = consumer.offsets_for_times(asked, timeout=_ASK_S)
    finally:
        consumer.close()
    ahead = [place.partition for place in found if place.offset >= 0]
    if ahead:
        yield KAFKA.warning(
            f"{kafka.topic_in} has records more than {_FUTURE_S // 60} minutes ahead of this "
            f"machine's clock (partitions {', '.join(map(str, ahead))})",
            "set the clocks of the senders, or of this machine, right: retention, --from and --to "
            "go by these times",
        )
    else:
        yield KAFKA.well("no record of the input is ahead of this clock")


def _release(_: AdminClient, kafka: Kafka, period_s: float) -> Iterator[DoctorFinding]:
    try:
        refuse_short_retention(kafka, period_s)
    except Halt as error:
        yield KAFKA.of(error, "raise its retention.ms, or lower release.period_s")
