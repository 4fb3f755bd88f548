"""Clients that saw their broker restart answer as soon as it does.

librdkafka's don't by themselves: an AdminClient never finds the group's coordinator again, and
holds to a former leader's epoch.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaException, Producer
from harness import PATIENCE_S, make_topics

from stream_deid.config import Kafka, Settings
from stream_deid.errors import Unavailable
from stream_deid.rig.broker import Broker
from stream_deid.streaming.kafka import membership
from stream_deid.streaming.kafka.clients import base_options, create_topics
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.kafka.records import TopicRecords

PARTITIONS = 2
ASKS = 3  # as often as a question may fail while the broker gathers itself


def answered(ask: Callable[[], Any], expected: Any) -> None:
    """Asked now and again, a client answers as it should within `PATIENCE_S`, ..."""
    deadline = time.monotonic() + PATIENCE_S
    while _answer(ask) != expected:
        assert time.monotonic() < deadline
    for _ in range(ASKS):  # ... and goes on to
        assert _answer(ask) == expected


def _answer(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except (KafkaException, Unavailable) as error:
        return error


@pytest.fixture
def kafka(apache: Kafka) -> Kafka:
    kafka = replace(apache, topic_records=f"{apache.group}.patients", session_timeout_s=60.0)
    make_topics(kafka, PARTITIONS)
    create_topics(kafka, {kafka.topic_records: PARTITIONS})
    return kafka


def test_the_group_says_who_has_what(kafka: Kafka, apache_broker: Broker) -> None:
    with ExitStack() as stack:
        member = Consumer(base_options(kafka) | {"group.id": kafka.group})
        stack.callback(member.close)
        member.subscribe([kafka.topic_in])
        answered(lambda: member.poll(0.2) or membership.owned(kafka), {0, 1})
        apache_broker.kill()
        apache_broker.start()
        answered(lambda: member.poll(0.2) or membership.owned(kafka), {0, 1})
        assert membership.holds(kafka, member.memberid(), {1})
        assert membership.holds(kafka, "a stranger", {1}) is False


ASKED = """
import sys, threading
from stream_deid.config import Kafka
from stream_deid.streaming.kafka import membership
kafka = Kafka(bootstrap=sys.argv[1], group=sys.argv[2], topic_in=sys.argv[3])
def ask():
    while True:
        membership.holds(kafka, "a stranger", {1})
for _ in range(8):
    threading.Thread(target=ask, daemon=True).start()
sys.stdin.read()
"""


def test_who_asks_the_group_while_its_broker_restarts_lives(
    kafka: Kafka, apache_broker: Broker
) -> None:
    """DescribeConsumerGroups of librdkafka ended a worker with SIGABRT (`eonce->refcnt > 0`)."""
    with ExitStack() as stack:
        member = Consumer(base_options(kafka) | {"group.id": kafka.group})
        stack.callback(member.close)
        member.subscribe([kafka.topic_in])
        answered(lambda: member.poll(0.2) or membership.owned(kafka), {0, 1})
        command = [sys.executable, "-c", ASKED, kafka.bootstrap, kafka.group, kafka.topic_in]
        asking = stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE))
        stack.callback(asking.kill)
        for _ in range(4):
            for _ in range(10):
                member.poll(0.2)
            apache_broker.kill()
            apache_broker.start()
        assert asking.poll() is None


def test_a_group_without_a_broker_says_nothing_and_soon(kafka: Kafka) -> None:
    nobody = replace(kafka, bootstrap="127.0.0.1:9")
    began = time.monotonic()
    assert membership.holds(nobody, "a stranger", {1}) is None
    assert time.monotonic() - began < kafka.session_timeout_s / 2


def test_offsets_are_known(kafka: Kafka, apache_broker: Broker) -> None:
    offsets, claims = Offsets(kafka), Offsets(kafka)
    for restart in (False, True):
        if restart:
            apache_broker.kill()
            apache_broker.start()
        answered(lambda: claims.start_of(0).position, 0)
        answered(lambda: offsets.lag(range(PARTITIONS)), dict.fromkeys(range(PARTITIONS), (0, 0)))
    offsets.close()
    claims.close()


def test_records_of_patients_are_read(kafka: Kafka, apache_broker: Broker) -> None:
    producer = Producer(base_options(kafka))
    producer.produce(kafka.topic_records, b'{"mrn": "88-Q7"}', b"p1", 0)
    assert producer.flush(30) == 0
    records = TopicRecords(Settings(kafka=kafka))
    records.open()

    def known() -> bool:
        return asyncio.run(records.of("p1")) is not None

    answered(known, expected=True)
    apache_broker.kill()
    apache_broker.start()
    answered(known, expected=True)
    records.close()
