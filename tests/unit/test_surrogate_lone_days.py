"""The number of a day alone moves as the date beside it: what lies between them stays."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

MAKER = surrogates()


@settings(max_examples=60, deadline=None)
@given(st.integers(-300, 60), st.integers(-12, 12), st.sampled_from("abcdefgh"))
def test_days_between_a_date_and_a_day_alone_are_kept(before, apart, patient):
    written = date(2019, 6, 10)
    stated = written + timedelta(before)
    alone = stated + timedelta(apart)
    spans = [("DATE", f"{stated:%m/%d/%Y}"), ("DATE", str(alone.day))]
    made, day = replaced(MAKER, spans, patient=patient, written_on=written)
    month, number, year = map(int, made.split("/"))
    moved = date(year, month, number)
    if day.isdecimal() and alone.day != stated.day:
        kept = (moved + timedelta(apart)).day
        assert int(day) == kept or kept == alone.day != int(day)  # no day stays as it was written


@pytest.mark.parametrize("text", ["25", "the 25th"])
def test_the_date_beside_it_counts_before_the_day_of_writing(text):
    spans = [("DATE", "12/20/2018"), ("DATE", text)]
    made, day = replaced(MAKER, spans)
    month, number, year = map(int, made.split("/"))
    moved = date(year, month, number) + timedelta(5)
    assert "".join(filter(str.isdecimal, day)) == str(moved.day)
