"""The chaos command on a real broker: a short run, and one that must fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stream_deid.rig import chaos
from stream_deid.rig.broker import Broker
from stream_deid.rig.chaos.plan import BROKER_QUICK, KILL, STOP, TERM

SHORT = chaos.ChaosPlan(
    seed=4,
    duration_s=16.0,
    kill_rate=0.5,
    rate=30.0,
    giants=0.01,
    kinds={KILL: 3, TERM: 1, STOP: 1, BROKER_QUICK: 1},
    session_timeout_s=4.0,
    # a machine under tests is slow: here it is the account that is tried, not the time
    bounds=chaos.Bounds(worker=600, broker=600, steady=600, start=600),
)


def test_a_short_run_loses_nothing_and_mixes_nothing_up(
    apache_broker: Broker, tmp_path: Path
) -> None:
    account = chaos.run(SHORT, apache_broker, tmp_path)
    told = "\n".join(account.lines())
    assert account.problems == {}, told
    assert account.released + account.dead.total() == account.published > 100, told
    assert account.events.total() >= 2, told
    assert {"json.syntax", "format.unknown"} >= set(account.dead) > set(), told


@pytest.mark.parametrize("seconds", [0.0])
def test_a_stall_beyond_its_bound_is_a_problem(
    apache_broker: Broker, tmp_path: Path, seconds: float
) -> None:
    strict = chaos.Bounds(seconds, seconds, seconds, seconds, seconds, bytes_a_second=1e9)
    plan = replace(SHORT, seed=5, duration_s=3.0, kill_rate=0.01, bounds=strict)
    account = chaos.run(plan, apache_broker, tmp_path)
    assert set(account.problems) == {"notes_that_stood_still_too_long"}
