"""Notes over which a process is killed, so that it can say nothing, are found; no other is lost."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from harness import PARTITIONS, PATIENCE_S, make_topics, notes, until, worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader, publish
from stream_deid.streaming import suspects
from stream_deid.streaming.kafka.offsets import Offsets


@pytest.fixture
def kafka(apache: Kafka) -> Kafka:
    make_topics(apache, PARTITIONS)
    return replace(apache, member="only")


def _letters(reader: LedgerReader, kafka: Kafka) -> list[tuple[str, int]]:
    """Code and offset of each dead letter."""
    found = [
        orjson.loads(value)
        for (topic, _), values in reader.ledger.values.items()
        for value in values
        if topic == kafka.topic_dead
    ]
    return sorted((one["code"], one["source"]["offset"]) for one in found)


def test_notes_that_kill_the_process_become_dead_letters_and_all_others_are_released(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    feed = [*notes(30)]  # note i goes to partition i % 3
    feed[10] = feed[21] = b"fatal"
    published = publish(kafka, feed, PARTITIONS)
    only = stack.enter_context(worker(kafka, tmp_path / "a.log"))
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert reader.settle(1.0).problems(published) == {}
    assert _letters(reader, kafka) == [("note.crashes", 3), ("note.crashes", 7)]
    killed = only.statuses.count(-signal.SIGKILL)
    # what kills in one partition ends what another was trying, and who moves on counts anew
    assert killed <= 4 * (suspects.UNEXPLAINED + suspects.LIMIT)


def test_a_note_is_not_blamed_for_processes_that_are_told_to_end(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    gate, log = tmp_path / "gate", tmp_path / "a.log"
    publish(kafka, [b"lazy"], PARTITIONS)  # to partition 1
    offsets = Offsets(kafka)
    stack.callback(offsets.close)
    only = stack.enter_context(
        worker(kafka, log, HASHING_GATE=str(gate), STREAM_DEID_SHUTDOWN_S="2")
    )
    for ended in range(1, suspects.UNEXPLAINED + 2):
        until(lambda: offsets.start_of(1).begun == 1)
        only.send(signal.SIGTERM)
        until(lambda ended=ended: len(only.statuses) == ended)
        assert offsets.start_of(1).begun == 0
    gate.touch()
    reader.until(lambda seen: seen.done >= 1, PATIENCE_S)
    assert _letters(reader, kafka) == []
