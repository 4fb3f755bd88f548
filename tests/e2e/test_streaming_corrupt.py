"""A stretch of the input that rotted on the broker's disk: told by name, stepped over by hand."""

import struct
import time
from pathlib import Path

import pytest
from confluent_kafka import Consumer, TopicPartition
from harness import PATIENCE_S, kafka_home, kafka_settings, make_topics, notes, worker

from stream_deid.exits import UNAVAILABLE
from stream_deid.rig.broker import ApacheKafka
from stream_deid.rig.reconciliation import LedgerReader, publish
from stream_deid.streaming.kafka.clients import reader_options

pytestmark = pytest.mark.slow

HEAD = struct.Struct(">qi")  # base offset of a batch, length of the rest
LAST = struct.Struct(">i")  # how far behind the base its last record lies
LAST_AT = 23


def spoil_a_batch(segment: Path, number: int) -> int:
    """Flip the last byte of a batch; the offset behind its last record."""
    content, at = bytearray(segment.read_bytes()), 0
    for _ in range(number):
        at += HEAD.size + HEAD.unpack_from(content, at)[1]
    base, length = HEAD.unpack_from(content, at)
    content[at + HEAD.size + length - 1] ^= 0xFF
    segment.write_bytes(content)
    return base + LAST.unpack_from(content, at + LAST_AT)[0] + 1


def test_a_batch_that_rotted_is_told_by_its_partition_and_can_be_stepped_over(
    tmp_path: Path,
) -> None:
    home = kafka_home()
    with ApacheKafka(tmp_path / "kafka", home) as broker:
        kafka = kafka_settings(broker.bootstrap)
        make_topics(kafka, 1)
        sent = sum(publish(kafka, notes(10), 1) for _ in range(3))
        broker.stop()
        (segment,) = (broker.folder / "data" / f"{kafka.topic_in}-0").glob("*.log")
        behind = spoil_a_batch(segment, 1)
        broker.start()
        reader, log = LedgerReader(kafka, 1), tmp_path / "w.log"
        with worker(kafka, log) as only:
            deadline = time.monotonic() + PATIENCE_S
            while not only.statuses:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert only.statuses[0] == UNAVAILABLE
        assert "kafka.corrupt" in log.read_text()
        assert f"topic='{kafka.topic_in}', partition=0" in log.read_text()
        group = Consumer(reader_options(kafka))
        place = TopicPartition(kafka.topic_in, 0, behind)
        group.commit(offsets=[place], asynchronous=False)
        group.close()
        with worker(kafka, log):
            reader.until(lambda seen: seen.done >= sent - behind, PATIENCE_S)
        assert reader.settle(0.5).done == sent - behind
        reader.close()
