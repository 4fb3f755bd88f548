"""`replay --verify` tells what was done to outputs: by somebody who may write where workers do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from harness import make_topics, notes
from test_replay_stream import Telling, done_by_a_replay, run

from stream_deid import exits
from stream_deid.config import Kafka
from stream_deid.outcome import Released, Source
from stream_deid.rig.reconciliation import publish
from stream_deid.streaming.kafka.clients import base_options
from stream_deid.streaming.replay.job import ReplayJob

COUNT = 4
OUTPUT = tuple[str, bytes, bytes, str]
"""Topic, key, value, source: what a worker writes, in its order."""


@pytest.fixture
def worked(apache: Kafka) -> tuple[Kafka, list[OUTPUT]]:
    """Messages of one partition that the workers have done, and what these wrote, to be written."""
    make_topics(apache, 3)
    messages = list(notes(COUNT))
    publish(apache, messages, 1)
    return apache, [one for n, raw in enumerate(messages) for one in of_a_worker(apache, n, raw)]


def of_a_worker(kafka: Kafka, offset: int, raw: bytes) -> list[OUTPUT]:
    source = Source(kafka.topic_in, 0, offset)
    outcome = asyncio.run(Telling().process(raw, source))
    assert isinstance(outcome, Released)
    place = f"{kafka.topic_in}/0/{offset}"
    return [
        (kafka.topic_out, outcome.key, outcome.note, place),
        (kafka.topic_audit, outcome.key, outcome.audit, place),
    ]


def written(kafka: Kafka, outputs: list[OUTPUT]) -> None:
    producer = Producer(base_options(kafka))
    for topic, key, value, source in outputs:
        headers = [("source", source.encode())] if source else []
        producer.produce(topic, value, key, partition=0, headers=headers)
    assert producer.flush(20) == 0


def verified(kafka: Kafka) -> tuple[int, str]:
    group = Consumer({**base_options(kafka), "group.id": kafka.group})
    group.commit(offsets=[TopicPartition(kafka.topic_in, 0, COUNT)], asynchronous=False)
    group.close()
    return run(kafka, ReplayJob(verify=True))


ALL = f"{COUNT} of {COUNT} notes came out byte for byte"
ATTACKS: dict[str, tuple[Callable[[list[OUTPUT]], list[OUTPUT]], str]] = {
    "an audit is gone": (lambda o: [*o[:3], *o[4:]], "1 have no output to compare with"),
    "the end is cut off": (lambda o: o[:-2], "1 have no output to compare with"),
    "an old audit again": (lambda o: [*o, o[1]], "1 outputs (audit) are there again"),
    "put in another order": (lambda o: [*o[2:4], *o[:2], *o[4:]], "stand behind one of a later"),
    "an audit under another patient": (
        lambda o: [o[0], (o[1][0], b"another", *o[1][2:]), *o[2:]], "1 came out otherwise",
    ),
    "two audits are swapped": (
        lambda o: [
            o[0], (*o[1][:2], *o[3][2:3], o[1][3]), o[2], (*o[3][:2], *o[1][2:3], o[3][3]), *o[4:],
        ],
        "2 came out otherwise",
    ),
    "a note that names nothing": (lambda o: [*o, (*o[0][:3], "")], "1 outputs name no message"),
    "a note of a message to come": (
        lambda o: [*o, (*o[0][:3], o[0][3][:-1] + "99")], "1 outputs name no message",
    ),
    "in the other topic": (lambda o: [*o, (o[0][0], *o[1][1:])], "came out otherwise"),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_was_done_to_outputs_is_told(worked: tuple[Kafka, list[OUTPUT]], attack: str) -> None:
    kafka, outputs = worked
    done, told = ATTACKS[attack]
    written(kafka, done(outputs))
    status, said = verified(kafka)
    assert status == exits.REJECTS, said
    assert told in said


def test_a_dead_letter_beside_a_released_note_is_told(
    worked: tuple[Kafka, list[OUTPUT]],
) -> None:
    kafka, outputs = worked
    written(kafka, [*outputs, (kafka.topic_dead, b"k", b"{}", outputs[0][3])])
    status, said = verified(kafka)
    assert (status, "1 came out otherwise" in said) == (exits.REJECTS, True)


def test_what_workers_wrote_is_proved_and_another_key_is_not(
    worked: tuple[Kafka, list[OUTPUT]],
) -> None:
    kafka, outputs = worked
    written(kafka, outputs)
    status, said = verified(kafka)
    assert (status, said.startswith(ALL)) == (exits.OK, True)
    done_by_a_replay(kafka)
    status, said = verified(kafka)
    assert (status, said.startswith(ALL)) == (exits.OK, True), (
        said
    )  # again, by a replay that says so
