"""Spanish telephone numbers: mobiles stay mobiles, landlines lie in the surrogate's province."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.lists.lexicon import load_places
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import areas, spanish_phones
from stream_deid.text.folding import fold


@pytest.mark.parametrize(
    ("number", "first"),
    [("677 41 09 32", "6"), ("712 41 09 32", "7[1-4]"), ("+34 677 410 932", r"\+34 6")],
)
def test_a_spanish_mobile_becomes_a_mobile(number, first):
    for patient in "abcdefgh":
        (made,) = replaced(surrogates(), [("PHONE", number)], language="es", patient=patient)
        assert re.match(first, made)
        assert re.sub(r"\d", "0", made) == re.sub(r"\d", "0", number)


@pytest.mark.parametrize("number", ["938 90 44 17", "91 456 78 90", "+34 876 55 44 33"])
def test_a_spanish_landline_gets_the_code_of_a_province(number):
    for patient in "abcdefgh":
        (made,) = replaced(surrogates(), [("PHONE", number)], language="es", patient=patient)
        digits = re.sub(r"\D", "", made.removeprefix("+34"))
        assert "9" + digits[1:3] in areas.assigned("ES")


def test_a_spanish_landline_lies_in_the_province_of_the_address():
    for patient in "abcdef":
        province, phone = replaced(
            surrogates(), [("STATE", "Soria"), ("PHONE", "975 22 33 44")],
            language="es", patient=patient,
        )  # fmt: skip
        assert areas.assigned("ES")[phone[:3]] in load_places().state_keys[fold(province)]


@settings(max_examples=30, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.sampled_from("789"), st.integers(0, 999_999))
def test_spanish_numbers_are_one_to_one_and_never_stay(key, first, line):
    scope = Scope(key)
    codes = [f"{first}{n:02d}" for n in range(100)]
    real = [
        f"{code}{line:06d}"
        for code in codes
        if spanish_phones.begins("", f"{code}000000", "es") == 0
    ]
    made = [spanish_phones.number(scope, number, scope) for number in real]
    assert len(set(made)) == len(real)
    assert all(a != b for a, b in zip(real, made, strict=True))
