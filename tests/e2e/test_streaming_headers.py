"""A record with a header whose name is not UTF-8, as clients in Go send one, stops nothing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.producer import message_accumulator
from aiokafka.record.default_records import _DefaultRecordBatchBuilderPy
from harness import HASHING, PATIENCE_S, make_topics, notes, worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader, environment, publish

NAME = "paciente\xed"
REPLAYING = Path(__file__).with_name("replaying.py")


class Raw(str):
    """A name that is sent as bytes of Latin-1."""

    __slots__ = ()

    def encode(self, *_: object) -> bytes:
        return super().encode("latin-1")


async def send_misnamed(kafka: Kafka) -> None:
    """One batch of three notes, the second of which has a header of such a name."""
    producer = AIOKafkaProducer(bootstrap_servers=kafka.bootstrap)
    await producer.start()
    try:
        batch = producer.create_batch()
        for at, name in enumerate(("good", Raw(NAME), "good")):
            made = batch.append(key=b"k", value=b"beside %d" % at, timestamp=None,
                                headers=[(name, b"1")])  # fmt: skip
            assert made is not None
        await (await producer.send_batch(batch, kafka.topic_in, partition=0))
    finally:
        await producer.stop()


def test_it_is_a_dead_letter_and_the_notes_around_it_are_released(
    apache: Kafka, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Faust ended over it, and the next worker after it: the partition stood still for ever."""
    make_topics(apache, 1)
    monkeypatch.setattr(
        message_accumulator, "DefaultRecordBatchBuilder", _DefaultRecordBatchBuilderPy
    )
    publish(apache, notes(3), 1)
    asyncio.run(send_misnamed(apache))
    publish(apache, notes(3), 1)
    reader, log = LedgerReader(apache, 1), tmp_path / "worker.log"
    with worker(apache, log) as only:
        reader.until(lambda seen: seen.done >= 9, PATIENCE_S)
        assert only.statuses == []
    assert reader.settle(0.5).problems(9) == {}
    reader.close()
    ((_, letter),) = [
        (place, orjson.loads(value))
        for (topic, place), values in reader.ledger.values.items()
        if topic == apache.topic_dead
        for value in values
    ]
    assert (letter["code"], letter["source"]["offset"]) == ("kafka.headers", 4)
    assert NAME not in log.read_text()
    replay = [sys.executable, str(REPLAYING), "--verify"]
    env = environment(apache, PYTHONPATH=str(HASHING.parents[2]))
    ran = subprocess.run(replay, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
