"""Marks that exports and scans leave: the plain reading, and where it stands in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.patterns import Patterns
from stream_deid.note import Note
from stream_deid.text.readings import both, plain, written_as

NOTE = Note("n", "p", (), "en")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("MRN |1|4|0|3|7|7| x", "MRN 140377  x"),
        ("N a m e : S m i t h   J o h n", "Name:Smith John"),
        ("14<sup>th</sup> June", "14th June"),
        ("acct&nbsp;GR&#x2D;60291", "acct GR-60291"),
        ("Ga&amp;euml;lle N&amp;#8217;Diaye, Petal &amp;amp; Stem", "Gaëlle N’Diaye, Petal & Stem"),
        ("Women=E2=80=99s =20Health", "Women’s  Health"),
        ("ip 172\\.22\\.9\\.61", "ip 172.22.9.61"),
        ("rm\\u00a0B12", "rm B12"),
        ("PeÃ±a, JosÃ©, womenâ€™s", "Peña, José, women’s"),
        ("{\\rtf1\\ansi 0{\\i 4}/19\\par x", "04/19 x"),
    ],
)
def test_the_plain_reading(text: str, read: str) -> None:
    found = plain(text)
    assert found is not None
    assert found.text.strip() == read


def test_a_scanned_text_is_put_right_and_another_is_not() -> None:
    text = "VlOLETA AMAR0 P1NO  HC l9-O44l  Ca1vo, T10 y B12, O6/1O/2O19"
    found = plain(text)
    assert found is not None
    assert found.text == "VIOLETA AMARO PINO  HC 19-0441  Calvo, T10 y B12, 06/10/2019"
    assert plain("HbA1c 7.2, BRCA1 neg, CO2 24, T10, O2 sat 95") is None


@pytest.mark.parametrize("text", ["", "BP 120/80, HR 72.", "a = 30", "pain 4/10 | 5/10", "I & O"])
def test_most_texts_are_their_own_reading(text: str) -> None:
    assert plain(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("MRN: |1|4|0|3|7|7|2|", "1|4|0|3|7|7|2"),
        ("DOB: |0|7|-|1|2|-|1|9|8|8|", "0|7|-|1|2|-|1|9|8|8"),
        ("Acct&nbsp;#:&nbsp;77&#49;20934", "77&#49;20934"),
        ("pc ip 172\\.22\\.9\\.61 up", "172\\.22\\.9\\.61"),
        ("MRN =C2=A0 0044=3182=391 =20", "0044=3182=391"),
        ("M R N :   7 7 1 2 0 9 3 4", "7 7 1 2 0 9 3 4"),
    ],
)
def test_patterns_find_what_marks_cut(text: str, found: str) -> None:
    spans = {text[d.start : d.end] for d in both(Patterns("en"), text, plain(text), NOTE)}
    assert any(found in span for span in spans), spans


@pytest.mark.parametrize(
    ("raw", "made", "shown"),
    [
        ("1|4|0|3|7", "88213", "8|8|2|1|3"),
        ("S m i t h", "Jones", "J o n e s"),
        ("14<sup>th</sup> June", "2nd May", "2nd May"),
        ("Smith</b>, John", "Jones, Al", "Jones, Al</b>"),
    ],
)
def test_a_replacement_keeps_cells_spaces_and_loose_tags(raw: str, made: str, shown: str) -> None:
    assert written_as(raw, made) == shown


PIECES = [
    *"aZ09|&<>=\\/#;. _\n{}u'", "\\rtf1", "\\ul ", "\\par ", "\\'e9", "\\ud83d", "&nbsp;",
    "&#9999999;", "=20", "=C3=A9", "=FF", "<b>", "</td>", "|1|2|3|4|", "S m i t h",
    "Ã±", "Ã", "â€™", "VlOLETA", "P1NO 1O2",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_every_character_knows_its_place(text: str) -> None:
    found = plain(text)
    if found is not None:
        assert len(found.text) == len(found.starts) == len(found.ends)
        assert all(0 <= s < e <= len(text) for s, e in zip(found.starts, found.ends, strict=True))
        assert found.starts.tolist() == sorted(found.starts)
        assert found.ends.tolist() == sorted(found.ends)
