"""Pairs of numbers that an hour or a shift beside them makes days."""

import pytest

from stream_deid.detect.patterns.dates.told import is_told
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.detect.settle.filtering.pair_votes import by_judge
from stream_deid.labels import PhiType as T
from stream_deid.note import Part

DAYS = [
    "TIL 5/6 2215", "back 5/7 0600.", "out 5/6 at 1400", "7W DAYS 5/4", "4E NOCS 5/5: quiet",
    "ICU NOC 5/4 RN", "turno noche 5/4", "UCI noche: 5/4", "vuelve 5/6 a las 0900", "M5 nights 5/4",
    "FPP 7/9", "LMP: 9/8", "prox ctrl 4/6", "next inj 5/8", "ult dosis 1/3", "tumor board 2/4",
    "anesthesia 2/4 by Bisset", "OP note by Dakins 1/4", "Dx 3/5 por Lamas",
]  # fmt: skip
OTHERS = [
    "TIL 5/6 2215 ml", "pain 5/10 1400", "strength 4/5 0900", "ICU days 5/7", "UCI dia 5/7",
    "7W DAYS 5/4/2", "til 4/5 in both legs", "days 5/7 of abx", "from 3/5 to 4/5", "til 5/6 2215/1",
    "prox 1/3 humero", "dosis 1/3", "strength 4/5 by Lovett", "motor by Ashworth 2/4",
    "4/5 by palp",
]  # fmt: skip


@pytest.mark.parametrize("text", DAYS)
def test_a_day_by_the_hour_or_the_shift(text):
    start = text.index("/") - 1
    assert is_told(text, start, start + 3)


def test_no_quantity_is_where_an_hour_tells_a_day():
    assert not harmless("back 5/7 0600.", 5, 8, T.DATE)
    assert harmless("abx day 5/7 today", 8, 11, T.DATE)


@pytest.mark.parametrize("text", OTHERS)
def test_scores_counts_and_amounts_are_none(text):
    start = text.index("/") - 1
    end = start + 4 if "/10" in text else start + 3
    assert not is_told(text, start, end)


@pytest.mark.parametrize(("text", "language"), [("TIL 5/6 2215", "en"), ("UCI noche 5/4", "es")])
def test_the_judge_does_not_decide_them(text, language):
    part = Part(f"stable. {text}\nGCS 4/5, pain 5/10, strength 4/5")
    found = by_judge([part], [[]], language)[0]
    assert [part.text[d.start : d.end] for d in found if d.type is T.DATE][:1] == [
        text[text.index("/") - 1 :][:3]
    ]
