"""A month or another stretch of a year moves with the days of its note that lie in it."""

from datetime import date, timedelta

import pytest

from stream_deid.lists.calendar import MONTHS
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.policy import Policy

POLICY = Policy.named()
DAYS = [date(2020, 1, 1), date(2020, 2, 29), date(2020, 6, 2), date(2020, 12, 31)]
SEASONS = {"en": "winter spring summer fall", "es": "invierno primavera verano otoño"}


def spelled(day: date, language: str) -> str:
    """The month of a day as its language writes it."""
    name = MONTHS[language][day.month - 1]
    return name.capitalize() if language == "en" else name


def stretches(day: date, language: str) -> list[str]:
    """The stretches of a year in which a day lies, as they are written back."""
    month = spelled(day, language)
    season = SEASONS[language].split()[day.month % 12 // 3]
    third = min((day.day - 1) // 10, 2)
    quarter = (day.month - 1) // 3
    if language == "es":
        edge = ("principios", "mediados", "finales")[third]
        named = ("primer", "segundo", "tercer", "cuarto")[quarter]
        return [
            f"{month} de {day.year}", f"{edge} de {month} de {day.year}", f"{season} {day.year}",
            f"{named} trimestre de {day.year}",
        ]  # fmt: skip
    half = "first" if day.day <= 15 else "second"
    return [
        f"{month} {day.year}", f"{day:%m/%Y}", f"{('early', 'mid', 'late')[third]} {month}",
        f"{season} {day.year}", f"Q{quarter + 1} {day.year}", f"{half} half of {month} {day.year}",
        f"{('early', 'mid', 'late')[(day.month - 1) // 4]} {day.year}",
        f"week {day.isocalendar().week} of {day.isocalendar().year}",
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("offset", [-330, -61, -35, 35, 46, 330])
@pytest.mark.parametrize("day", DAYS)
def test_what_is_shown_of_a_stretch_is_that_of_the_shown_day(day, offset, language):
    note = Calendar(language, False, None, offset, POLICY).knowing([day.isoformat()])
    moved = day + timedelta(offset)
    for text, shown in zip(stretches(day, language), stretches(moved, language), strict=True):
        assert note.replace(text)[0] == shown, (text, moved)


def test_of_several_days_the_nearest_counts():
    days = ["2020-06-02", "2020-06-28"]
    note = Calendar("en", False, None, 40, POLICY).knowing(days)
    assert note.replace("June 2020", near=["6/28/2020"])[0] == "August 2020"
    assert note.replace("June 2020", near=["6/2/2020", "6/28/2020"])[0] == "July 2020"


def test_without_a_day_in_it_a_stretch_moves_by_its_middle():
    note = Calendar("en", False, None, 40, POLICY).knowing(["2020-05-31"])
    assert [note.replace(text)[0] for text in ("June 2020", "summer 2019")] == [
        "July 2020", "fall 2019",
    ]  # fmt: skip
