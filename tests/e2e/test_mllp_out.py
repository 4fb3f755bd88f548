"""The sender on Apache Kafka: in order, never past a message without ACK, again after a kill."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import hl7
from confluent_kafka import Consumer, Producer, TopicPartition
from harness import until
from mllp_parties import PARTITIONS, Receiver, make_topics, message, outlet

from stream_deid.config import Kafka
from stream_deid.rig.broker import Broker
from stream_deid.streaming.kafka.clients import base_options

ENDS_S = 40.0
"""Fifteen seconds are the time of its last call; the rest is for a machine that is loaded."""


def release(kafka: Kafka, values: list[bytes]) -> None:
    """Clean notes of a worker; one partition, so that there is one order."""
    producer = Producer({**base_options(kafka), "enable.idempotence": True})
    for value in values:
        producer.produce(kafka.topic_out, value, partition=0)
    assert producer.flush(30) == 0


def committed(kafka: Kafka) -> int:
    """How many records of partition 0 are done with."""
    options = {**base_options(kafka), "group.id": f"{kafka.group}-mllp-out"}
    consumer = Consumer(options)
    asked = [TopicPartition(kafka.topic_out, p) for p in range(PARTITIONS)]
    found = consumer.committed(asked, timeout=20)
    consumer.close()
    return sum(max(0, place.offset) for place in found)


def firsts(numbers: list[str]) -> list[str]:
    return list(dict.fromkeys(numbers))


def test_released_messages_arrive_in_order_and_other_formats_are_passed_over(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    receiver = Receiver()
    wants_none = message("5").replace(b"|2.5.1\r", b"|2.5.1|||NE|NE\r")
    release(apache, [*(message(f"{i}") for i in range(5)), b'{"note_id": "x"}', wants_none,
                     b"BHS|^~\\&|batch\r"])  # fmt: skip
    with outlet(apache, receiver.port, tmp_path / "out.log") as running:
        until(lambda: len(receiver.got) >= 6, lambda: receiver.got)
        until(lambda: committed(apache) == 8, lambda: committed(apache))
        running.stop()
    receiver.close()
    assert receiver.got == [f"{i}" for i in range(6)]
    assert receiver.bodies[0].encode().rstrip(b"\r") == message("0").rstrip(b"\r")
    assert str(hl7.parse(receiver.bodies[5]).segment("MSH")).endswith("|2.5.1||||")
    assert committed(apache) == 8


def test_a_receiver_that_says_ae_or_hangs_up_gets_it_again_and_nothing_is_committed_before(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    answers = {"1": iter(["AE", None, "CE", "AA"])}
    receiver = Receiver(lambda number: next(answers.get(number, iter(["AA"]))))
    release(apache, [message(f"{i}") for i in range(3)])
    with outlet(apache, receiver.port, tmp_path / "out.log") as running:
        until(lambda: "2" in receiver.got, lambda: receiver.got)
        until(lambda: committed(apache) == 3, lambda: committed(apache))
        running.stop()
    receiver.close()
    assert receiver.got == ["0", "1", "1", "1", "1", "2"]


def test_nothing_is_committed_past_a_message_that_is_rejected(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    receiver = Receiver(lambda number: "AR" if number == "2" else "AA")
    release(apache, [message(f"{i}") for i in range(4)])
    log = tmp_path / "out.log"
    with outlet(apache, receiver.port, log) as running:
        until(lambda: len(running.statuses) >= 2, lambda: log.read_text()[-2000:])
        running.stop()
    assert set(receiver.got) == {"0", "1", "2"}
    assert running.statuses[0] == 78
    assert "mllp.rejected" in log.read_text()
    assert committed(apache) == 2
    with outlet(apache, receiver.port, log, STREAM_DEID_MLLP_OUT__ON_REJECT="skip") as running:
        until(lambda: "3" in receiver.got, lambda: log.read_text()[-2000:])
        running.stop()
    receiver.close()
    assert committed(apache) == 4
    assert "JANE" not in log.read_text()


def test_killed_at_any_moment_it_leaves_nothing_out_and_keeps_the_order(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache)
    receiver, dice, count = Receiver(), random.Random(4), 400
    release(apache, [message(f"{i}") for i in range(count)])
    with outlet(apache, receiver.port, tmp_path / "out.log") as running:
        for part in range(1, 5):
            goal = part * count // 5 + dice.randrange(20)
            until(lambda goal=goal: len(firsts(receiver.got)) > goal, receiver.got.__len__)
            running.kill()
        until(lambda: len(firsts(receiver.got)) == count, receiver.got.__len__)
        until(lambda: committed(apache) == count, lambda: committed(apache))
        running.stop()
    receiver.close()
    assert firsts(receiver.got) == [f"{i}" for i in range(count)]  # after de-duplication by MSH-10


def test_it_ends_when_it_is_told_to_though_the_broker_is_stopped(
    apache_broker: Broker, apache: Kafka, tmp_path: Path
) -> None:
    """Its last commit waited for the broker as long as librdkafka likes."""
    make_topics(apache)
    receiver = Receiver()
    release(apache, [message("0"), message("1")])
    with outlet(apache, receiver.port, tmp_path / "out.log") as running:
        until(lambda: receiver.got == ["0", "1"], lambda: receiver.got)
        apache_broker.send(signal.SIGSTOP)
        try:
            begin = time.monotonic()
            assert running.stop(wait_s=90) == 0
            took = time.monotonic() - begin
        finally:
            apache_broker.send(signal.SIGCONT)
    receiver.close()
    assert took < ENDS_S
