"""Spanish identifiers that are words, and licences that begin with a province twice."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surrogate_helpers import KEY, edits_of, replaced, surrogates

from stream_deid.surrogate import descriptors
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import codes

MAKER = surrogates()
SCOPE = Scope(KEY)
LICENCE = re.compile(r"(0[1-9]|[1-4]\d|5[0-2])\W?\1\W?\d*")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("lactante", "paciente"), ("Lactante", "Paciente"), ("adolescente", "paciente"),
        ("paciente lactante", "persona"), ("peruana", "residente"),
        ("raza caucásica", "otra etnia"), ("casada", "adulta"), ("Casado", "Adulto"),
        ("hijo único", "familiar"),
        ("la sexta de nueve hermanos", "familiar"), ("jugador de baloncesto", "otro dato"),
    ],
)  # fmt: skip
def test_an_identifier_that_is_a_word_becomes_a_word(text, made):
    (edit,) = edits_of(MAKER, [("MEDICALRECORD", text)], language="es")
    assert (edit.replacement, edit.strategy) == (made, "generalise")


@pytest.mark.parametrize(
    "text",
    [
        "28 28 12345",
        "XKQ-GHT",
        "ABCDEF",
        "cuatro uno siete",
        "Seat Ibiza",
        "AB 1234 C",
        "tres millones ciento ocho mil doscientos seis",
    ],
)
def test_codes_numbers_in_words_and_makes_are_no_such_words(text):
    assert not descriptors.says(text)


@given(st.text("abcdeñáXY 12-", min_size=1, max_size=16))
def test_what_means_less_never_holds_what_was_said(text):
    if descriptors.says(text):
        assert text.strip().lower() not in descriptors.less(text).lower()


@pytest.mark.parametrize("text", ["28 28 70973", "08-08-25574", "282870973", "28 28", "41/41/123"])
def test_a_licence_begins_with_another_province_twice(text):
    for patient in "abcdefgh":
        (made,) = replaced(MAKER, [("LICENSE", text)], language="es", patient=patient)
        assert LICENCE.fullmatch(made), made
        assert len(made) == len(text)
        assert made[:2] != text[:2]
        assert [c for c in made if not c.isdigit()] == [c for c in text if not c.isdigit()]


def test_a_licence_is_one_number_however_it_is_written_and_labelled():
    spans = [("LICENSE", "28 28 70973"), ("IDNUM", "282870973"), ("LICENSE", "28-28-70973"),
             ("ACCOUNT", "70973")]  # fmt: skip
    made = [re.sub(r"\D", "", text) for text in replaced(MAKER, spans, language="es")]
    assert made[0] == made[1] == made[2]
    assert made[0].endswith(made[3])


def test_licences_of_a_patient_never_meet():
    numbers = [f"{p:02d}{p:02d}{n:03d}" for p in range(1, 53) for n in range(0, 1000, 97)]
    numbers += [f"{n:07d}" for n in range(1_000_000, 9_000_000, 7_919)]
    made = {codes.code(SCOPE, text, "es") for text in numbers}
    assert len(made) == len(set(numbers))


@given(st.integers(0, 10**9))
def test_a_number_that_is_no_licence_becomes_none(value):
    text = str(value)
    made = codes.code(SCOPE, text, "es")
    assert bool(LICENCE.fullmatch(made)) == bool(LICENCE.fullmatch(text)) or len(text) not in {
        4, 7, 8, 9, 10}  # fmt: skip
    assert made != text


def test_two_provinces_stay_digits_of_their_form():
    (made,) = replaced(MAKER, [("LICENSE", "48 28 98699")], language="es")
    assert re.fullmatch(r"\d\d \d\d \d{5}", made)
