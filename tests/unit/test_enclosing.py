"""Stretches within others."""

from hypothesis import given
from hypothesis import strategies as st

from stream_deid.text.enclosing import Enclosing

SPANS = st.tuples(st.integers(0, 20), st.integers(0, 6)).map(lambda at: (at[0], sum(at)))


@given(st.lists(SPANS, max_size=8), SPANS)
def test_one_of_them_holds_it_or_none_does(spans, asked):
    start, end = asked
    assert Enclosing(spans).holds(start, end) is any(a <= start and end <= b for a, b in spans)
