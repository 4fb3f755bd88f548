"""Answers that say who somebody is, in HL7 v2 and FHIR: by what is asked, whatever the type."""

import orjson
import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats import demographics
from stream_deid.formats.fhir import message as fhir
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.labels import PhiType
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import POLICIES, Policy

HEAD = (
    "MSH|^~\\&|A|B|C|D|20240507||ORU^R01|77|P|2.5\r"
    "PID|1||00471123^^^H^MR||Frost^Nadia||19310304|F\r"
)
AGE = {"coding": [{"system": "http://loinc.org", "code": "30525-0"}]}


def made(policy: str) -> Pipeline:
    language = Language((Patterns("en"), KnownIdentifiers()), ())
    return Pipeline({"en": language}, Surrogates(Policy.named(policy), b"0" * 32), "r")


def result(line: str, policy: str = "expert-determination") -> str:
    pipe = made(policy)
    pending = pipe.begin(hl7v2.parse(f"{HEAD}{line}\r".encode(), language_default="en"))
    done, _ = pipe.finish(pending, ())
    return hl7v2.render(pending.note, done).decode().split("\r")[2].split("|")[5]


def released(policy: str = "expert-determination", **observation: object) -> dict[str, object]:
    body = {"resourceType": "Observation", "status": "final", **observation}
    pipe = made(policy)
    pending = pipe.begin(fhir.parse(orjson.dumps(body), language_default="en"))
    done, _ = pipe.finish(pending, ())
    return orjson.loads(fhir.render(pending.note, done))


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("GPTEL^GP telephone^L", "0161 496 0537"),
        ("X^Next of kin phone^L", "9165550139"),
        ("ACCT^Account number^L", "ACCT 6600184275"),
        ("NINO^National Insurance number^L", "QQ 12 34 56 C"),
        ("CURP^CURP^L", "ROVC790322HJCDLR04"),
        ("C^N.º de colegiado^L", "28/2847193"),
        ("P^Número de póliza^L", "7719-K"),
    ],
)
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_what_a_test_asks_for_by_its_last_words_is_replaced_whole(asked, value, policy):
    shown = result(f"OBX|1|ST|{asked}||{value}", policy)
    assert not {part for part in value.split() if len(part) > 3} & set(shown.split()), shown


@pytest.mark.parametrize("policy", sorted(set(POLICIES) - {"limited-data-set"}))
@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("OBX|1|NM|30525-0^Age^LN||93|a", "90+"),
        ("OBX|1|NM|30525-0^Age^LN||73|a", "73"),
        ("OBX|1|SN|X^Patient age^L||>^93", ">^90+"),
        ("OBX|1|ST|^Edad||93 años", "90+ años"),
        ("OBX|1|ST|AGE^Age||1116|mo", ""),
        ("OBX|1|ST|AGE^Age||11|mo", "11"),
        ("OBX|1|ST|^Age||ninety-three", "90+"),
        ("OBX|1|CE|30525-0||93^years^L", "90+^years^L"),
        ("OBX|1|ST|^DOB||3/4/31", ""),
        ("OBX|1|NM|^Latitude||44.4759", ""),
        ("OBX|1|ST|DNI^DNI^L||Yes", "Yes"),  # do not intubate
        ("OBX|1|ST|RUT^RUT^L||negative", "negative"),  # rapid urease test
        ("OBX|1|ST|NPI^NPI^L||12", "12"),  # neuropsychiatric inventory
        ("OBX|1|ST|CC^Cell count^L||0161 496", "0161 496"),
        ("OBX|1|NM|26464-8^WBC^LN||1200000|/mL", "1200000"),
        ("OBX|1|NM|X^HBV DNA^L||6175550143|[IU]/mL", "6175550143"),
        ("OBX|1|NM|X^Count^L||2500000000", "2500000000"),
        ("OBX|1|NM|X^Pain^L||93", "93"),
    ],
)
def test_results_of_hl7(policy, line, shown):
    assert result(line, policy) == shown


@pytest.mark.parametrize("policy", sorted(set(POLICIES) - {"limited-data-set"}))
@pytest.mark.parametrize(
    ("line", "original"),
    [
        ("OBX|1|NM|^Year of birth||1931", "1931"),
        ("OBX|1|NM|^MRN||471123", "471123"),
        ("OBX|1|NM|X^Episode^L||471123", "471123"),
        ("OBX|1|NM|X^Callback^L||6175550143", "6175550143"),
        ("OBX|1|NM|X^Taken^L||1715040000", "1715040000"),
        ("OBX|1|NM|X^Taken^L||1715040000123", "1715040000123"),
        ("OBX|1|ST|^Maiden name||Ashgrove", "Ashgrove"),
        ("OBX|1|ST|45392-8^First name^LN||Ottoline", "Ottoline"),
    ],
)
def test_numbers_and_names_of_a_person_in_results_of_hl7_are_replaced(policy, line, original):
    assert original not in result(line, policy)


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        (AGE, {"valueInteger": 93}, {"valueInteger": 90}),
        (AGE, {"valueInteger": 73}, {"valueInteger": 73}),
        ({"text": "Pain"}, {"valueInteger": 93}, {"valueInteger": 93}),
        (AGE, {"valueString": "93 years"}, {"valueString": "90+ years"}),
        (
            AGE,
            {"valueQuantity": {"value": 93, "unit": "a"}},
            {"valueQuantity": {"value": 90, "comparator": ">=", "unit": "a"}},
        ),
        (AGE, {"valueQuantity": {"value": 11, "code": "mo"}}, {"valueQuantity": {"value": 11}}),
        ({"text": "Latitude"}, {"valueQuantity": {"value": 44.47}}, {}),
    ],
)
def test_values_of_fhir(code, value, shown):
    top = released(code=code, **value)
    (component,) = released(code={"text": "x"}, component=[{"code": code, **value}])["component"]
    for out in (top, component):
        left = {key: one for key, one in out.items() if key.startswith("value")}
        assert left.keys() == shown.keys()
        for key, one in shown.items():
            assert left[key] == (left[key] | one if isinstance(one, dict) else one)


@pytest.mark.parametrize("policy", sorted(set(POLICIES) - {"limited-data-set"}))
def test_a_year_of_birth_and_a_postcode_as_numbers_of_fhir_are_replaced(policy):
    out = released(policy, code={"text": "Year of birth"}, valueInteger=1931)
    assert out.get("valueInteger") != 1931
    out = released(policy, code={"text": "ZIP code"}, valueInteger=45903)
    assert out.get("valueInteger") != 45903


def test_answers_to_questionnaires():
    body = {
        "resourceType": "QuestionnaireResponse",
        "status": "completed",
        "item": [
            {"linkId": "1", "text": "Age:", "answer": [{"valueInteger": 93}]},
            {"linkId": "2", "text": "Pain", "answer": [{"valueInteger": 93}]},
        ],
    }
    pipe = made("safe-harbor")
    pending = pipe.begin(fhir.parse(orjson.dumps(body), language_default="en"))
    done, _ = pipe.finish(pending, ())
    items = orjson.loads(fhir.render(pending.note, done))["item"]
    assert [one["answer"] for one in items] == [[{"valueInteger": 90}], [{"valueInteger": 93}]]


@pytest.mark.parametrize("version", ["1715040000123456789", "FROST", "2024-05-07T10:00:00Z"])
@pytest.mark.parametrize("form", ["{}", 'W/"{}"', '"{}"'])
def test_versions_and_entity_tags_that_are_clocks_or_names_are_replaced(version, form):
    entry = {
        "request": {"method": "PUT", "url": "Patient/1", "ifMatch": form.format(version)},
        "response": {"status": "200", "etag": form.format(version)},
    }
    small = {"response": {"status": "200", "etag": 'W/"3"'}, "request": {
        "method": "GET", "url": "Patient/1", "ifNoneMatch": "*"}}  # fmt: skip
    body = {"resourceType": "Bundle", "type": "batch-response", "meta": {"versionId": version},
            "entry": [entry, small]}  # fmt: skip
    pipe = made("expert-determination")
    pending = pipe.begin(fhir.parse(orjson.dumps(body), language_default="en"))
    done, _ = pipe.finish(pending, ())
    text = fhir.render(pending.note, done).decode()
    assert version not in text
    assert orjson.loads(text)["entry"][1]["response"]["etag"] == 'W/"3"'
    assert orjson.loads(text)["entry"][1]["request"]["ifNoneMatch"] == "*"


@pytest.mark.parametrize(
    ("value", "unit", "years"),
    [
        ("93", "", 93),
        ("1116", "mo", 93),
        ("6 mo", "", 0.5),
        ("93 y.o.", "", None),
        ("old", "", None),
    ],
)
def test_ages(value, unit, years):
    assert demographics.years(value, unit) == years


def test_what_is_asked_is_read_by_code_or_by_all_of_its_words():
    assert demographics.meaning(["30525-0"], []) is PhiType.AGE
    assert demographics.meaning([], ["Patient's age (years)"]) is None
    assert demographics.meaning([], ["Año de nacimiento:"]) is PhiType.DATE
    assert demographics.meaning([], ["Macular degeneration, age related"]) is None


@pytest.mark.parametrize(
    "asked", ["Years of age", "How old are you?", "Edad en años", "Current age in years"]
)
def test_an_age_over_89_is_generalised_however_it_is_asked_for(asked):
    item = {"linkId": "1", "text": asked, "answer": [{"valueInteger": 94}]}
    body = {"resourceType": "QuestionnaireResponse", "status": "completed", "item": [item]}
    pipe = made("expert-determination")
    pending = pipe.begin(fhir.parse(orjson.dumps(body), language_default="en"))
    done, _ = pipe.finish(pending, ())
    assert b"94" not in fhir.render(pending.note, done)


@pytest.mark.parametrize("asked", ["Date of last period", "Onset date", "Fecha de última regla"])
def test_a_day_and_month_is_a_date_where_one_is_asked_for(asked):
    code = {"text": asked}
    assert released(code=code, valueString="2/14")["valueString"] != "2/14"
    assert result(f"OBX|1|ST|X^{asked}^L||2/14") != "2/14"
    assert released(code={"text": "Pain score"}, valueString="2/10")["valueString"] == "2/10"


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("OBX|1|XTN|PHX^Phone^L||^PRN^PH^^1^978^5550188", "^PRN^PH^^1^"),
        ("OBX|1|XPN|N^Name^L||Vanderkemp^Ignatius^^^Mr", "^^^Mr"),
        ("OBX|1|CX|N^MRN^L||77120033^^^MERCY^MR", "^MR"),
        ("OBX|1|XAD|N^Home address^L||9 Coldbrook Rd^^Lowell^MA^01850^^H", "^H"),
    ],
)
def test_a_value_with_a_data_type_of_its_own_is_read_component_by_component(line, stays):
    """Codes of equipment and use beside a number are none."""
    shown = result(line)
    assert stays in shown
    said = {"5550188", "Vanderkemp", "Ignatius", "77120033", "Coldbrook", "Lowell", "01850"}
    assert not [value for value in said if value in shown]


@pytest.mark.parametrize("kind", ["NA", "MA", "CD"])
def test_numbers_of_a_waveform_are_no_text(kind):
    line = f"OBX|1|{kind}|W^Waveform^L||12^13^14^-2^0.5"
    note = hl7v2.parse(f"{HEAD}{line}\r".encode())
    assert not [
        part.path for part in note.parts if part.examine and part.path.startswith("OBX[1]-5")
    ]
    assert result(line) == "12^13^14^-2^0.5"


@pytest.mark.parametrize(
    ("asked", "phi"),
    [
        ("STREET^Substance^L", None),
        ("STREET^Street^L", PhiType.STREET),
        ("STREET^Calle^L", PhiType.STREET),
        ("LONG^Long axis^L", None),
        ("NAME^Drug name^L", None),
        ("NAME^Drug^L", None),
        ("NAME^Nombre^L", PhiType.PATIENT),
        ("MRNOLD^Previous record number^L", PhiType.MEDICALRECORD),
    ],
)
def test_a_code_is_read_with_the_words_beside_it(asked, phi):
    code, text, _ = asked.split("^")
    assert demographics.meaning([code], [code, text]) is phi
