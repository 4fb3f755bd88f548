"""Elements whose type STU3 has otherwise: codes stay, all else is withheld and told."""

import orjson
import pytest
from fhir_helpers import through

CODES = [
    ("Condition", "clinicalStatus", "active"),
    ("Condition", "verificationStatus", "differential"),
    ("AllergyIntolerance", "clinicalStatus", "inactive"),
    ("AllergyIntolerance", "verificationStatus", "unconfirmed"),
]
OTHERS = [
    ("MedicationRequest", "requester", {"agent": {"display": "Ambrose Quillfeather"}}),
    ("DiagnosticReport", "performer", [{"actor": {"display": "Ambrose Quillfeather"}}]),
    ("Patient", "maritalStatus", 7),
    ("Encounter", "length", "Quillfeather"),
]


def made(kind, **elements):
    body = {"resourceType": kind, "id": "a1", **elements}
    note, out, audit = through(orjson.dumps(body))
    return orjson.loads(out), [*note.withheld, *(audit.body.get("withheld") or ())]


@pytest.mark.parametrize(("kind", "name", "code"), CODES)
def test_a_status_that_was_a_code_stays_one(kind, name, code):
    out, withheld = made(kind, **{name: code})
    assert out[name] == code
    assert withheld == []


@pytest.mark.parametrize(("kind", "name", "_"), CODES)
def test_a_name_in_its_place_does_not_stay(kind, name, _):
    out, _withheld = made(kind, **{name: "Whitcombe"})
    assert "Whitcombe" not in str(out)
    out, _withheld = made(kind, **{name: "seen by Dr. Whitcombe on 3/14/2021"})
    assert "Whitcombe" not in str(out)
    assert "3/14" not in str(out)


@pytest.mark.parametrize(("kind", "name", "value"), OTHERS)
def test_what_has_another_type_is_withheld_and_told(kind, name, value):
    out, withheld = made(kind, **{name: value})
    assert "Quillfeather" not in str(out)
    assert any(name in path for path in withheld)
