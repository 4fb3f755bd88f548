"""Short results of HL7 v2 that name somebody: the names, numbers and days in them go, models or
none, and what is clinical beside them stays.
"""

import pytest
from fhir_helpers import pipeline

from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.text.days import is_stamp

PIPELINE = pipeline()
HEAD = (
    "MSH|^~\\&|LAB|MAPLE|EHR|050|20240315||ORU^R01|M1|P|2.5\r"
    "PID|1||88123471^^^HOSP^MR||Quackenbush^Zebulon||19430612|M\r"
)


def released(*segments):
    text = HEAD + "".join(f"{segment}\r" for segment in segments)
    note = hl7v2.parse(text.encode(), language_default="en")
    clean, _ = PIPELINE.finish(PIPELINE.begin(note), [])
    return hl7v2.render(note, clean).decode().split("\r", 2)[2]


@pytest.mark.parametrize(
    ("segment", "gone", "kept"),
    [
        ("OBX|1|ST|CB^Collected by^L||Nurse Whitfield||||||F", "Whitfield", "Nurse"),
        ("OBX|1|TX|K^Potassium^L||6.8, called to Dr. Okonjo-Bell||||||F", "Okonjo", "6.8"),
        ("OBX|1|TX|K^Potassium^L||6.8 rb by RN Deb||||||F", "Deb", "6.8"),
        ("OBX|1|TX|C^Callback^L||Dr. Tamez 617-555-0142||||||F", "617-555-0142", "Dr."),
        ("OBX|1|TX|C^Callback^L||Dr. Tamez 617-555-0142||||||F", "Tamez", "Dr."),
        ("NTE|1|L|Call 413-555-0188 with results", "413-555-0188", "with results"),
        ("OBX|1|TX|N^Culture^L||Twin Mabel 2 of 4 bottles pos||||||F", "Mabel", "2 of 4 bottles"),
        ("OBX|1|ST|MRNOLD^Previous record number^L||00871934||||||F", "00871934", "F"),
        ("OBX|1|NM|MRNOLD^Previous record number^L||00871934||||||F", "00871934", "F"),
        ("OBX|1|ST|NAME^Name of caller^L||Quackenbush, Z||||||F", "Quackenbush", "caller"),
        ("OBX|1|ST|STREET^Street^L||12 Larkspur Ct||||||F", "Larkspur", "Street"),
        ("OBX|1|TX|PPD^PPD^L||placed 3/5/24 L arm, 0 mm, 1 2 3 4||||||F", "3/5/24", "0 mm"),
        ("OBX|1|CWE|ALL^Allergy^L||^Quackenbush||||||F", "Quackenbush", "Allergy"),
    ],
)
def test_who_is_named_in_a_short_result_goes(segment, gone, kept):
    out = released(segment)
    assert gone not in out
    assert kept in out


@pytest.mark.parametrize(
    "segment",
    [
        "OBX|1|ST|STREET^Substance^L||Molly x2, special K, Adderall not rx'd||||||F",
        "OBX|1|TX|DIF^Manual differential^L||N 62 L 24 M 8 E 4 B 1 meta 1||||||F",
        "OBX|1|TX|SINTR^Warfarin^L||Monday 3/4, Tuesday 1/2, Friday 3/4, Sunday 1/2, rest 1||||||F",
        "OBX|1|ST|AU^Fundal height^L||31 cm, FHR 140, DU 2/10/30||||||F",
        "OBX|1|ST|VA^Visual acuity^L||CF at 3 ft / HM||||||F",
    ],
)
def test_a_short_result_stays(segment):
    assert released(segment).strip() == segment


def test_a_day_alone_is_one_where_a_date_is_asked_for():
    made = str(released("OBX|1|ST|LMP^Last menstrual period||20260515||||||F"))
    made = made.split("period||")[1].split("|", maxsplit=1)[0]
    assert made != "20260515"
    assert is_stamp(made)


def test_a_telephone_number_where_a_person_belongs_goes():
    for field in ("^WPN^PH^^1^512^5550190", "(512)555-0190^PRN^CP", "^ORN^FX^^^512^5550190"):
        raw = (
            "MSH|^~\\&|A|B|C|D|20240101||SIU^S12|1|P|2.5\r"
            f"SCH|A1|A1||||||||||||||{field}\rPID|1||4711^^^B^MR\r"
        )
        note = hl7v2.parse(raw.encode())
        told = {part.text for part in note.parts}
        assert any("5550190" in one or "555-0190" in one for one in told)
