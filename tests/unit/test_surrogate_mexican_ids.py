"""CURP and RFC: of their form, agreeing with the name and the birth beside them, one to one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, replaced, surrogates

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import mexican_ids
from stream_deid.text import check_digits as checks

STATES = Vocabulary("numbers_checked", "surrogates").ordered("mexican_states")
CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ"
LETTERS = st.sampled_from("ABCDEFGHIJKLMNOPRSTVWYZ")


@st.composite
def curps(draw, right=True):
    born = draw(st.dates(date(1945, 1, 1), date(2020, 12, 31)))
    head = draw(LETTERS) + draw(st.sampled_from("AEIOU")) + draw(LETTERS) + draw(LETTERS)
    tail = "".join(draw(st.sampled_from(CONSONANTS)) for _ in range(3))
    century = draw(st.sampled_from("0123456789" if born.year < 2000 else "ABCDEF"))
    place = draw(st.sampled_from("HMX")) + draw(st.sampled_from(STATES))
    whole = f"{head}{born:%y%m%d}{place}{tail}{century}"
    return (
        checks.curp(whole + "0") if right else whole + draw(st.sampled_from("0123456789"))
    ), born


def made(number, born, size=-200):
    return mexican_ids.number(
        Scope(KEY), number, lambda c: chr((ord(c) - 96) % 26 + 97), lambda d: d + timedelta(size)
    ), born + timedelta(size)


@settings(max_examples=150, deadline=None)
@given(curps(right=False))
def test_a_curp_becomes_one_of_its_form(asked):
    number, born = asked
    shown, moved = made(number, born)
    assert mexican_ids.is_one(number)
    assert mexican_ids.is_one(shown)
    assert shown[1] in "AEIOU"
    assert shown[4:10] == f"{moved:%y%m%d}"
    assert shown[10] == number[10]
    assert shown[11:13] in STATES
    assert set(shown[13:16]) <= set(CONSONANTS)
    assert shown[16].isdecimal() == (moved.year < 2000)
    assert (checks.curp(shown) == shown) == (checks.curp(number) == number)
    assert shown != number


@settings(max_examples=100, deadline=None)
@given(st.lists(curps(), min_size=2, max_size=8, unique_by=lambda one: one[0]))
def test_curps_are_one_to_one_where_births_stay_in_their_century(asked):
    asked = [one for one in asked if (one[1] - timedelta(200)).year // 2000 == one[1].year // 2000]
    assert len({made(*one)[0] for one in asked}) == len(asked)


@pytest.mark.parametrize("patient", range(6))
def test_the_letters_are_the_initials_and_the_birth_is_the_birth(patient):
    spans = [("PATIENT", "Ruiz Sotelo, Carmen"), ("DATE", "12/03/1985"),
             ("IDNUM", "RUSC850312MDFZTR04"), ("IDNUM", "RUSC-850312-AB1")]  # fmt: skip
    name, day, curp, rfc = replaced(surrogates(), spans, language="es", patient=f"p{patient}")
    surnames, first = name.split(", ")
    one, two = surnames.split()
    assert (curp[0], curp[2], curp[3]) == (one[0], two[0], first[0])
    assert curp[4:10] == day[8:] + day[3:5] + day[:2]
    assert rfc.replace("-", "")[:10] == curp[:10]
    assert rfc[4] == rfc[11] == "-"


@pytest.mark.parametrize(
    "text", ["RUSC851312MDFZTR04", "RUSC850312MQQZTR04", "RUSC850312", "12345"]
)
def test_what_is_no_birth_or_no_state_is_no_such_number(text):
    assert not mexican_ids.is_one(text)
