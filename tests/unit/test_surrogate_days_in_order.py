"""Days without a month keep their distances, and feasts with their year tell when a note is."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.surrogate.dates import holidays
from stream_deid.surrogate.dates.reading.read import read

MAKER = surrogates()
STATED = date(2025, 3, 16)


def shift(shown: str) -> int:
    day, month, year = map(int, shown.split("/"))
    return (date(year, month, day) - STATED).days


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 31), min_size=2, max_size=4, unique=True))
def test_numbers_of_days_that_follow_one_another_are_of_one_month(numbers):
    numbers = sorted(numbers)
    spans = [("DATE", f"el {n}") for n in numbers] + [("DATE", "16/3/2025")]
    *days, stated = replaced(MAKER, spans, language="es", written_on=None)
    moved = shift(stated)
    shown = [int(re.sub(r"\D", "", day)) for day in days]
    months = [(2025, 2), (2025, 3), (2025, 4)]
    assert any(
        shown == [date.fromordinal(date(*month, n).toordinal() + moved).day for n in numbers]
        for month in months
        if max(numbers) <= (date(month[0], month[1] + 1, 1) - date(*month, 1)).days
    )


def test_every_feast_of_the_list_is_read():
    unread = [
        name
        for name in holidays.HOLIDAYS
        if not read(name.title(), holidays.language_of(name, "en"), day_first=True, pivot=2030)
    ]
    assert unread == []


@pytest.mark.parametrize(
    ("language", "feast", "day", "plain"),
    [
        ("en", "Easter 2025", "Memorial Day", "5/26"),
        ("en", "Thanksgiving 2024", "Labor Day", "9/2"),
    ],
)
def test_a_feast_with_its_year_tells_the_year_of_the_note(language, feast, day, plain):
    spans = [("DATE", feast), ("DATE", day), ("DATE", plain)]
    _, made, other = replaced(MAKER, spans, language=language, written_on=None)
    number = re.findall(r"\d+", made)[0]
    assert number in re.findall(r"\d+", other)
