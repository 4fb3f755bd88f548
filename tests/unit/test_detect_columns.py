"""What a model's span took along from beside it."""

import pytest
from marked_spans import place

from stream_deid.detect.neural.columns import own_words, place_within


@pytest.mark.parametrize(
    ("text", "marked", "label", "own"),
    [
        ("Name: Hunter Glass   Emp #: E-5", "Hunter Glass   Emp", "PATIENT", "Hunter Glass"),
        ("Fresh Start of Laurel   Chair 11", "Fresh Start of Laurel   Chair", "HOSPITAL",
         "Fresh Start of Laurel"),
        ("POZO, GABRIEL  Fnac 30-07", "POZO, GABRIEL  Fnac", "NOMBRE_SUJETO_ASISTENCIA",
         "POZO, GABRIEL"),
        ("named boyd inferior stemi", "boyd inferior", "PATIENT", "boyd"),
        ("ode k 2.9 repleted", "ode k", "PATIENT", "ode"),
        ("ode k is here", "ode k", "PATIENT", "ode k"),
        ("WEI   LIN seen", "WEI   LIN", "PATIENT", "WEI   LIN"),
        ("grace hill seen", "grace hill", "PATIENT", "grace hill"),
        ("name b as in boy u r n s here", "b as in boy u r n s", "PATIENT", "b as in boy u r n s"),
        ("su tia segunda viene", "tia segunda", "FAMILIARES_SUJETO_ASISTENCIA", "tia segunda"),
        ("12 Elm   Apt 4", "12 Elm   Apt", "STREET", "12 Elm   Apt"),
    ],
)  # fmt: skip
def test_a_span_keeps_what_is_its_own(text, marked, label, own):
    start, end = place(text, marked)
    assert text[start : own_words(text, start, end, label)] == own


@pytest.mark.parametrize(
    ("text", "marked", "label", "number"),
    [
        ("Bay 2 bed 3: stable", "Bay 2", "HOSPITAL", "2"),
        ("in Room 14B today", "Room 14B", "ORGANIZATION", "14B"),
        ("at Bay Clinic 2", "Bay Clinic 2", "HOSPITAL", ""),
        ("Bay 2 bed 3", "Bay 2", "LOCATION_OTHER", ""),
    ],
)
def test_a_place_inside_a_house_is_its_number(text, marked, label, number):
    start, end = place(text, marked)
    found = place_within(text, start, end, label)
    assert (text[found:end] if found >= 0 else "") == number
