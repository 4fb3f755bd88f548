"""What a broker forgets of a group without members, and what `stream-deid release` does then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from confluent_kafka import Consumer, TopicPartition
from harness import PATIENCE_S, kafka_home, kafka_settings, until
from test_streaming_release import Outside, mover_of, sent, with_topics

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.rig.broker import ApacheKafka
from stream_deid.streaming.kafka.clients import base_options

FORGETS_S = 60
"""The least that a broker can be told (`offsets.retention.minutes`)."""


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApacheKafka]:
    """A broker that keeps a group's offsets for a minute, as others do for seven days."""
    home = kafka_home()
    kept = {"offsets_retention_minutes": "1", "offsets_retention_check_interval_ms": "1000"}
    folder = tmp_path_factory.mktemp("forgetful")
    with ApacheKafka(folder, home, **kept) as broker:
        yield broker


@pytest.fixture
def inner(forgetful: ApacheKafka) -> Kafka:
    return with_topics(kafka_settings(forgetful.bootstrap, "forgetful"))


def outside_of(kafka: Kafka) -> Outside:
    return Outside(kafka, (f"{kafka.group}.outer.notes", f"{kafka.group}.outer.audit"), 1)


def remembered(kafka: Kafka) -> bool:
    """Whether the broker knows any offset of the group."""
    group = Consumer({**base_options(kafka), "group.id": f"{kafka.group}-release"})
    places = [TopicPartition(topic, 0) for topic in (kafka.topic_out, kafka.topic_audit)]
    found = group.committed(places, 20)
    group.close()
    return any(one.offset >= 0 for one in found)


def stood_for_too_long(kafka: Kafka) -> None:
    until(lambda: not remembered(kafka), "the broker forgets the group")


def test_what_went_out_is_not_forgotten_while_it_runs_and_told_where_it_was(inner: Kafka) -> None:
    sent(inner, 20)
    outside, ended = outside_of(inner), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(mover_of(inner).run, ended)
        outside.until(20, PATIENCE_S)
        outside.read(FORGETS_S + 20.0)  # a period in which nothing comes
        sent(inner, 20)
        outside.until(40, PATIENCE_S)
        outside.read(4.0)
        ended.set()
        run.result(60)
    assert {len(messages) for messages in outside.seen.values()} == {40}
    stood_for_too_long(inner)
    with pytest.raises(Halt, match=r"release\.forgotten"):
        mover_of(inner).run(threading.Event())
    outside.read(2.0)
    assert {len(messages) for messages in outside.seen.values()} == {40}
    outside.close()
