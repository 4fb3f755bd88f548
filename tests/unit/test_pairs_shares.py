"""Pairs that are shares by the text as a whole or by what stands beside them, and their twins."""

import pytest
from told_shares import shares

from stream_deid.detect.pairs.shares import out_of
from stream_deid.detect.settle.filtering.pair_votes import by_judge
from stream_deid.labels import PhiType
from stream_deid.note import Detection, Part


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PHQ 4. MDQ 5/13, affect 5/10 per pt", ["5/13", "5/10"]),
        ("CT neg; 6/10 HA. Echo 4/16", ["6/10"]),
        ("CT neg; 6/10 HA began", []),
        ("LUL 3 mm (4/31) and 5 mm (3/12), was 9 mm (1/11)", ["4/31", "3/12"]),
        ("LUL 3 mm (4/30) and 5 mm (3/12)", []),
        ("on 6/10 pain was worse", []),
        ("6/10 HA, seen in ED", []),
        ("Had lows 3/14 days and 4/7 nights", ["3/14", "4/7"]),
        ("L&D 2/11 days charge", []),
        ('syringes 31g 5/16" 0.3 mL', ["5/16"]),
        ('she says "since 4/16" and', []),
        ("carrier 1/25, risk 1/4; carrier test 1/25", ["1/25", "1/4"]),
        ("allo MUD 10/10 PBSC; admitted 10/10", ["10/10"]),
        (" pip/tazo 16/4 S | levo 4 I", ["16/4"]),
        ("co-amox 625 TDS 5/7, obs 4/24, sick note 2/52", ["5/7", "4/24"]),
        ("Barthel score: 4/20, escala: 3/4", ["4/20", "3/4"]),
        ("score 4/20 by phone", []),
        ("amox bid 5/7", []),
        ("Waaler Rose 1/64   hasta 1/8", ["1/8"]),
        ("alta hasta 1/8, cita 1/9", []),
        ("Nottingham 2 (túbulos 3, núcleo 2, mitosis 2: 7/9)", ["7/9"]),
        ("SI 7/10 intent 3/10 plan pills", ["7/10", "3/10"]),
        ("UDS 10/7 ok, pill ct 12/30", ["12/30"]),
        ("SPT 3/5/25: ragweed 6/18, hist 6/20", ["6/18", "6/20"]),
        ("SPT 4/8: hist 6/20", ["6/20"]),
        ("Wait-list PEG 1/14", []),
        ("hydral 10/20 prn, dilt 10/15 then gtt 5", ["10/20", "10/15"]),
        ("NPH 8/11 u, took 12/14 units am", ["8/11", "12/14"]),
        ("stopped 10/20 po, sertraline 10/15 increased", []),
        ("seen 12/14 unit RN", []),
        ("PCI 25/10, SRS 20/1, palliative RT 8/1 to hip", ["25/10", "20/1", "8/1"]),
        ("RT 8/1 came, then rads 3/14", []),
        ("cis/pem 2/4, on carbo/taxol 4/12", ["2/4"]),
        ("last carbo/tax 3/6, PT/OT 3/6", []),
        ("bx 3/3 antrum, bx 3/3 sent", ["3/3"]),
    ],
)
def test_what_stands_beside_makes_a_share(text, expected):
    assert shares(text) == expected


def test_first_number_over_twelve_where_dates_have_the_month_first():
    dates = "D: 07/15/25 T: 07/16/25. "
    assert shares(f"{dates}BiPAP, discharged on settings of 18/5 and 6/10") == ["18/5"]
    assert shares("D: 07/05/25 T: 07/06/25. settings of 18/5") == []
    assert shares(f"{dates}seen 15/07/25, settings of 18/5") == []


def test_a_column_of_one_scale_and_one_of_days():
    pain = "0800  98  124/68  {}  212\n1200  96  118/64  {}  178\n1600  99  120/70  {}  156\n"
    assert shares(pain.format("4/10", "3/10", "0/10")) == ["4/10", "3/10"]
    assert shares(pain.format("4/10", "4/11", "4/12")) == []
    assert shares(pain.format("4/10", "3/10", "2/10")) == []
    doses = "Pt\nDate        Cyc   Drug\n1/8/24     {}   carbo  7\n1/29/24    {}   carbo  8\n"
    doses += "2/20       {}   carbo  9\n"
    assert shares(doses.format("1/6", "2/6", "3/6")) == ["1/6", "2/6", "3/6"]
    assert shares(doses.format("1/6", "2/7", "3/8")) == []
    days = "1/12|3/1|12/24\n2/12|3/2|11/24\n3/12|3/3|9/24\n"
    assert shares(days) == ["1/12", "12/24", "2/12", "11/24", "3/12", "9/24"]


@pytest.mark.parametrize(
    ("text", "points"),
    [("COMM 6/68", True), ("f/u 6/52", True), ("since 6/68", False), ("DOB 6/52", False)],
)
def test_points_of_a_scale_are_no_month_of_a_year(text, points):
    assert out_of(text, text.index("6"), len(text)) is points


@pytest.mark.parametrize(("text", "stays"), [("affect 5/10", 0), ("affect Tue 5/10", 1)])
def test_no_model_overrules_but_a_weekday_does(text, stays):
    at = text.index("5/10")
    votes = [[Detection(at, at + 4, PhiType.DATE, "bert_en@9", 0.99)]]
    assert len(by_judge((Part(text),), votes, "en")[0]) == stays
