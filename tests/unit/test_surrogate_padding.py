"""One habit of padding a note: what has no single digit doesn't show that it has none."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.policy import Policy


def shifted(texts: list[str], offset: int, language: str = "en") -> list[str]:
    plain = Calendar(language, language == "es", date(2024, 12, 1), offset, Policy.named())
    calendar = plain.knowing(texts)
    return [calendar.replace(text)[0] for text in texts]


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (["10/29/2024", "3/4/2024"], ["7/26/2024", "11/30/2023"]),
        (["10/29/2024", "03/04/2024"], ["07/26/2024", "11/30/2023"]),
        (["10/29/2024", "3/04/2024"], ["7/26/2024", "11/30/2023"]),
        (["11/10/24", "3/04/24"], ["8/07/24", "11/30/23"]),
        (["2024-10-29"], ["2024-07-26"]),
        (["12 May 2024", "05 June 2024"], ["07 February 2024", "02 March 2024"]),
        (["29MAR2024", "5JUN2024"], ["25DEC2023", "2MAR2024"]),
    ],
)
def test_a_date_without_single_digits_follows_the_others(
    texts: list[str], shown: list[str]
) -> None:
    assert shifted(texts, -95) == shown


DAYS = st.dates(date(2019, 1, 1), date(2024, 12, 1))


@given(
    days=st.lists(DAYS, min_size=2, max_size=8),
    pads=st.tuples(st.booleans(), st.booleans()),
    offset=st.integers(35, 330),
)
def test_what_is_padded_tells_nothing_that_the_habit_does_not(
    days: list[date], pads: tuple[bool, bool], offset: int
) -> None:
    """The same days, some moved so that they have two digits, come out in one habit."""
    month, day = ("02d" if pad else "d" for pad in pads)
    texts = [f"{d.month:{month}}/{d.day:{day}}/{d.year}" for d in days]
    expected = [d + timedelta(offset) for d in days]
    shown = shifted(texts, offset)
    habit = {
        part: any(re.fullmatch(r"0\d", text.split("/")[part]) for text in texts) for part in (0, 1)
    }
    seen = {part: any(len(text.split("/")[part]) == 1 for text in texts) for part in (0, 1)}
    for text, meant in zip(shown, expected, strict=True):
        for part, value in ((0, meant.month), (1, meant.day)):
            if habit[part] or seen[part]:
                assert text.split("/")[part] == (f"{value:02d}" if habit[part] else str(value))
