"""Apache Kafka on loopback as Strimzi runs it: certificates for all, rights from the manifests."""

from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from stream_deid.rig import strimzi
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import ApacheKafka

ADMIN = "kafka"


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
            "listeners": f"SSL://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{self.controller}",
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
        strimzi.provision(self.client(), topics, users, partitions=2)
