"""What the broker allows, asked before anything is taken: rights (ACLs) and limits.

A right that is missing shows itself late and in librdkafka's words (a purged queue, a fenced
producer, a topic that is not there). So it is asked for by name at the start; and where an error
of a running client means "not allowed", it ends the process with the right to give.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicCollection
from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AclOperation,
    AdminClient,
    ConfigResource,
    ResourceType,
)

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.streaming.kafka import group_rights

_ASK_S = 10.0
_DENIALS = {
    KafkaError.TOPIC_AUTHORIZATION_FAILED: "Describe, and Read or Write, on the topics",
    KafkaError.GROUP_AUTHORIZATION_FAILED: "Read on the group",
    KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED: (
        "Describe and Write on the transactional ids that begin with the group's name"
    ),
    KafkaError.CLUSTER_AUTHORIZATION_FAILED: "IdempotentWrite on the cluster",
}
_CREDENTIALS = frozenset(
    {
        KafkaError._AUTHENTICATION,  # noqa: SLF001 - librdkafka's local codes carry an underscore
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.UNSUPPORTED_SASL_MECHANISM,
        KafkaError.ILLEGAL_SASL_STATE,
        KafkaError._SSL,  # noqa: SLF001
    }
)


def refuse_denied(error: KafkaError) -> None:
    """Raise `Halt("kafka.denied")` where an error of a client means that a right is missing."""
    wanted = _DENIALS.get(error.code())
    if wanted is not None:
        raise Halt("kafka.denied", f"{error.name()}: this user needs {wanted}")


def is_about_credentials(error: KafkaError) -> bool:
    """Whether a connection was refused for who asked, or for how.

    A broker that does not take a certificate says so in an alert, and hangs up.
    """
    return error.code() in _CREDENTIALS or "ssl/tls alert" in error.str()


def denied_topics(admin: AdminClient, topics: Iterable[str]) -> list[str]:
    """Those topics that this user may not even see; a broker that can't tell denies none."""
    found = []
    for name, future in admin.describe_topics(
        TopicCollection(list(topics)), request_timeout=_ASK_S
    ).items():
        error = _error(future)
        if error is not None and error.code() == KafkaError.TOPIC_AUTHORIZATION_FAILED:
            found.append(name)
    return found


def require(admin: AdminClient, kafka: Kafka) -> None:
    """Every right and limit that the worker depends on.

    Raises `Halt`: `kafka.denied` names what is not allowed, `kafka.limits` the setting that the
    broker refuses. What a broker can't be asked (an old one, or one that does not let this user
    describe its settings) is left to the clients.
    """
    missing = missing_rights(admin, kafka)
    if missing:
        raise Halt("kafka.denied", "this user may not " + "; ".join(missing))
    problems = beyond_limits(admin, kafka)
    if problems:
        raise Halt("kafka.limits", "; ".join(problems))


def missing_rights(admin: AdminClient, kafka: Kafka) -> list[str]:
    """What a worker must be allowed and is not: operation, kind, name."""
    operations = {
        kafka.topic_in: AclOperation.READ,
        **dict.fromkeys(kafka.topics[1:], AclOperation.WRITE),
        **dict.fromkeys(kafka.needed[4:], AclOperation.READ),
    }
    missing = []
    described = admin.describe_topics(
        TopicCollection(list(operations)),
        include_authorized_operations=True,
        request_timeout=_ASK_S,
    )
    for name, future in described.items():
        wanted = operations[name]
        error = _error(future)
        if error is not None:
            if error.code() == KafkaError.TOPIC_AUTHORIZATION_FAILED:
                missing.append(f"Describe topic {name}")
        elif not _allows(future.result(), wanted):
            missing.append(f"{wanted.name.title()} topic {name}")
    if operation := group_rights.missing(kafka, _ASK_S):
        missing.append(f"{operation} group {kafka.group}")
    return missing


def _allows(described: Any, wanted: AclOperation) -> bool:
    allowed = described.authorized_operations
    return not allowed or wanted in allowed or AclOperation.ALL in allowed


def beyond_limits(admin: AdminClient, kafka: Kafka) -> list[str]:
    """Settings that the broker would refuse, in words."""
    values = _broker_settings(admin)
    bounds = (
        ("session_timeout_s", kafka.session_timeout_s,
         "group.min.session.timeout.ms", "group.max.session.timeout.ms"),
        ("transaction_timeout_s", kafka.transaction_timeout_s,
         "", "transaction.max.timeout.ms"),
    )  # fmt: skip
    problems = []
    for name, seconds, low, high in bounds:
        if low in values and seconds * 1000 < values[low]:
            problems.append(f"kafka.{name} is {seconds:g} s, the broker's {low} {values[low]} ms")
        if high in values and seconds * 1000 > values[high]:
            problems.append(f"kafka.{name} is {seconds:g} s, the broker's {high} {values[high]} ms")
    return problems


def _broker_settings(admin: AdminClient) -> dict[str, int]:
    try:
        brokers = admin.list_topics(timeout=_ASK_S).brokers
        one = ConfigResource(ResourceType.BROKER, str(min(brokers)))
        (future,) = admin.describe_configs([one], request_timeout=_ASK_S).values()
        found = future.result(_ASK_S)
    except (KafkaException, ValueError, TimeoutError):
        return {}
    return {
        name: int(entry.value)
        for name, entry in found.items()
        if entry.value is not None and entry.value.isdecimal()
    }


def _error(future: Future[Any]) -> KafkaError | None:
    try:
        future.result(_ASK_S)
    except KafkaException as error:
        found: KafkaError = error.args[0]
        return found
    except TimeoutError:
        return KafkaError(KafkaError._TIMED_OUT)  # noqa: SLF001
    return None
