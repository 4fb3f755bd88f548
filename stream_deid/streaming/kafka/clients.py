"""Options of the confluent-kafka clients, and the waits before anything may start."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from confluent_kafka import Consumer, KafkaError, KafkaException, Message
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]

from stream_deid.config import Kafka
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka import rights
from stream_deid.streaming.kafka.security import token_problem
from stream_deid.streaming.kafka.watched import WatchedAdmin, WatchedConsumer
from stream_deid.streaming.observability.logs import LIBRDKAFKA

# noida-db answers fetches without regard to the size asked for.
RECEIVE_LIMIT = 2_000_000_000
TO_THE_END = {"enable.partition.eof": True, "fetch.wait.max.ms": 50}
"""For readers of what is there, who wait for nothing new: at the end of a partition (behind the
last mark of a transaction, say) a broker holds a fetch for so long, and all that they ask for next
waits behind it. librdkafka's half a second is for those who follow a topic.
"""
_MAKE_IT = "make it (`stream-deid doctor` has the command), or name another one in [kafka]"
_UNREACHED = (
    "kafka.bootstrap; names, firewalls and network policies between here and the brokers; "
    "security.protocol, as the listener wants it"
)
_REFUSED = "kafka.security: protocol, mechanism, user, certificates, as the listener wants them"
_TOKENLESS = "kafka.security: sasl.oauthbearer.*, and the endpoint that gives tokens"
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


def await_topics(
    kafka: Kafka,
    topics: Iterable[str],
    *,
    deadline_s: float,
    tell: Callable[[str, Mapping[str, Any]], None],
    worker: bool = True,
    ended: Callable[[], bool] = lambda: False,
    missing_s: float | None = None,
) -> dict[str, int]:
    """Wait until the broker answers and knows every topic; give each one's partition count.

    `tell(event, fields)` is called once for each failed try; `worker`: the rights and limits of a
    worker are asked for too; `missing_s`: how long a topic is waited for that a broker which
    answers doesn't have (None: as long as the broker); `ended`: whether to wait no longer, and give
    nothing. Raises
    `Unavailable("kafka.unreachable" | "kafka.topic_missing")` after `deadline_s` seconds, and
    `Halt("kafka.denied" | "kafka.limits")` at once for rights and limits that don't suffice, and
    `Halt("kafka.options")` for options that librdkafka does not take.
    """
    wanted = tuple(topics)
    refused: list[KafkaError] = []
    options: dict[str, Any] = {**base_options(kafka), "error_cb": refused.append}
    admin = client(AdminClient, options)
    begin = time.monotonic()
    pause = 0.2
    patience = min(5.0, max(0.5, deadline_s / 4))
    while True:
        problem, waits_s = "unreachable", deadline_s
        missing: list[str] = []
        try:
            known = admin.list_topics(timeout=patience).topics
        except KafkaException as error:
            admin.poll(0)  # hears what connections were refused for
            reason, remedy = _why_not(kafka, error.args[0], refused)
        else:
            counts = {name: len(known[name].partitions) for name in wanted if name in known}
            missing = [name for name in wanted if not counts.get(name)]
            if not missing:
                if worker:
                    rights.require(admin, kafka)
                return counts
            if denied := rights.denied_topics(admin, missing):
                raise Halt("kafka.denied", f"this user may not Describe {', '.join(denied)}")
            problem, reason = "topic_missing", f"there is no topic {', '.join(missing)}"
            remedy = _MAKE_IT
            waits_s = deadline_s if missing_s is None else min(missing_s, deadline_s)
        if time.monotonic() + pause > begin + waits_s:
            raise Unavailable(
                f"kafka.{problem}", f"{kafka.bootstrap}: {reason} after {waits_s:g} s"
            )
        told = {"bootstrap": kafka.bootstrap, "reason": reason, "remedy": remedy}
        tell("waiting_for_kafka", told)
        if ended():
            return {}
        time.sleep(pause)
        pause = min(pause * 2, 3.0)


def _why_not(kafka: Kafka, error: KafkaError, refused: list[KafkaError]) -> tuple[str, str]:
    """Why there is no answer this time, and what to look at; what was heard is forgotten."""
    reason, remedy, _ = why_unreached(error, refused)
    refused.clear()
    tokenless = token_problem(kafka.security)
    return (tokenless, _TOKENLESS) if tokenless else (reason, remedy)


def why_unreached(error: KafkaError, refused: list[KafkaError]) -> tuple[str, str, bool]:
    """Why there is no answer, what to look at, and whether it is for who asks: what a connection
    was refused for says more than a timeout.
    """
    told = [one for one in refused if rights.is_about_credentials(one)]
    if told:
        return f"{told[-1].name()} ({told[-1].str()})", _REFUSED, True
    return (refused[-1].str() if refused else str(error.name())), _UNREACHED, False


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
