"""Every leaf of a message is explained once, and values are shown only where they are asked for."""

import pytest
from fhir_helpers import pipeline

from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.operations.explain.command import shape
from stream_deid.operations.explain.rows import KEPT, REPLACED, TEXT, WITHHELD, rows

MESSAGE = (
    "MSH|^~\\&|LAB|MAPLE GROVE|EHR|050|20240315||ORU^R01|M1|P|2.5\r"
    "PID|1||4711^^^H^MR||Doe^Jane||00000000|F\r"
    "OBX|1|NM|1234-5^Sodium^LN||138|mmol/L|||||F\r"
    "OBX|2|TX|N^Note^L||Ms. Doe, phone 617-555-0142||||||F\r"
    "OBX|3|ED|D^Doc^L||^AP^PDF^Base64^JVBERi0=||||||F\r"
    "ZPD|1|Jane\r"
)


@pytest.fixture(scope="module")
def explained():
    note = hl7v2.parse(MESSAGE.encode(), language_default="en")
    made = pipeline()
    clean, _ = made.finish(made.begin(note), [])
    return list(rows(note, clean))


def of(explained, path):
    return [(row.what, row.why.split(" (")[0], row.before) for row in explained if row.path == path]


def test_a_field_that_names_someone_is_replaced_by_the_field(explained):
    assert of(explained, "PID[1]-5.1.1") == [(REPLACED, "PATIENT by field@1", "Doe")]


def test_a_text_tells_what_was_found_in_it_and_by_whom(explained):
    text, name, phone = of(explained, "OBX[2]-5")
    assert text == (TEXT, "27 characters examined, 2 replaced", "")
    assert name[0] == phone[0] == REPLACED
    assert name[1].startswith("PATIENT by ")
    assert "known" in name[1]
    assert (phone[1].partition(" by ")[0], phone[2]) == ("PHONE", "617-555-0142")


def test_what_is_withheld_has_its_reason(explained):
    assert of(explained, "OBX[3]-5.5") == [(WITHHELD, "pdf", "")]
    assert of(explained, "ZPD[1]") == [(WITHHELD, "no rule lets it pass", "")]


def test_what_stays_is_listed(explained):
    kept = {row.path: row.before for row in explained if row.what == KEPT}
    assert kept["OBX[1]-5"] == "138"
    assert kept["PID[1]-7"] == "00000000"
    assert "MSH[1]-10" not in kept


def test_a_shape_has_no_letter_or_digit_of_the_value():
    assert shape("Doe, János 47-11") == "Xxx, Xxxxx 99-99"
    assert shape("a" * 99) == "x" * 40 + "..."
