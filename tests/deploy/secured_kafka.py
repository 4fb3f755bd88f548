"""Apache Kafka on loopback as Strimzi runs it: certificates for all, rights from the manifests."""

import re
from pathlib import Path

import toolbox
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

from stream_deid.rig.broker import ApacheKafka

ADMIN = "kafka"
TYPES = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "transactionalId": ResourceType.TRANSACTIONAL_ID,
}
WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
PATTERNS = {"literal": ResourcePatternType.LITERAL, "prefix": ResourcePatternType.PREFIXED}


class Authority:
    """A certificate authority in a folder, which gives everybody a key and a certificate."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.certificate = folder / "ca.crt"
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                      "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.crt")  # fmt: skip

    def issue(self, name):
        """Paths of a new key and certificate for `CN=name`, good for loopback."""
        key, request, certificate = (f"{name}.{kind}" for kind in ("key", "csr", "crt"))
        (self.folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        self._openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}",
                      "-keyout", key, "-out", request)  # fmt: skip
        self._openssl("x509", "-req", "-in", request, "-CA", "ca.crt", "-CAkey", "ca.key",
                      "-CAcreateserial", "-days", "2", "-extfile", "names",
                      "-out", certificate)  # fmt: skip
        return self.folder / key, self.folder / certificate

    def security(self, name):
        """Options of the clients of user `name`, as `components/tls` sets them."""
        key, certificate = self.issue(name)
        return {
            "security.protocol": "ssl",
            "ssl.ca.location": str(self.certificate),
            "ssl.certificate.location": str(certificate),
            "ssl.key.location": str(key),
        }

    def _openssl(self, *arguments):
        toolbox.run("openssl", *arguments, cwd=self.folder)


class SecuredKafka(ApacheKafka):
    """One node; whoever has no right by name is refused."""

    def __init__(self, folder: Path, home: Path):
        super().__init__(folder, home)
        folder.mkdir(parents=True, exist_ok=True)
        self.authority = Authority(folder / "ca")
        self.admin = self.authority.security(ADMIN)

    def _prepare(self):
        fresh = not self._config.exists()
        super()._prepare()
        if not fresh:
            return
        key, certificate = (
            Path(self.admin["ssl.key.location"]),
            self.admin["ssl.certificate.location"],
        )
        store = self.folder / "broker.pem"
        store.write_text(key.read_text() + Path(certificate).read_text())
        ours = {
            "listeners": f"SSL://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{self._controller}",
            "advertised.listeners": f"SSL://127.0.0.1:{self.port}",
            "inter.broker.listener.name": "SSL",
            "listener.security.protocol.map": "SSL:SSL,CONTROLLER:PLAINTEXT",
            "ssl.client.auth": "required",
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(store),
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": str(self.authority.certificate),
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
