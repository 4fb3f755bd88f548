"""Every record is taken, in its order, whatever Faust drops or loses while groups rebalance."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from harness import PATIENCE_S, committed, make_topics, notes, worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader, publish

PARTITIONS = 4


@pytest.mark.parametrize("apart_s", [0.0, 0.1, 0.25])
def test_workers_that_join_together_serve_all_partitions(
    apache: Kafka, tmp_path: Path, apart_s: float
) -> None:
    """In two of nine such starts half of the partitions stood still, until a further note came;
    then the worker ended with `stream.gap`.
    """
    make_topics(apache, PARTITIONS)
    published = publish(apache, notes(1000), PARTITIONS)
    with ExitStack() as stack:
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        patient = replace(apache, session_timeout_s=30.0)  # nobody dies here
        first = stack.enter_context(worker(patient, tmp_path / "a.log"))
        time.sleep(apart_s)
        second = stack.enter_context(worker(patient, tmp_path / "b.log"))
        reader.until(lambda ledger: ledger.done >= published, PATIENCE_S)
        assert reader.settle(1.0).problems(published) == {}
        assert committed(apache, PARTITIONS) == published
        assert [first.statuses, second.statuses] == [[], []]


@pytest.mark.parametrize(
    "fault", [{"HASHING_DROPS": "1"}, {"HASHING_LOSES": "once"}], ids=["dropped", "lost"]
)
def test_records_that_faust_drops_are_read_again(
    apache: Kafka, tmp_path: Path, fault: dict[str, str]
) -> None:
    """The worker ended with `stream.gap` and began anew."""
    make_topics(apache, PARTITIONS)
    published = publish(apache, notes(1000), PARTITIONS)
    with ExitStack() as stack:
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        only = stack.enter_context(worker(apache, tmp_path / "a.log", **fault))
        reader.until(lambda ledger: ledger.done >= published, PATIENCE_S)
        assert reader.settle(1.0).problems(published) == {}
        assert committed(apache, PARTITIONS) == published
        assert only.statuses == []


def test_records_that_faust_loses_at_the_end_are_read_again(apache: Kafka, tmp_path: Path) -> None:
    """Nothing comes behind them by which they would be missed: they waited until the watch ended
    the worker.
    """
    make_topics(apache, PARTITIONS)
    published = publish(apache, notes(1000), PARTITIONS)
    with ExitStack() as stack:
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        log = tmp_path / "a.log"
        only = stack.enter_context(worker(apache, log, HASHING_LOSES="last"))
        reader.until(lambda ledger: ledger.done >= published, PATIENCE_S)
        assert reader.settle(1.0).problems(published) == {}
        assert committed(apache, PARTITIONS) == published
        assert only.statuses == []
        assert b'"partition_read_again"' in log.read_bytes()


def test_a_record_that_never_comes_ends_the_worker(apache: Kafka, tmp_path: Path) -> None:
    """It is asked for again a few times; then nothing is committed past it."""
    make_topics(apache, 1)
    publish(apache, notes(200), 1)
    with ExitStack() as stack:
        reader = LedgerReader(apache, 1)
        stack.callback(reader.close)
        log = tmp_path / "a.log"
        only = stack.enter_context(worker(apache, log, HASHING_LOSES="always"))
        deadline = time.monotonic() + PATIENCE_S
        while not only.statuses:
            assert time.monotonic() < deadline
            reader.poll()
        assert only.statuses[0] == 1
        assert b'"stream.gap"' in log.read_bytes()
        assert reader.settle(1.0).done <= 60
        assert committed(apache, 1) <= 60
