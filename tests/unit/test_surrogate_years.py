"""Years, weeks and days of a year move with the dates beside them."""

import re
from datetime import date, timedelta

import pytest

from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.policy import Policy


def calendar(offset, day, *texts, **overrides):
    return Calendar("en", False, day, offset, Policy.named(overrides=overrides)).knowing(texts)


@pytest.mark.parametrize("offset", [-330, -200, -40, 40, 200, 330])
@pytest.mark.parametrize("month", range(1, 13))
def test_a_year_alone_keeps_its_distance_from_the_note(offset, month):
    day = date(2024, month, 15)
    note = calendar(offset, day, "2/3/2021")
    shown = day + timedelta(offset)
    for ago in (0, 1, 5, 20):
        made, how = note.replace(str(2024 - ago))
        assert int(made) == shown.year - ago
        assert (how == "keep") == (shown.year == 2024)
    assert int(note.replace("2021")[0]) == (date(2021, 2, 3) + timedelta(offset)).year


def test_by_policy_a_year_alone_stays():
    assert calendar(300, date(2024, 11, 1), year_only="keep").replace("2019") == ("2019", "keep")


@pytest.mark.parametrize("offset", [-330, -40, 40, 330])
@pytest.mark.parametrize("day", [date(2024, 5, 7), date(2020, 1, 1), date(2024, 12, 31)])
def test_weeks_and_days_of_a_year_are_those_of_the_moved_day(offset, day):
    moved = day + timedelta(offset)

    def written(one):
        week = one.isocalendar()
        return [
            f"{week.year}-W{week.week:02d}-{week.weekday}",
            f"{week.year}W{week.week:02d}{week.weekday}",
            f"day {one.timetuple().tm_yday} of {one.year}",
            f"{one:%Y-%j}",
        ]

    note = calendar(offset, day)
    for text, expected in zip(written(day), written(moved), strict=True):
        assert note.replace(text)[0] == expected


def test_a_week_moves_by_its_thursday():
    made, _ = calendar(70, date(2024, 5, 7)).replace("week 19 of 2024")
    assert made == "week 29 of 2024"


@pytest.mark.parametrize("text", ["day 366 of 2023", "week 60 of 2024", "2024-400"])
def test_what_is_no_day_of_a_year_is_tagged(text):
    made, _ = calendar(70, date(2024, 5, 7)).replace(text)
    assert not re.search(r"\d{3}", made)
