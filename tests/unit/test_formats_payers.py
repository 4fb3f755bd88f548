"""Public payers stay in what names an insurer; a state in their name does not."""

import pytest
from fhir_helpers import released
from test_formats_hl7_kept import clean

from stream_deid.formats.payers import places_beside

PUBLIC = [
    "MEDICARE",
    "Medicare Part B",
    "TRICARE East",
    "Medicaid",
    "Seguridad Social",
    "Dual Eligible",
]
OTHERS = [
    "Aetna",
    "Humana Medicare",
    "Medicare Brown",
    "Arizona AHCCCS Medicaid",
    "Texas",
    "Part B",
    "of",
]


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_payer_stays(name):
    assert places_beside(name) == ()
    assert clean(f"IN1|1|X1|10001|{name}|PO Box 9")["IN1"].split("|")[4] == name
    assert _insurer(name) == name


@pytest.mark.parametrize("name", OTHERS)
def test_any_other_is_replaced(name):
    assert places_beside(name) is None
    assert _insurer(name) != name


@pytest.mark.parametrize("name", ["Louisiana Medicaid", "Medicaid of Louisiana", "Medicaid - LA"])
def test_its_state_is_a_place(name):
    for made in (clean(f"IN1|1|X1|9|{name}")["IN1"].split("|")[4], _insurer(name)):
        assert "Medicaid" in made
        assert made != name


def test_a_facility_and_a_person_are_no_payers():
    assert "Tricare" not in clean("GT1|1||Tricare^Ann||||||||||||||Medicare")["GT1"]


def _insurer(name: str) -> str:
    made = released(
        {
            "resourceType": "Coverage",
            "status": "active",
            "beneficiary": {"reference": "Patient/1"},
            "payor": [{"display": name}],
        }
    )
    return made["payor"][0]["display"]
