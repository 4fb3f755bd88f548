"""Claims that take long: a worker that wakes up in the middle of one doesn't end the partition's
owner of today, and one whose broker takes its time stays in the group meanwhile.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from harness import PATIENCE_S, committed, make_topics, notes, worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader, publish

PARTITIONS = 4


@pytest.mark.parametrize("moment", ["assigned", "before_fencing", "after_fencing"])
def test_the_owner_goes_on_when_a_worker_wakes_up_in_the_middle_of_its_claim(
    apache: Kafka, tmp_path: Path, moment: str
) -> None:
    """It fenced the owner, which ended (75), and all of its partitions with it."""
    make_topics(apache, PARTITIONS)
    asleep = tmp_path / moment
    with ExitStack() as stack:
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        late = worker(apache, tmp_path / "late.log", HASHING_ASLEEP=str(asleep))
        stack.enter_context(late)
        _until(asleep.exists, reader)
        owner = worker(apache, tmp_path / "owner.log", HASHING_DELAY_S="1")
        stack.enter_context(owner)
        published = publish(apache, notes(1500), PARTITIONS)
        reader.until(lambda ledger: ledger.done >= 100, PATIENCE_S)

        late.send(signal.SIGCONT)
        reader.until(lambda ledger: ledger.done >= published, PATIENCE_S)
        ledger = reader.settle(1.0)
        assert ledger.problems(published) == {}
        assert committed(apache, PARTITIONS) == published
        assert owner.statuses == late.statuses == []


def test_a_claim_longer_than_a_session_keeps_its_partitions(apache: Kafka, tmp_path: Path) -> None:
    """The group gave them away meanwhile, and the claims of two workers fenced each other."""
    make_topics(apache, PARTITIONS)
    log = tmp_path / "slow.log"
    more = {"HASHING_CLAIM_S": str(2.5 * apache.session_timeout_s), "HASHING_DELAY_S": "0.01"}
    with ExitStack() as stack:
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        slow = stack.enter_context(worker(apache, log, **more))
        published = publish(apache, notes(2000), PARTITIONS)
        reader.until(lambda ledger: ledger.done >= published, PATIENCE_S)
        assert reader.settle(1.0).problems(published) == {}
        assert slow.statuses == []
    assert log.read_bytes().count(b'"partitions_claimed"') == 1


@pytest.mark.parametrize("call", ["init_transactions", "send_offsets_to_transaction"])
def test_a_producer_that_only_times_out_is_replaced(
    apache: Kafka, tmp_path: Path, call: str
) -> None:
    """It was asked again and again until the transaction's own time was over; then the process
    ended, and all of its partitions with it.
    """
    make_topics(apache, PARTITIONS)
    patient = replace(apache, transaction_timeout_s=120.0)
    with ExitStack() as stack:
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        one = stack.enter_context(worker(patient, tmp_path / "deaf.log", HASHING_DEAF=call))
        published = publish(apache, notes(400), PARTITIONS)
        reader.until(lambda ledger: ledger.done >= published, PATIENCE_S)
        assert reader.settle(1.0).problems(published) == {}
        assert one.statuses == []
    assert b'"broker_call_hangs"' in (tmp_path / "deaf.log").read_bytes()


def _until(condition: Callable[[], bool], reader: LedgerReader) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        reader.poll()
