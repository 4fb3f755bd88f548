"""The lot of a vaccine or drug that a field of the message states stays in its text as well."""

import json

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.lots import is_lot
from stream_deid.formats.fhir import message as fhir
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

PIPELINE = Pipeline(
    {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
    Surrogates(Policy.named(), b"0123456789abcdef"),
    "test",
)
HEAD = (
    "MSH|^~\\&|EHR|MAPLE|IIS|050|20240315||VXU^V04|M1|P|2.5.1|||||||||en\r"
    "PID|1||4711998^^^H^MR||Quackenbush^Zeb\r"
)
GIVEN = "RXA|0|1|20240305||21^Varicella^CVX|0.5|mL||||||||{}|20260101|MSD^Merck^MVX\r"


def through(form, raw):
    note = form.parse(raw.encode())
    clean, _ = PIPELINE.finish(PIPELINE.begin(note), ())
    return form.render(note, clean).decode()


def hl7(text, field=""):
    return through(hl7v2, f"{HEAD}{GIVEN.format(field)}NTE|1||{text}\r")


@pytest.mark.parametrize(
    "text", ["Lot U44823AB given.", "lot: u44823ab", "LOT #U44823AB, left arm"]
)
def test_it_stays_beside_its_field_and_goes_alone(text):
    assert f"||{text}\r" in hl7(text, "U44823AB")
    assert text not in hl7(text)


def test_another_one_goes():
    told = hl7("Varicella lot U44823AB. Pacemaker lot 7781BX2.", "U44823AB")
    assert "lot U44823AB. Pacemaker lot " in told
    assert "7781BX2" not in told


@pytest.mark.parametrize("number", ["219-09-9999", "4711998", "219099999", "1EG4TE5MK73"])
def test_a_person_s_number_in_its_field_goes_wherever_it_stands(number):
    assert number not in hl7(f"Lot {number} given.", number).partition("NTE")[2]


def test_loinc_s_test_of_a_lot_says_it_too():
    told = f"{HEAD}OBX|1|ST|{{}}||U44823AB||||||F\rNTE|1||Lot U44823AB given.\r"
    assert through(hl7v2, told.format("30959-9^Lot number^LN")).count("U44823AB") == 2
    assert through(hl7v2, told.format("L1^Lot^L")).count("U44823AB") < 2


def test_fhir_s_immunization_states_one_and_a_device_s_goes():
    patient = {"resourceType": "Patient", "id": "p", "identifier": [{"value": "4711998"}]}
    given = {
        "resourceType": "Immunization", "status": "completed", "vaccineCode": {"text": "Varicella"},
        "patient": {"reference": "Patient/p"}, "lotNumber": "U44823AB",
        "note": [{"text": "Lot U44823AB given."}],
    }  # fmt: skip
    device = {
        "resourceType": "Device", "patient": {"reference": "Patient/p"}, "lotNumber": "K99213C",
        "note": [{"text": "Lot K99213C placed."}],
    }  # fmt: skip
    entries = [{"resource": one} for one in (patient, given, device)]
    bundle = {"resourceType": "Bundle", "type": "collection", "language": "en", "entry": entries}
    told = through(fhir, json.dumps(bundle))
    assert told.count("U44823AB") == 2
    assert "K99213C" not in told


@pytest.mark.parametrize(
    ("value", "one"),
    [("U44823AB", True), ("UT7045MA", True), ("8813409", True), ("AC52-1B", True),
     ("Ferreira", False), ("219099999", False), ("AB", False), ("U4 823", False),
     ("A" * 30 + "1", False)],
)  # fmt: skip
def test_what_can_be_a_lot(value, one):
    assert is_lot(value) is one
