"""Beds, sexes, ages and days in lists of beds."""

import pytest
from marked_spans import place

from stream_deid.detect.neural.columns import own_words
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.labels import PhiType as T

AGES = [
    ("C 29 CROHN'S FLARE", "C 29"), ("M 45 COPD nebs", "M 45"), ("12A F 71 CHF", "F 71"),
    ("D 33 DKA, gtt", "D 33"), ("x\nM 60 SEPSIS", "M 60"), ("M 60 POLITRAUMA", "M 60"),
    ("BED A 29 CHF", "29"),
]  # fmt: skip
ROOMS = [
    ("bed C 29 COPD", "C 29"), ("C 29 MARTINEZ", "C 29"), ("C 129 COPD", "C 129"),
    ("F 93 CHF", "F 93"), ("C29 COPD", "C29"), ("BED 29 CHF", "29"), ("C 29", "C 29"),
]  # fmt: skip
BEDS = [  # text, the span, what is left of it
    ("12B M 45 COPD", "12B M", "12B"), ("14 F 71", "14 F", "14"), ("A3 H 60 EPOC", "A3 H", "A3"),
    ("12 B 45 COPD", "12 B", "12 B"), ("12 M, clean", "12 M", "12 M"), ("12B", "12B", "12B"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "marked"), AGES)
def test_a_letter_and_an_age_before_a_disease_are_no_room(text, marked):
    assert harmless(text, *place(text, marked), T.LOCATION_OTHER)


@pytest.mark.parametrize(("text", "marked"), ROOMS)
def test_a_letter_and_a_number_beside_anything_else_may_be_a_room(text, marked):
    assert not harmless(text, *place(text, marked), T.LOCATION_OTHER)


@pytest.mark.parametrize(("text", "marked", "left"), BEDS)
def test_a_sex_before_an_age_is_no_part_of_a_bed(text, marked, left):
    start, end = place(text, marked)
    assert text[start : own_words(text, start, end, "LOCATION_OTHER")] == left


@pytest.mark.parametrize(
    ("value", "own"), [("7W DAYS", "7W"), ("4E NOCS", "4E"), ("Sunny Days", "Sunny Days")]
)
def test_a_shift_is_no_part_of_its_ward(value, own):
    assert value[: own_words(value, 0, len(value), "HOSPITAL")] == own


@pytest.mark.parametrize("word", ["MAÑANA", "mañana", "Tomorrow", "ayer", "pasado mañana"])
def test_a_day_told_by_another_one_alone_is_no_date(word):
    text = f"TRASLADO {word} A UCI"
    assert harmless(text, *place(text, word), T.DATE)


@pytest.mark.parametrize("word", ["lunes", "May", "mañana 5/4"])
def test_other_days_are_dates(word):
    text = f"TRASLADO {word} A UCI"
    assert not harmless(text, *place(text, word), T.DATE)
