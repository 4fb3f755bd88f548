"""The broker of `compose.yaml`, started here with the same settings and the same script."""

import os
from pathlib import Path

import pytest
import toolbox
import yaml
from confluent_kafka.admin import AdminClient

from stream_deid.config import Kafka
from stream_deid.rig.broker import ApacheKafka, free_port

COMPOSE = yaml.safe_load((toolbox.DEPLOY / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
PORTS = ("9092", "9093", "9094")


class ComposeKafka(ApacheKafka):
    """The distribution in `home` as the image starts it, on free ports of loopback."""

    def __init__(self, folder, home):
        super().__init__(folder, home)
        self.ports = dict(zip(PORTS, (self.port, self.controller, free_port()), strict=True))

    def local(self, text):
        """A text of compose.yaml for this machine."""
        for port, free in self.ports.items():
            text = text.replace(f"kafka:{port}", f"127.0.0.1:{free}")
            text = text.replace(f"//:{port}", f"//127.0.0.1:{free}").replace(f":{port}", f":{free}")
        return text.replace("/opt/kafka", str(self._home))

    def _prepare(self):
        super()._prepare()  # formats the storage
        own = {
            name.removeprefix("KAFKA_").lower().replace("_", "."): self.local(value)
            for name, value in SERVICES["kafka"]["environment"].items()
        }
        own["log.dirs"] = str(self.folder / "data")
        self._config.write_text("\n".join(f"{k}={v}" for k, v in own.items()) + "\n")


@pytest.mark.slow
def test_the_broker_starts_and_the_script_makes_the_topics(tmp_path):
    home = os.environ.get("KAFKA_HOME")
    if not home:
        pytest.skip("KAFKA_HOME names no distribution of Apache Kafka")
    with ComposeKafka(tmp_path / "kafka", Path(home)) as broker:
        script = broker.local(SERVICES["topics"]["command"][0]).replace("$$", "$")
        shell = SERVICES["topics"]["entrypoint"]
        toolbox.run(*shell, script, env=os.environ | {"KAFKA_OPTS": ""})
        topics = AdminClient({"bootstrap.servers": broker.bootstrap}).list_topics(timeout=10).topics
        assert {name: len(topics[name].partitions) for name in Kafka().topics} == dict.fromkeys(
            Kafka().topics, 4
        )


def test_the_broker_takes_what_the_worker_sends():
    largest = int(SERVICES["kafka"]["environment"]["KAFKA_MESSAGE_MAX_BYTES"])
    assert largest >= Kafka().max_message_bytes
