"""A clock that brokers don't believe: the worker says so and ends, and nothing is lost by it."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import pytest
import wrong_clock
from harness import PATIENCE_S, make_topics, notes, worker

from stream_deid.config import Kafka
from stream_deid.exits import UNAVAILABLE
from stream_deid.rig.reconciliation import LedgerReader, publish

PARTITIONS = 2
AHEAD_S = 2 * 3600
"""Twice what brokers since Kafka 4 take (`message.timestamp.after.max.ms`)."""


@pytest.mark.skipif(not wrong_clock.has_compiler(), reason="there is no C compiler")
def test_a_clock_that_brokers_refuse_is_told_and_no_note_is_lost(
    apache: Kafka, tmp_path: Path
) -> None:
    make_topics(apache, PARTITIONS)
    published = publish(apache, notes(40), PARTITIONS)
    clock, log = tmp_path / "clock", tmp_path / "a.log"
    clock.write_text(f"{AHEAD_S}\n")
    deadline = time.monotonic() + PATIENCE_S
    with ExitStack() as stack:
        only = stack.enter_context(worker(apache, log, **wrong_clock.environment(tmp_path, clock)))
        while len(only.statuses) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        ended = only.statuses[:2]
        clock.write_text("0\n")
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        reader.until(lambda seen: seen.done >= published, PATIENCE_S)
        assert reader.settle(0.5).problems(published) == {}
    assert ended == [UNAVAILABLE, UNAVAILABLE]
    assert b'"kafka.clock"' in log.read_bytes()
    assert b'"kafka.transaction"' not in log.read_bytes()
