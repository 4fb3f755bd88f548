"""What goes out together, in which order, and what of the audit goes with it."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.streaming.releasing.batch import Item, Schedule, releasable, shuffled

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


def items(count: int) -> list[Item]:
    return [Item("released.notes", b"p", b"note %d" % i) for i in range(count)]


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


@pytest.mark.parametrize("record", [b"", b"7", b"[]", b"null", b'{"spans": 7}', b'{"spans": [7]}'])
def test_what_is_no_audit_record_is_not_released(record: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        releasable(record)


def test_the_order_is_the_keys_and_nobody_elses() -> None:
    batch = items(400)
    out = shuffled(batch, KEY)
    assert sorted(out, key=lambda item: item.value) == sorted(batch, key=lambda item: item.value)
    place = {item.value: i for i, item in enumerate(out)}
    moved = sum(abs(place[item.value] - i) for i, item in enumerate(batch)) / 400
    assert 110 < moved < 157  # a third of 400, as in a random order
    assert shuffled(batch[::-1], KEY) == out
    assert shuffled(batch, b"another key of 16") != out


@given(st.floats(1, 1e6), st.floats(0, 2e9), st.floats(0, 1e7), st.integers(0, 50))
def test_a_batch_goes_out_when_its_period_is_closed_and_it_is_large_enough(
    period: float, opened: float, later: float, notes: int
) -> None:
    plan = Schedule(period, least=10, most=40)
    due = plan.is_due(notes, opened, opened + later)
    assert due == (notes >= 40 or (notes >= 10 and opened + later >= plan.closes(opened)))
    assert plan.closes(opened) > opened or period < 1e-6 * opened
    assert plan.stamp(opened) <= opened * 1000


def test_a_day_closes_at_midnight() -> None:
    day = Schedule(86_400, 1, 10)
    noon = 20_000 * 86_400 + 43_200
    assert not day.is_due(5, noon, noon + 43_199)
    assert day.is_due(5, noon, noon + 43_200)
    assert day.stamp(noon + 43_201) == 20_001 * 86_400_000
