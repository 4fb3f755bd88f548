"""Cells told by the heads of their columns, people called by months, days behind people."""

from __future__ import annotations

import random

import pytest
from marked_spans import finding

from stream_deid.detect.settle.layout.headed import headed
from stream_deid.detect.settle.layout.rows import in_rows
from stream_deid.detect.settle.retyping.month_names import people_of_months
from stream_deid.labels import PhiType

T = PhiType


def cells(text):
    return [(text[d.start : d.end], d.type) for d in headed(text)]


def test_beds_initials_and_days_of_a_table():
    text = "bed | patient | seen | init\n4B | Moss | 5/11 | MG\n7 | Ruiz | 6/11 | jl\n"
    assert cells(text) == [
        ("4B", T.LOCATION_OTHER), ("5/11", T.DATE), ("MG", T.DOCTOR),
        ("7", T.LOCATION_OTHER), ("6/11", T.DATE), ("jl", T.DOCTOR),
    ]  # fmt: skip


def test_cells_that_blanks_part_where_none_is_empty():
    text = "Date      Cyc   Drug     Wt    Plt   Init\n"
    text += "1/8       1/6   carbo    71    210   KV\n2/20      carbo 80%  69    142   DR\n"
    text += "3/12      3/6   carbo 80%  69   142   DR\n"
    assert cells(text) == [
        ("1/8", T.DATE), ("KV", T.DOCTOR), ("3/12", T.DATE), ("DR", T.DOCTOR),
    ]  # fmt: skip


@pytest.mark.parametrize("sign", [" | ", "\t", ";"])
def test_cells_are_where_they_stand_whatever_parts_them(sign):
    rng = random.Random(sign)
    for _ in range(50):
        heads = [*rng.sample(["bp", "bed", "pulse", "init", "dose", "note"], 4), "cama"]
        rows = [[str(rng.randrange(1, 400)) for _ in heads] for _ in range(3)]
        text = "\n".join(sign.join(line) for line in [heads, *rows])
        told = {i for i, head in enumerate(heads) if head in ("bed", "cama")}
        want = [row[i] for row in rows for i in sorted(told)]
        assert [value for value, _ in cells(text)] == want


@pytest.mark.parametrize(
    "text",
    [
        "time | bp | pulse\n0612 | 148/76 | 70\n",
        "pain | by | dose\n3 | no | 5 mg\n",
        "We moved the bed; she slept; no pain\n12; 4; 5\n",
        "seen | score | plan\n0/10 | 3/5 | none\n",
    ],
)
def test_no_table_and_no_such_column(text):
    assert cells(text) == []


def test_the_table_ends_with_its_lines():
    assert cells("bed | pt | dx\n4 | A | B\n\n5 | 6 | 7\n") == [("4", T.LOCATION_OTHER)]


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("Signed by April 4/3.", "April 4/3", [("April", T.DOCTOR), ("4/3", T.DATE)]),
        ("RN June covering", "June", [("June", T.DOCTOR)]),
        ("Firma: Mayo", "Mayo", [("Mayo", T.DOCTOR)]),
        ("Avisado Abril 14:20", "Abril 14", [("Abril", T.DOCTOR)]),
        ("seen in April", "April", [("April", T.DATE)]),
        ("signed by Ruiz on May 4", "May 4", [("May 4", T.DATE)]),
        ("Signed by May 4", "May 4", [("May 4", T.DATE)]),
    ],
)
def test_a_month_that_signs_is_a_person(text, value, expected):
    got = people_of_months(text, [finding(text, value, T.DATE, 0.9, "bert_en@6")])
    assert [(text[f.start : f.end], f.type) for f in got] == expected


@pytest.mark.parametrize(
    ("text", "name", "day"),
    [
        ("Comentado con Ibarra 5/6, se ajusta.", "Ibarra", "5/6"),
        ("Seen by Tamez 3/14.", "Tamez", "3/14"),
        ("Tamez 4/5 strength", "Tamez", ""),
        ("Apgar 8/9, pink", "Apgar", ""),
    ],
)
def test_a_day_right_behind_a_person(text, name, day):
    got = in_rows(text, [finding(text, name, T.DOCTOR, 0.9, "bert_en@6")])
    assert [text[d.start : d.end] for d in got] == ([day] if day else [])
