"""A day or number of the record is found however it is written."""

import pytest

from stream_deid.detect.record.residue import Stated
from stream_deid.detect.record.stated_days import StatedDays
from stream_deid.detect.record.written_forms import SoughtNumbers
from stream_deid.labels import PhiType
from stream_deid.note import Known
from stream_deid.text.view import View

BIRTH = "1951-04-09"


@pytest.mark.parametrize(
    "text",
    [
        "04 09 1951", "1951 04 09", "9 4 1951", "4|9|1951", "4\\9\\1951", "4,9,1951", "04:09:1951",
        "IV/9/1951", "9-IV-1951", "April nine 1951", "Apr9,1951", "9th day of April, 1951",
        "ninth of April '51", "nueve de abril del 51", "1951-099",
        "1951\u5e744\u67089\u65e5", "4 / 9 / 1951", "19510409",
    ],
)  # fmt: skip
def test_a_day_of_the_record_is_found_in_any_written_form(text: str) -> None:
    view = View(f"It says {text} there.")
    found = {view.text[a:b] for a, b in StatedDays([BIRTH]).spans(view)}
    assert max(found, key=len) in view.text
    assert any("1951" in one or "51" in one for one in found)
    stated = Stated((Known(PhiType.DATE, BIRTH, role="birth_date"),), lambda _: True)
    assert stated.standing(view.text, ())


@pytest.mark.parametrize("text", ["dob4/9/51", "b.9/4/51"])
def test_letters_may_touch_a_day(text: str) -> None:
    assert list(StatedDays([BIRTH]).spans(View(text)))


@pytest.mark.parametrize(
    "text",
    [
        "04 10 1951", "4 9 51", "4 of 9 doses, then 1951", "49 1951",
        "in 1951, 4 children", "9 April 1952", "4.9, 5.1, 19.51",
    ],
)  # fmt: skip
def test_other_days_and_counts_are_not(text: str) -> None:
    assert not list(StatedDays([BIRTH, "not a day"]).spans(View(text)))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("00448291", "four four eight two nine one"),
        ("00448291", "cuatro cuatro ocho dos nueve uno"),
        ("612-555-0148", "612 555 zero one four eight"),
        ("612-555-0148", "six one two, 555, oh one four eight"),
        ("123456789", "123 -- 456 -- 789"),
        ("AB12C345", "AB:12:C345"),
        ("AB12C345", "AB12C345"),
        ("AB12C345", "AB12C34S"),
        ("AB12C345", "A812C345"),
    ],
)
def test_digits_that_are_said_or_far_apart_are_found(number: str, text: str) -> None:
    said = f"It was {text}, she told us."
    assert {said[a:b] for a, b in SoughtNumbers([number]).spans(said)} == {text}


@pytest.mark.parametrize("text", ["XAB12C345", "AB12C345X"])
def test_letters_may_touch_a_number_with_letters(text: str) -> None:
    assert list(SoughtNumbers(["AB12C345"]).spans(text))


@pytest.mark.parametrize(
    "text", ["four four eight two nine", "AB12C3456", "AB12C34X", "one of four", "448 29"]
)
def test_other_numbers_are_not(text: str) -> None:
    assert not list(SoughtNumbers(["00448291", "AB12C345"]).spans(text))


def test_a_street_is_found_joined_with_its_kind() -> None:
    stated = Stated((Known(PhiType.STREET, "482 Kettering Lane"),), lambda _: True)
    assert stated.standing("by KetteringLane and ketteringlane", ()) == 2
