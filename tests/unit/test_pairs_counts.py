"""Pairs that count something of a whole or give two settings, and days in the same forms."""

import pytest
from told_shares import shares


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ptc1 C4d0, HAI 7/18, G8: 12/17", ["7/18", "12/17"]),
        ("PHQ-9 10/27: 14; HAI reported 6/18", []),
        ("HAI 19/18 HAI 18/9", []),
        ("12 prox 8 dist. LN 2/27. pT3, nodes: 1/12 pericolic", ["2/27", "1/12"]),
        ("LN bx 3/14 at IR; LN 3/14 called", []),
        ("HVF: reliab 1/14 FL 2/12 GHT ONL", ["1/14", "2/12"]),
        ("FL trip 2/14, reliable ride", []),
        ("elast 3/16 4.5oz, class III 5/16 med", ["3/16", "5/16"]),
        ("elastics given 1/4, next 3/16", []),
        ("25G 5/8 IM, 22 ga 1/2", ["5/8", "1/2"]),
        ("room 25 5/8", []),
        ("D5 1/2 NS then D10w 1/4", ["1/2", "1/4"]),
        ("PCA 0.2/6, hits 9/12, attempts: 12/9", ["9/12", "12/9"]),
        ("TENS 10/30, NMES 12/12", ["10/30", "12/12"]),
        ("COWS 14 bup, day 2 8/2 x 2 then 4/1 bid", ["8/2", "4/1"]),
        ("bup started 8/2, COWS 6", []),
        ("EOMI, 6/9 and 6/12 unaided", ["6/9", "6/12"]),
        ("BW 3210 (7-1), Lt 50", ["7-1"]),
        ("BW today (7-1 was 3200)", []),
    ],
)
def test_what_is_counted_and_what_is_a_day(text, expected):
    assert shares(text) == expected


def test_cycles_and_titres_in_spanish():
    assert shares("TPAL 2-1-1-3, 28/5, menarquia 12", "es") == ["28/5"]
    assert shares("la cita del 28/5 en planta", "es") == []
    assert shares("RPR del 1/8 1/64, 1/8 a 1/64", "es") == ["1/8"]
