"""Apache Kafka on loopback as Strimzi runs it: certificates for all, rights from the manifests."""

import re
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)

from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import ApacheKafka

ADMIN = "kafka"
TYPES = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "transactionalId": ResourceType.TRANSACTIONAL_ID,
}
WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
PATTERNS = {"literal": ResourcePatternType.LITERAL, "prefix": ResourcePatternType.PREFIXED}


class SecuredKafka(ApacheKafka):
    """One node; whoever has no right by name is refused."""

    def __init__(self, folder: Path, home: Path):
        self.authority = Authority(folder / "ca")
        super().__init__(folder, home, authority=self.authority)
        self.admin = self.authority.security(ADMIN)

    def _prepare(self):
        fresh = not self._config.exists()
        super()._prepare()
        if not fresh:
            return
        ours = {
            "listeners": f"SSL://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{self._controller}",
            "advertised.listeners": f"SSL://127.0.0.1:{self.port}",
            "inter.broker.listener.name": "SSL",
            "listener.security.protocol.map": "SSL:SSL,CONTROLLER:PLAINTEXT",
            "ssl.client.auth": "required",
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": f"User:CN={ADMIN};User:ANONYMOUS",
            "auto.create.topics.enable": "false",
        }
        lines = self._config.read_text().splitlines()
        kept = [line for line in lines if line.partition("=")[0] not in ours]
        self._config.write_text("\n".join([*kept, *(f"{k}={v}" for k, v in ours.items())]) + "\n")

    def client(self):
        return AdminClient({"bootstrap.servers": self.bootstrap, "log_level": 0, **self.admin})

    def _answers(self):
        try:
            return bool(self.client().list_topics(timeout=2.0).brokers)
        except KafkaException:
            return False

    def provision(self, topics, users):
        """What Strimzi's operators make of KafkaTopic and KafkaUser; with two partitions."""
        wanted = [NewTopic(topic["metadata"]["name"], 2, 1) for topic in topics]
        rights = [right for user in users for right in bindings(user)]
        admin = self.client()
        made = admin.create_topics(wanted) | admin.create_acls(rights)
        for future in made.values():
            future.result(30)


def bindings(user):
    """The rights of a KafkaUser as Kafka knows them."""
    principal = f"User:CN={user['metadata']['name']}"
    return [
        AclBinding(
            TYPES[acl["resource"]["type"]], acl["resource"]["name"],
            PATTERNS[acl["resource"]["patternType"]], principal, acl["host"],
            AclOperation[WORDS.sub("_", operation).upper()], AclPermissionType.ALLOW,
        )
        for acl in user["spec"]["authorization"]["acls"]
        for operation in acl["operations"]
    ]  # fmt: skip
