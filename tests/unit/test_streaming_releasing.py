"""What goes out together, in which order, and what of the audit goes with it."""

from dataclasses import replace

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.streaming.releasing.batch import (
    BatchProgress,
    BatchSchedule,
    drawn,
    pass_of,
    releasable,
)
from stream_deid.streaming.releasing.watch import ReleaseHealth

KEY = b"0123456789abcdef"
AUDIT = {
    "note_id": "n4qd",
    "source": {"topic": "notes.raw", "partition": 2, "offset": 4711},
    "release": "0.1.0+abc",
    "language": "en",
    "outcome": "released",
    "spans": [
        {
            "start": 17, "end": 26, "type": "DATE", "detectors": ["date-holiday@1"], "score": 0.7,
            "out_start": 17, "out_end": 29, "strategy": "shift", "path": "text", "label": "FECHAS",
        },
    ],
    "coverage": {"chars": 900, "examined": 900, "models": ["bert_en@5"]},
    "fast_path": {"structured": 0},
    "input_mac": "ab",
    "output_mac": "cd",
}  # fmt: skip


def test_the_released_audit_tells_type_place_and_strategy_and_nothing_of_the_original() -> None:
    assert orjson.loads(releasable(orjson.dumps(AUDIT))) == {
        "note_id": "n4qd",
        "release": "0.1.0+abc",
        "language": "en",
        "outcome": "released",
        "spans": [
            {"type": "DATE", "out_start": 17, "out_end": 29, "strategy": "shift", "path": "text"}
        ],
    }


def test_the_released_audit_may_count_spans_or_leave_them_out() -> None:
    spans = [*AUDIT["spans"] * 2, {"type": "AGE"}]
    record = orjson.dumps({**AUDIT, "spans": spans})
    without = {k: AUDIT[k] for k in ("note_id", "release", "language", "outcome")}
    assert orjson.loads(releasable(record, "counts")) == {
        **without, "counts": {"AGE": 1, "DATE": 2},
    }  # fmt: skip
    assert orjson.loads(releasable(record, "none")) == without


@pytest.mark.parametrize(
    "record",
    [
        b"", b"7", b"[]", b"null", b'{"spans": 7}', b'{"spans": [7]}',
        b'{"note_id": {"name": "Whitcombe"}, "spans": []}',
        b'{"note_id": "a", "language": ["Whitcombe"], "spans": []}',
        b'{"note_id": "a", "spans": [{"type": {"was": "Whitcombe"}}]}',
        b'{"note_id": "a", "spans": [{"type": "DATE", "out_start": "Whitcombe"}]}',
    ],
)  # fmt: skip
def test_what_is_no_audit_record_is_not_released(record: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        releasable(record)


def test_the_order_is_the_keys_and_nobody_elses() -> None:
    batch = [b"note %d" % i for i in range(400)]
    out = sorted(batch, key=lambda value: drawn(value, KEY))
    place = {value: i for i, value in enumerate(out)}
    moved = sum(abs(place[value] - i) for i, value in enumerate(batch)) / 400
    assert 110 < moved < 157  # a third of 400, as in a random order
    assert out != batch
    assert sorted(batch, key=lambda value: drawn(value, b"another key of 16")) != out


@given(st.lists(st.binary(max_size=9), unique=True, min_size=1), st.integers(1, 9))
def test_passes_one_after_the_other_are_the_order_of_the_whole(
    values: list[bytes], passes: int
) -> None:
    places = [drawn(value, KEY) for value in values]
    shares = [sorted(p for p in places if pass_of(p, passes) == n) for n in range(passes)]
    assert [place for share in shares for place in share] == sorted(places)


@given(st.floats(1, 1e7), st.floats(0, 2e9))
def test_a_period_is_over_when_it_is(period: float, now: float) -> None:
    plan = BatchSchedule(period, least=1)
    assert plan.closed(now) <= now
    assert 0 <= plan.next(now) <= period * 1.001


def test_a_day_closes_at_midnight() -> None:
    day, midnight = BatchSchedule(86_400, 1), 20_000 * 86_400
    assert day.closed(midnight + 43_200) == midnight
    assert day.next(midnight + 43_200) == 43_200


def test_what_is_under_way_is_remembered_in_the_offsets() -> None:
    progress = BatchProgress(until=4711, stamp=1_700_000_000_000, passes=3, done=1)
    assert BatchProgress.load(progress.dump()) == progress
    assert BatchProgress.load(replace(progress, lot="ab" * 16, form="f").dump()).lot == "ab" * 16
    assert BatchProgress.load("[4711,1700000000000,3,1]") == progress  # of former releases
    assert BatchProgress.load("") is None


def test_it_is_behind_since_a_batch_is_due_and_until_it_is_out() -> None:
    clock = [1000.0]
    watch = ReleaseHealth(now=lambda: clock[0])
    assert watch.behind() == 0
    watch.looked(700, due=400.0)
    assert watch.behind() == 600
    clock[0] = 1060.0
    assert "stream_deid_release_behind_seconds 660.0" in watch.page("")[1].decode()
    watch.looked(0, due=None)
    assert watch.behind() == 0


def test_it_is_ready_when_it_is_the_one_and_dead_when_nothing_moves() -> None:
    watch = ReleaseHealth(silent_s=1e9)
    assert (watch.live(), watch.ready()) == ([], ["starting"])
    watch.holds()
    assert watch.ready() == []
    still = ReleaseHealth(silent_s=-1.0)
    still.holds()
    assert still.live()
    assert still.ready() == still.live()
