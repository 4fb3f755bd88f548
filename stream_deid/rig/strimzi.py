"""What Strimzi's operators make of KafkaTopic and KafkaUser, for trials where they don't run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from confluent_kafka.admin import (  # type: ignore[attr-defined]
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)

_TYPES = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "transactionalId": ResourceType.TRANSACTIONAL_ID,
}
_PATTERNS = {"literal": ResourcePatternType.LITERAL, "prefix": ResourcePatternType.PREFIXED}
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def provision(
    admin: AdminClient,
    topics: Iterable[Mapping[str, Any]],
    users: Iterable[Mapping[str, Any]],
    *,
    partitions: int,
    replicas: int = 1,
    principal: str = "User:CN={}",
) -> None:
    """Make the topics, with so many partitions and replicas, and give the users their rights."""
    wanted = [NewTopic(topic["metadata"]["name"], partitions, replicas) for topic in topics]
    rights = [right for user in users for right in bindings(user, principal)]
    made, given = admin.create_topics(wanted), admin.create_acls(rights)
    for future in (*made.values(), *given.values()):
        future.result(30)


def bindings(user: Mapping[str, Any], principal: str = "User:CN={}") -> list[AclBinding]:
    """The rights of a KafkaUser as Kafka knows them."""
    return [
        AclBinding(
            _TYPES[acl["resource"]["type"]], acl["resource"]["name"],
            _PATTERNS[acl["resource"]["patternType"]],
            principal.format(user["metadata"]["name"]), acl["host"],
            AclOperation[_WORDS.sub("_", operation).upper()], AclPermissionType.ALLOW,
        )
        for acl in user["spec"]["authorization"]["acls"]
        for operation in acl["operations"]
    ]  # fmt: skip
