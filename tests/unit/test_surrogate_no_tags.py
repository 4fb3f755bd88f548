"""Spans that used to become tags, which read as censored: what reads as real stands there."""

from datetime import date

import pytest
from surrogate_helpers import replaced, surrogates

from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.dates.reading.impossible import possible
from stream_deid.surrogate.policy import Policy


def shown(text: str, size: int = 40) -> tuple[str, str]:
    return Calendar("en", False, date(2025, 3, 4), size, Policy.named()).replace(text)


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("2/29/2025", "4/9/2025"),
        ("31 April 2024", "9 June 2024"),
        ("30 Feb 2024", "9 Apr 2024"),
        ("July 23/19", "September 1/19"),
    ],
)
def test_a_day_that_its_month_does_not_have_moves_as_its_last(text, moved):
    assert shown(text) == (moved, "shift")


def test_of_two_late_days_neither_is_guessed():
    assert list(possible("30/31")) == []
    assert list(possible("2/29/2025")) == ["2/28/2025"]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Oct wt", " wt"),
        ("three April thirtieth", "three "),
    ],
)
def test_a_month_beside_words_that_name_nobody_moves_and_they_stay(text, stays):
    (made,) = replaced(surrogates(), [("DATE", text)])
    assert "[" not in made
    assert made != text
    assert stays in made


def test_words_around_holidays_that_say_no_day_stay():
    assert replaced(surrogates(), [("DATE", "holiday wkend")]) == ["holiday wkend"]


def test_a_name_beside_a_month_does_not_stay():
    (made,) = replaced(surrogates(), [("DATE", "Oct Whitfield")])
    assert "Whitfield" not in made
