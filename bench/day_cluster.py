"""Apache Kafka as the manifests have it: over SASL_SSL, with their topics, users and rights."""

from __future__ import annotations

import secrets
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import yaml
from confluent_kafka.admin import (
    AdminClient,
    NewPartitions,
    NewTopic,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from stream_deid.config import Kafka
from stream_deid.rig import strimzi
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import ApacheKafka
from stream_deid.rig.three_nodes import REPLICAS, ThreeNodes
from stream_deid.streaming.kafka.clients import base_options

K8S = Path(__file__).resolve().parent.parent / "deploy" / "k8s"
COMPONENTS = [K8S / "components" / name for name in ("strimzi", "replay")]
MECHANISM = "SCRAM-SHA-512"
USERS = ("worker", "sender", "replay", "keda", "reader")


def documents(name: str) -> list[dict[str, Any]]:
    """The objects of a file that both components have."""
    return [one for folder in COMPONENTS for one in yaml.safe_load_all((folder / name).read_text())]


class Cluster:
    """Apache Kafka over SASL_SSL with the topics, users and rights of the manifests.

    `three`: as many nodes, and replicas of everything; else one.
    """

    def __init__(self, folder: Path, home: Path, partitions: int, *, three: bool = False) -> None:
        names = ["admin", *(f"stream-deid-{user}" for user in USERS)]
        passwords = {name: secrets.token_hex(8) for name in names}
        self._partitions, self._home, self._authority = partitions, home, Authority(folder / "ca")
        self._replicas = REPLICAS if three else 1
        self.broker = (ThreeNodes if three else ApacheKafka)(
            folder / "kafka", home, users=passwords, authority=self._authority
        )

    def __enter__(self) -> Self:
        self.broker.start()
        strimzi.provision(
            self.admin(),
            documents("topics.yaml"),
            documents("users.yaml"),
            partitions=self._partitions,
            replicas=self._replicas,
            principal="User:{}",
        )
        return self

    def __exit__(self, *_: object) -> None:
        self.broker.stop()

    def client(self, user: str) -> Kafka:
        """The settings of somebody's clients; the admin stands outside of what is tried."""
        mechanism = "PLAIN" if user == "admin" else MECHANISM
        security = self.broker.security(user, mechanism)
        return Kafka(bootstrap=self.broker.bootstrap, security=security)

    def admin(self) -> AdminClient:
        return AdminClient(base_options(self.client("admin")))

    def change_password(self, user: str) -> None:
        """Who is connected stays so."""
        word = secrets.token_hex(8)
        info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096)
        change = UserScramCredentialUpsertion(user, info, word.encode())
        admin = self.admin()
        for future in admin.alter_user_scram_credentials([change]).values():
            future.result(30)
        self.broker.users[user] = word

    def grow(self, topic: str, partitions: int) -> None:
        admin = self.admin()
        for future in admin.create_partitions([NewPartitions(topic, partitions)]).values():
            future.result(30)

    def let(self, user: str, kind: str, names: Iterable[str], *operations: str) -> None:
        """Rights as a KafkaUser says them; a name that ends in `*` is a prefix."""
        acls = [
            {
                "resource": {
                    "type": kind,
                    "name": name.removesuffix("*"),
                    "patternType": "prefix" if name.endswith("*") else "literal",
                },
                "operations": operations,
                "host": "*",
            }
            for name in names
        ]
        wanted = {"metadata": {"name": user}, "spec": {"authorization": {"acls": acls}}}
        admin = self.admin()
        for future in admin.create_acls(strimzi.bindings(wanted, "User:{}")).values():
            future.result(30)

    def make(self, *topics: str) -> None:
        """Topics beside those of the manifests."""
        admin = self.admin()
        wanted = [NewTopic(name, self._partitions, self._replicas) for name in topics]
        for future in admin.create_topics(wanted).values() if wanted else ():
            future.result(30)

    def tool(self, name: str, *arguments: str) -> str:
        """What one of Kafka's own commands says to an administrator."""
        file = self.broker.folder / "admin.properties"
        file.write_text(
            "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config="
            "org.apache.kafka.common.security.plain.PlainLoginModule required "
            f'username="admin" password="{self.broker.users["admin"]}";\n'
            f"ssl.truststore.type=PEM\nssl.truststore.location={self._authority.certificate}\n"
        )
        where = ["--bootstrap-server", self.broker.bootstrap, "--command-config", str(file)]
        command = [str(self._home / "bin" / name), *arguments, *where]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
