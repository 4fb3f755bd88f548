"""Pairs of numbers that are days because the note tells of days near them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.settle.near_dates import near_dates
from stream_deid.labels import PhiType
from stream_deid.note import Finding


def found(text, *dates):
    at = [(text.index(one), one) for one in dates]
    return [Finding(start, start + len(one), PhiType.DATE, ("t@1",), 0.9) for start, one in at]


def won(text, *dates):
    (hits,) = near_dates([text], [found(text, *dates)])
    return [text[one.start : one.end] for one in hits]


@pytest.mark.parametrize(
    ("text", "dates", "more"),
    [
        ("Seen 6/12/24. 138/88 6/26, urine 1+", ["6/12/24"], ["6/26"]),
        ("Adm 1/2/24. Hep A vacc, Tdap 1/3. Went home", ["1/2/24"], ["1/3"]),
        ("Adm 5/8/24. Cr 1.4 5/9, EF 45", ["5/8/24"], ["5/9"]),
        ("Adm 5/8/24. s/p partial ray 5/9 by her", ["5/8/24"], ["5/9"]),
        ("Ingreso 24/4/24. Repetir RM 17/5. Bien", ["24/4/24"], ["17/5"]),
        ("Seen 6/12/24. Tdap 1/3. Went home", ["6/12/24"], []),
        ("Tdap 1/3. Went home", [], []),
        ("Adm 5/8/24. Bishop 5/13. Scar VSS 5/13", ["5/8/24"], []),
        ("Adm 5/8/24. motor 5/5, grip 4/5", ["5/8/24"], []),
        ("Adm 5/8/24. doxy d 5/14 started", ["5/8/24"], []),
        ("Adm 2/8/24. BCx 2/4 pos, then zosyn", ["2/8/24"], []),
        ("Adm 8/1/24. home on Suboxone 8/2 daily", ["8/1/24"], []),
        ("Ingreso 24/12/24. NPH 24/12, losartan", ["24/12/24"], []),
    ],
)
def test_days_near_those_that_are_found(text, dates, more):
    assert won(text, *dates) == more


def test_another_part_tells_and_a_coded_one_stays():
    texts = ["Tdap 1/3.", "Adm 1/2/24", "Tdap 1/4."]
    dates = [[], found(texts[1], "1/2/24"), []]
    hits = near_dates(texts, dates, but={2})
    assert [len(one) for one in hits] == [1, 0, 0]


@given(st.text(alphabet="0123456789/ .:()-abdTCx\n→é", max_size=80))
def test_what_is_won_is_a_pair_outside_of_what_is_found(rest):
    text = "Adm 1/2/24 " + rest
    dates = found(text, "1/2/24")
    for one in near_dates([text], [dates])[0]:
        assert text[one.start : one.end].count("/") == 1
        assert one.start >= dates[0].end
