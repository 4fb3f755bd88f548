"""The confluent-kafka clients: their options, and how they are made and asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from confluent_kafka import Consumer, KafkaException, Message
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

from stream_deid.config import Kafka
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka.watched import WatchedAdmin, WatchedConsumer
from stream_deid.streaming.observability.logs import LIBRDKAFKA

# noida-db answers fetches without regard to the size asked for.
RECEIVE_LIMIT = 2_000_000_000
TO_THE_END = {"enable.partition.eof": True, "fetch.wait.max.ms": 50}
"""For readers of what is there, who wait for nothing new: at the end of a partition (behind the
last mark of a transaction, say) a broker holds a fetch for so long, and all that they ask for next
waits behind it. librdkafka's half a second is for those who follow a topic.
"""
_MEET_S = 8.0  # for a broker that somebody says is there

_log = logging.getLogger(LIBRDKAFKA)

C = TypeVar("C")

_WATCHED: dict[object, type] = {Consumer: WatchedConsumer, AdminClient: WatchedAdmin}


def base_options(kafka: Kafka) -> dict[str, Any]:
    """What every confluent client of the project shares: address, security, quiet logs."""
    return {
        "bootstrap.servers": kafka.bootstrap,
        "logger": _log,
        "log.connection.close": False,
        **kafka.security,
    }


def producer_options(kafka: Kafka, transactional_id: str) -> dict[str, Any]:
    """A transactional, idempotent producer; outputs are keyed, so patients keep their order."""
    return {
        **base_options(kafka),
        "transactional.id": transactional_id,
        "transaction.timeout.ms": int(kafka.transaction_timeout_s * 1000),
        "message.max.bytes": kafka.max_message_bytes,
        "linger.ms": 5,
        "partitioner": "murmur2_random",
    }


def reader_options(kafka: Kafka) -> dict[str, Any]:
    """A consumer outside the group's rebalances: it reads offsets and looks at records."""
    return {
        **base_options(kafka),
        "group.id": kafka.group,
        "enable.auto.commit": False,
        "auto.offset.reset": "earliest",
        "isolation.level": "read_committed",
        "max.partition.fetch.bytes": 1024,
        "receive.message.max.bytes": RECEIVE_LIMIT,
    }


def client(kind: Callable[[dict[str, Any]], C], options: Mapping[str, Any]) -> C:
    """A client of this kind, a consumer or admin under deadlines (`watched`). Raises
    `Halt("kafka.options")` for options that librdkafka does not take, files of certificates that
    don't serve among them.
    """
    kept: Any = _WATCHED.get(kind, kind)
    try:
        return cast(C, kept(dict(options)))
    except (KafkaException, ValueError, TypeError) as error:
        raise Halt("kafka.options", f"librdkafka refuses kafka.security: {error}") from None


def create_topics(kafka: Kafka, partitions: Mapping[str, int], *, timeout_s: float = 20) -> None:
    """Create topics that don't exist yet (one replica): for the demo, tests and `broker`.

    Raises `Unavailable("kafka.unreachable")`.
    """
    admin = client(AdminClient, base_options(kafka))
    try:
        existing = admin.list_topics(timeout=_MEET_S).topics
    except KafkaException as error:
        raise Unavailable(
            "kafka.unreachable", f"{kafka.bootstrap}: {error.args[0].name()} after {_MEET_S:g} s"
        ) from None
    fresh = [
        NewTopic(name, num_partitions=count, replication_factor=1)
        for name, count in partitions.items()
        if name not in existing
    ]
    for future in admin.create_topics(fresh, operation_timeout=timeout_s).values() if fresh else ():
        try:
            future.result(timeout_s)
        except TimeoutError:
            raise Unavailable(
                "kafka.unreachable", f"{kafka.bootstrap}: no topic made after {timeout_s:g} s"
            ) from None


def as_they_come(consumer: Consumer, most: int, timeout_s: float) -> list[Message]:
    """Up to so many records and errors, as soon as there is one: `consume` waits for all of them
    until its time is over.
    """
    first = consumer.poll(timeout_s)
    return [] if first is None else [first, *consumer.consume(most - 1, 0)]


def known(value: int | None) -> int:
    """A coordinate of a record that was read."""
    assert value is not None
    return value
