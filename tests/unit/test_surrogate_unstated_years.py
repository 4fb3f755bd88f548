"""Dates without a year: one day in all of a patient's notes, as far as these tell which."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.lists.calendar import SHORT_WEEKDAYS
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.policy import Policy

EVENTS = st.dates(date(2015, 1, 1), date(2030, 12, 31)).filter(
    lambda d: (d.month, d.day) != (2, 29)
)
SIZES = st.integers(35, 330).flatmap(lambda size: st.sampled_from((size, -size)))


def shown(text: str, size: int, written: date, stated: tuple[str, ...] = ()) -> str:
    known = Calendar("en", False, written, size, Policy.named()).knowing([text, *stated])
    return plain(known.replace(text)[0])


def month_and_day(day: date) -> str:
    return f"{day.month}/{day.day}"


def plain(text: str) -> str:
    """Without the zeros that a note may pad with."""
    return re.sub(r"\b0", "", text)


@settings(max_examples=150, deadline=None)
@given(EVENTS, SIZES, st.integers(-120, 244), st.integers(-120, 244))
def test_an_event_has_one_day_in_notes_from_months_before_to_months_after(event, size, one, other):
    text = month_and_day(event)
    made = {shown(text, size, event + timedelta(days)) for days in (one, other)}
    assert made == {month_and_day(event + timedelta(size))}


@settings(max_examples=150, deadline=None)
@given(EVENTS, SIZES, st.integers(-360, 360))
def test_a_day_that_the_note_states_with_its_year_is_that_day(event, size, days):
    made = shown(month_and_day(event), size, event + timedelta(days), (f"{event:%m/%d/%Y}",))
    assert made == month_and_day(event + timedelta(size))


@settings(max_examples=150, deadline=None)
@given(EVENTS, SIZES, st.integers(-360, 360))
def test_the_day_of_the_week_tells_the_year(event, size, days):
    moved = event + timedelta(size)
    names = [SHORT_WEEKDAYS["en"][day.weekday()].capitalize() for day in (event, moved)]
    made = shown(f"{names[0]} {month_and_day(event)}", size, event + timedelta(days))
    assert made == f"{names[1]} {month_and_day(moved)}"


@pytest.mark.parametrize("patient", range(12))
def test_a_note_without_a_year_shows_what_most_dated_notes_show(patient):
    """Three years of four move no day over the end of a longer February."""
    spans, name = [("DATE", "3/10"), ("DATE", "11/20")], f"patient {patient}"
    undated = replaced(surrogates(), spans, patient=name, written_on=None)
    assert undated == replaced(surrogates(), spans, patient=name, written_on=date(2022, 6, 1))
