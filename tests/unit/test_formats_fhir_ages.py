"""What may stand where an age may (`onset[x]`) is held to the rule of ages: strings and ranges."""

from pathlib import Path

import pytest
from fhir_helpers import released

from stream_deid.formats.fhir.definitions.specification import specification

_FILE = Path(__file__).parents[1] / "data" / "fhir_ages.tsv"
CASES = [line.split("\t") for line in _FILE.read_text("utf-8").splitlines()[1:]]
_CHILD = "FamilyMemberHistory.condition"
RANGES = [
    (91, 94, "a", 90, 90), (70, 95, "years", 70, 90), (92, 95, "days", 92, 95),
    (80, 89, "yr", 80, 89), (100, 101, "wk", 100, 101), (1080, 1092, "mo", None, None),
]  # fmt: skip


def _holding(path, value):
    kind, _, name = path.rpartition(".")
    if kind == _CHILD:
        return {"resourceType": "FamilyMemberHistory", "condition": [{name: value}]}
    return {"resourceType": kind, name: value}


def _held(path, resource):
    kind, _, name = path.rpartition(".")
    return (resource["condition"][0] if kind == _CHILD else resource)[name]


STRINGS = sorted(p for p in specification().ages if p.endswith("String"))


@pytest.mark.parametrize("path", STRINGS)
@pytest.mark.parametrize(("value", "clean"), CASES)
def test_a_string_that_may_be_an_age(path, value, clean):
    assert _held(path, released(_holding(path, value))) == clean


def test_every_such_string_is_known():
    assert len(STRINGS) == 7


@pytest.mark.parametrize("path", [p.replace("String", "Range") for p in STRINGS])
@pytest.mark.parametrize("case", RANGES)
def test_a_range_that_may_be_one(path, case):
    low, high, unit, *released_as = case
    value = {"low": {"value": low, "unit": unit}, "high": {"value": high, "unit": unit}}
    clean = _held(path, released(_holding(path, value)))
    assert [clean[end].get("value") for end in ("low", "high")] == released_as


@pytest.mark.parametrize(("value", "unit", "clean"), [
    (93, "a", 90), (92, "d", 92), (95, "wk", 95), (89, "a", 89), (100, "mo", 100),
])  # fmt: skip
def test_an_observed_age_counts_in_its_unit(value, unit, clean):
    observed = {
        "resourceType": "Observation", "status": "final", "code": {"text": "Age"},
        "valueQuantity": {"value": value, "unit": unit},
    }  # fmt: skip
    assert released(observed)["valueQuantity"]["value"] == clean


def test_names_and_places_beside_an_age_are_examined():
    told = released(_holding("Condition.onsetString", "at 94, per Dr. Ottoline Thornquist"))
    assert told["onsetString"].startswith("at 90+, per Dr. ")
    assert "Thornquist" not in told["onsetString"]
