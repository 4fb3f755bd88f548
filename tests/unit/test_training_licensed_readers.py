"""Readers for corpora that only licence holders have, on files of their form written here."""

from __future__ import annotations

import pytest
from marked_spans import marked_values

from stream_deid.errors import Halt
from stream_deid.training.data import corpora


def test_i2b2_2006(tmp_path):
    (tmp_path / "train.xml").write_text(
        '<ROOT>\n<RECORD ID="7">\n<TEXT>\n<PHI TYPE="ID">0042</PHI>\nSeen by '
        '<PHI TYPE="DOCTOR">ABE LOW</PHI> , &amp; home.\n</TEXT>\n</RECORD>\n</ROOT>\n',
        "utf-8",
    )
    (note,) = corpora.load("i2b2-2006:en:train.xml", tmp_path)
    assert note.id == "7"
    assert note.text == "\n0042\nSeen by ABE LOW , & home.\n"
    assert marked_values(note) == [("0042", "IDNUM"), ("ABE LOW", "DOCTOR")]


def test_physionet(tmp_path):
    text = "Pt seen by Low.\nWife Ana called 4/7."
    (tmp_path / "id.text").write_text(
        f"START_OF_RECORD=1||||3||||\n{text}\n||||END_OF_RECORD\n\n"
        "START_OF_RECORD=2||||1||||\nok\n||||END_OF_RECORD\n",
        "utf-8",
    )
    (tmp_path / "id-phi.phrase").write_text(
        "1 3 11 14 HCPName Low\n1 3 22 25 RelativeProxyName Ana\n1 3 32 35 Date 4/7\n", "utf-8"
    )
    first, second = corpora.load("physionet:en:.", tmp_path)
    assert first.id == "1-3"
    assert marked_values(first) == [("Low", "DOCTOR"), ("Ana", "PATIENT"), ("4/7", "DATE")]
    assert second.spans == ()


PHYSIONET = {
    "HCPName": "DOCTOR", "RelativeProxyName": "PATIENT", "PTName": "PATIENT",
    "PTNameInitial": "PATIENT", "Date": "DATE", "DateYear": "DATE", "Location": "LOCATION_OTHER",
    "Phone": "PHONE", "Other": "IDNUM",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "label"), PHYSIONET.items())
def test_types_as_the_gold_standard_of_physionet_writes_them(tmp_path, kind, label):
    (tmp_path / "id.text").write_text(
        "START_OF_RECORD=9||||2||||\nseen by P. O. today\n||||END_OF_RECORD\n", "utf-8"
    )
    (tmp_path / "id-phi.phrase").write_text(f"9 2 8 13 {kind} P. O.\n", "utf-8")
    (note,) = corpora.load("physionet:en:.", tmp_path)
    assert marked_values(note) == [("P. O.", label)]


@pytest.mark.parametrize(
    ("span", "told"),
    [
        ('{"start": 0, "end": 3, "type": "NAME"}', "marks NAME: types are those of"),
        ('{"start": 0, "end": 3, "label": "DOCTOR"}', "line 2: no 'type'"),
        ('{"start": 0, "end": 99, "type": "DOCTOR"}', "line 2: a span of DOCTOR, [0, 99), is"),
        ('{"start": 0, "end": "3", "type": "DOCTOR"}', "line 2: TypeError"),
        ("}", "line 2: JSONDecodeError"),
    ],
)
def test_what_is_wrong_with_marked_lines_is_told_with_its_line_and_without_its_text(
    tmp_path, span, told
):
    (tmp_path / "ours.jsonl").write_text(
        f'{{"id": "1", "text": "Low"}}\n{{"id": "Ana Low", "text": "Low", "spans": [{span}]}}\n',
        "utf-8",
    )
    with pytest.raises(Halt, match=r"^recipe\.data") as stop:
        corpora.load("jsonl:en:ours.jsonl", tmp_path)
    assert told in str(stop.value)
    assert "Low" not in str(stop.value)


AGED = "47 yo; 90 , ninety-one; eighty; 97-year-old"
AGES = [("47", "AGE_U90"), ("90", "AGE"), ("ninety-one", "AGE"), ("eighty", "AGE_U90"),
        ("97", "AGE")]  # fmt: skip


def test_ages_under_90_are_neutral_in_i2b2_2014(tmp_path):
    tags = "".join(
        f'<AGE id="P{n}" start="{AGED.index(value)}" end="{AGED.index(value) + len(value)}" '
        f'text="{value}" TYPE="AGE" comment=""/>'
        for n, (value, _) in enumerate(AGES)
    )
    (tmp_path / "1-01.xml").write_text(
        f"<deIdi2b2><TEXT><![CDATA[{AGED}]]></TEXT><TAGS>{tags}</TAGS></deIdi2b2>", "utf-8"
    )
    (note,) = corpora.load("i2b2:en:1-01.xml", tmp_path)
    assert marked_values(note) == AGES


def test_ages_under_90_are_neutral_in_i2b2_2006(tmp_path):
    body = " , ".join(f'<PHI TYPE="AGE">{value}</PHI>' for value, _ in AGES)
    (tmp_path / "train.xml").write_text(
        f'<ROOT><RECORD ID="7"><TEXT>{body}</TEXT></RECORD></ROOT>', "utf-8"
    )
    (note,) = corpora.load("i2b2-2006:en:train.xml", tmp_path)
    assert marked_values(note) == AGES


def test_ages_under_90_are_neutral_in_physionet(tmp_path):
    (tmp_path / "id.text").write_text(
        f"START_OF_RECORD=1||||3||||\n{AGED}\n||||END_OF_RECORD\n", "utf-8"
    )
    phrases = [
        f"1 3 {AGED.index(value)} {AGED.index(value) + len(value)} Age {value}\n"
        for value, _ in AGES
    ]
    (tmp_path / "id-phi.phrase").write_text("".join(phrases), "utf-8")
    (note,) = corpora.load("physionet:en:.", tmp_path)
    assert marked_values(note) == AGES
