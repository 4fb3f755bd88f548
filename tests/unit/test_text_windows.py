"""Windows own every character once, whatever the costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.errors import Halt
from stream_deid.text.windows import Stretch, check, plan


def layout(costs, gaps, lines):
    costs = np.array(costs, np.int32)
    starts = np.cumsum(np.array(gaps[: len(costs)], np.int32)) if len(costs) else costs
    return costs, starts.astype(np.int32), np.array(lines[: len(costs)], bool)


@given(
    st.lists(st.integers(1, 12), max_size=300),
    st.integers(12, 60),
    st.data(),
)
def test_each_character_has_one_owner_that_saw_it(costs, size, data):
    n = len(costs)
    gaps = data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    lines = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    overlap = data.draw(st.integers(0, size // 2))
    costs, starts, opens = layout(costs, gaps, lines)
    length = int(starts[-1]) + 3 if n else 5
    stretches = plan(costs, starts, opens, length=length, size=size, overlap=overlap)
    owners = np.zeros(length, int)
    for s in stretches:
        assert costs[s.first : s.last].sum() <= size
        owners[s.own_start : s.own_end] += 1
        own = np.flatnonzero((starts >= s.own_start) & (starts < s.own_end))
        assert all(s.first <= i < s.last for i in own)
    assert (owners == 1).all()


def test_ownership_changes_in_the_middle_of_the_overlap():
    n = 100
    starts = np.arange(n, dtype=np.int32) * 2
    no_lines = np.zeros(n, bool)
    first, second, *_ = plan(
        np.ones(n, np.int32), starts, no_lines, length=200, size=40, overlap=10
    )
    assert (first.last, second.first) == (40, 30)
    assert first.own_end == second.own_start == 70


def test_a_window_begins_at_a_line_where_one_is_near():
    opens = np.zeros(60, bool)
    opens[33] = True
    starts = np.arange(60, dtype=np.int32)
    second = plan(np.ones(60, np.int32), starts, opens, length=60, size=40, overlap=10)[1]
    assert second.first == 33


def test_gaps_and_double_owners_halt():
    for bad in ([Stretch(0, 1, 0, 4), Stretch(1, 2, 5, 9)], [Stretch(0, 1, 0, 8)]):
        with pytest.raises(Halt, match=r"coverage\.gap"):
            check(bad, 9)


def test_a_token_that_fits_no_window_halts():
    one = np.array([50], np.int32)
    with pytest.raises(Halt, match=r"coverage\.token"):
        plan(one, one * 0, np.array([True]), length=9, size=40, overlap=4)
