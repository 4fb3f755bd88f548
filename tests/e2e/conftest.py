"""Real brokers (noida-db, and Apache Kafka where `KAFKA_HOME` names one) and a real Triton."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from harness import AGAIN_AFTER_S, PARTITIONS, kafka_home, kafka_settings
from whole import MODELS

from stream_deid.config import Kafka
from stream_deid.rig.broker import ApacheKafka, Broker, NoidaDb
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer

_groups = itertools.count()
_LINES = 60


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """What the processes of a failed test logged last, and all that isn't a line of their own: the
    assertions of native libraries and the frames of a crash.
    """
    report = yield
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    if report.failed and folder is not None:
        for log in sorted(folder.glob("*.log")):
            lines = log.read_text("utf-8", "replace").splitlines()
            strange = [line for line in lines[:-_LINES] if not line.startswith("{")][-_LINES:]
            report.sections.append((log.name, "\n".join([*strange, *lines[-_LINES:]])))
    return report


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Kafka]:
    """Settings for a fresh embedded broker."""
    with NoidaDb(tmp_path / "broker") as broker:
        yield kafka_settings(broker.bootstrap)


@pytest.fixture(scope="session")
def apache_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """One Apache Kafka for the session; tests may kill and start it again."""
    home = kafka_home()
    with ApacheKafka(tmp_path_factory.mktemp("kafka"), home) as broker:
        yield broker


@pytest.fixture
def apache(apache_broker: Broker) -> Kafka:
    """Settings for Apache Kafka with a group and topics that no other test uses."""
    return kafka_settings(apache_broker.bootstrap, f"deid{next(_groups)}", session_s=4.0)


@pytest.fixture(scope="session")
def server() -> Iterator[LocalServer]:
    """One Triton for the session, with the models of `whole`."""
    names = [name for models in MODELS.values() for name in models]
    with LocalServer(manifest.repository(), names, threads=1, restarts=10) as running:
        yield running


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What is ended when a test has."""
    with ExitStack() as held:
        yield held


@pytest.fixture
def reader(kafka: Kafka, stack: ExitStack) -> LedgerReader:
    """What comes out of the topics of a module's `kafka`."""
    held = LedgerReader(kafka, PARTITIONS, AGAIN_AFTER_S)
    stack.callback(held.close)
    return held
