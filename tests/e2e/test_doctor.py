"""The doctor before real brokers: what is missing, refused, gone, and what to do."""

from __future__ import annotations

import time
from dataclasses import replace

import orjson
import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic
from diagnosis import told
from drawn import deliver, drawn_processor, receive
from harness import kafka_settings, make_topics

from stream_deid import cli
from stream_deid.config import Kafka
from stream_deid.operations.doctor import kafka as kafka_doctor
from stream_deid.operations.doctor import triton as triton_doctor
from stream_deid.operations.doctor.findings import Level
from stream_deid.rig.broker import free_port
from stream_deid.rig.reconciliation import environment
from stream_deid.streaming.kafka.awaiting import Patience, await_topics
from stream_deid.streaming.kafka.clients import (
    base_options,
    create_topics,
    reader_options,
)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A doctor that waits three seconds for who is away."""
    monkeypatch.setattr(kafka_doctor, "_ASK_S", 3.0)
    monkeypatch.setattr(triton_doctor, "_WAIT_S", 3.0)


@pytest.mark.usefixtures("hasty")
def test_nobody_there() -> None:
    found = told(kafka_settings(f"127.0.0.1:{free_port()}"))
    (only,) = found[Level.ERROR]
    assert "does not answer" in only
    assert not found[Level.WELL]


def test_an_embedded_broker_with_its_topics(embedded: Kafka) -> None:
    missing = told(embedded)[Level.ERROR]
    assert [one.split(":")[0] for one in missing] == [
        "kafka.topic_in", "kafka.topic_out", "kafka.topic_audit", "kafka.topic_dead",
    ]  # fmt: skip
    assert all("kafka-topics.sh --create" in one for one in missing)
    make_topics(embedded, 3)
    found = told(embedded)
    assert not found[Level.ERROR]
    assert any("the broker opens transactions" in one for one in found[Level.WELL])
    assert any("0 workers, 0 behind" in one for one in found[Level.WELL])


def test_topics_that_will_hurt(apache: Kafka) -> None:
    make_topics(apache, 2)
    admin = AdminClient(base_options(apache))
    grown = admin.create_partitions([NewPartitions(apache.topic_out, 4)])
    seen = NewTopic("notes.seen", 1, 1, config={"cleanup.policy": "compact"})
    for future in [*grown.values(), *admin.create_topics([seen]).values()]:
        future.result(20)
    await_topics(apache, ["notes.seen"], Patience(20))
    found = told(replace(apache, max_message_bytes=50_000_000), "mllp")
    (compacted,) = found[Level.ERROR]
    assert "notes.seen is compacted" in compacted
    assert any("--partitions 4" in one for one in found[Level.WARNING])
    assert any("output.too_large" in one for one in found[Level.WARNING])
    assert any("keeps audit records for 7 days" in one for one in found[Level.WARNING])


def test_time_outs_that_the_broker_refuses(apache: Kafka) -> None:
    make_topics(apache, 1)
    found = told(replace(apache, session_timeout_s=0.5, transaction_timeout_s=100_000.0))
    assert any("kafka.session_timeout_s is 0.5 s" in one for one in found[Level.ERROR])
    assert any("kafka.transaction_timeout_s" in one for one in found[Level.ERROR])


def test_a_topic_that_was_made_anew_and_notes_from_the_future(apache: Kafka) -> None:
    make_topics(apache, 1)
    producer = Producer(base_options(apache))
    later = int((time.time() + 1800) * 1000)
    for _ in range(5):
        producer.produce(apache.topic_in, b"x", timestamp=later)
    assert producer.flush(20) == 0
    consumer = Consumer(reader_options(apache))
    consumer.commit(offsets=[TopicPartition(apache.topic_in, 0, 50)], asynchronous=False)
    consumer.close()
    found = told(apache)
    (anew,) = found[Level.ERROR]
    assert "stands at offset 50" in anew
    assert "ends at 5" in anew
    assert any("ahead of this machine's clock (partitions 0)" in w for w in found[Level.WARNING])


def test_lost_offsets_are_found_again_in_the_outputs(apache: Kafka) -> None:
    receive(apache)
    deliver(apache, drawn_processor(), 3)
    assert any("0 workers, 1 behind" in one for one in told(apache)[Level.WELL])
    admin = AdminClient(base_options(apache))
    for future in admin.delete_consumer_groups([apache.group]).values():
        future.result(20)
    (lost,) = told(apache)[Level.ERROR]
    assert "its outputs go up to offset 2: everything would come out again" in lost
    assert lost.endswith(f"--topic {apache.topic_in}:0 --to-offset 3 --execute")


@pytest.mark.parametrize("longer", [False, True], ids=["shorter than before", "longer"])
def test_where_the_input_was_made_anew_its_outputs_say_nothing_of_it(
    apache: Kafka, longer: bool
) -> None:
    """With the topic Kafka deletes the group's offsets: workers begin with the first record."""
    receive(apache)
    deliver(apache, drawn_processor(), 3)
    admin = AdminClient(base_options(apache))
    admin.delete_topics([apache.topic_in])[apache.topic_in].result(20)
    deadline = time.monotonic() + 30
    while apache.topic_in in admin.list_topics(timeout=10).topics:
        assert time.monotonic() < deadline
    create_topics(apache, {apache.topic_in: 1})
    producer = Producer(base_options(apache))
    for _ in range(9 if longer else 1):
        producer.produce(apache.topic_in, b"x")
    assert producer.flush(20) == 0
    found = told(apache)
    assert not found[Level.ERROR]
    assert any("it was made anew" in one for one in found[Level.WARNING])


@pytest.mark.usefixtures("hasty")
def test_the_command_tells_all_in_json(
    embedded: Kafka, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_topics(embedded, 1)
    env = environment(embedded, STREAM_DEID_KEYS__VALUE="canary-key-0123456789")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("STREAM_DEID_TRITON__URL", f"127.0.0.1:{free_port()}")
    monkeypatch.setenv("STREAM_DEID_MODELS__EN", '["bilstm_crf_en"]')
    assert cli.main(["doctor", "--json"]) == 78
    told = capsys.readouterr().out
    assert "canary" not in told
    body = orjson.loads(told)
    assert body["status"] == 78
    areas = {one["area"] for one in body["findings"]}
    assert areas == {"settings", "machine", "kafka", "triton", "wires"}
    (error,) = (one for one in body["findings"] if one["level"] == "error")
    assert error["area"] == "triton"
    assert "triton.unavailable" in error["what"]

    monkeypatch.setenv("STREAM_DEID_KAFKA__GRUOP", "x")
    assert cli.main(["doctor"]) == 78
    assert "did you mean STREAM_DEID_KAFKA__GROUP?" in capsys.readouterr().out
