"""A day of the week that is all of a value moves with the dates beside it, where the test, the
question or the extension asks when something was; what repeats by the week stays.
"""

import pytest
from fhir_helpers import released
from test_formats_hl7_counted_days import PIPELINE

from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.short_values import counts_days, tells_weekday


def hl7(kind: str, test: str, written: str) -> str:
    raw = (
        "MSH|^~\\&|A|B|C|D|20210315||ORU^R01|X1|P|2.5\rPID|1||123456^^^A^MR||Doe^Jo\r"
        f"OBR|1|A1|B2|24357-6^UA^LN|||20210315\rOBX|1|{kind}|{test}||{written}||||||F|||20210315\r"
    ).encode()
    note = hl7v2.parse(raw)
    clean, _ = PIPELINE.finish(PIPELINE.begin(note), ())
    return hl7v2.render(note, clean).decode().split("\r")[3].split("|")[5]


def observed(code: str, value: dict) -> dict:
    resource = {
        "resourceType": "Observation",
        "status": "final",
        "code": {"text": code},
        "subject": {"reference": "Patient/1"},
        "effectiveDateTime": "2021-03-15",
        **value,
    }
    return {name: one for name, one in released(resource).items() if name.startswith("value")}


def extended(url: str, value: dict) -> list:
    resource = {
        "resourceType": "Encounter",
        "status": "finished",
        "class": {"code": "AMB"},
        "subject": {"reference": "Patient/7"},
        "period": {"start": "2021-03-15"},
        "extension": [{"url": f"http://x.org/StructureDefinition/{url}", **value}],
    }
    return [one for one in released(resource).get("extension", ()) for one in one.values()][1:]


@pytest.mark.parametrize(
    ("kind", "test", "written", "shown"),
    [
        ("CE", "DW^Day of week^L", "MON^Monday", "FRI^Friday"),
        ("CWE", "DW^Day of admission^L", "MON^Monday^L", "FRI^Friday^L"),
        ("CE", "DW^Day of week^L", "TUE", "SAT"),
        ("ST", "DW^Weekday of visit^L", "Mon", "Fri"),
        ("ST", "DW^D\u00eda de la semana^L", "mar", "s\u00e1b"),
        ("CE", "DW^DAY_OF_WEEK^L", "LUN^lunes", "VIE^viernes"),
    ],
)
def test_a_day_of_hl7_moves_with_the_dates(kind, test, written, shown):
    assert hl7(kind, test, written) == shown


@pytest.mark.parametrize("written", ["L^lunes^L", "M^Monday^L", "1^Monday^L"])
def test_the_code_of_a_day_does_not_stay(written):
    code, day, _ = hl7("CE", "DW^Day of week^L", written).split("^")
    assert code != written[0]
    assert day in ("Friday", "viernes")


@pytest.mark.parametrize(
    ("kind", "test", "written"),
    [
        ("ST", "D^Dialysis days^L", "Monday"),
        ("CE", "D^Dialysis day^L", "MON^Monday"),
        ("CE", "D^Preferred day^L", "MON^Monday"),
        ("CE", "C^Colour^L", "MON^Monday"),
    ],
)
def test_a_day_that_repeats_stays_in_hl7(kind, test, written):
    assert hl7(kind, test, written) == written


@pytest.mark.parametrize("kind", ["NM", "ST", "TX", "SN"])
def test_a_counted_day_of_any_type_is_replaced(kind):
    before = "^" if kind == "SN" else ""
    assert hl7(kind, "X^Excel date^L", f"{before}44270") not in (f"{before}44270", before)


def test_a_day_of_fhir_moves_with_the_dates():
    coded = {
        "coding": [
            {"system": "http://hl7.org/fhir/days-of-week", "code": "mon", "display": "Monday"}
        ],
        "text": "Monday",
    }
    shown = observed("Weekday of visit", {"valueCodeableConcept": coded})["valueCodeableConcept"]
    assert shown["text"] == shown["coding"][0]["display"] == "Thursday"
    assert shown["coding"][0]["code"] == "thu"
    assert observed("Day of week", {"valueString": "Monday"}) == {"valueString": "Thursday"}
    assert extended("day-of-week", {"valueCode": "mon"}) == ["fri"]
    assert extended("admissionWeekday", {"valueString": "Mon"}) == ["Fri"]


def test_a_day_that_repeats_stays_in_fhir():
    assert observed("Dialysis days", {"valueString": "Monday"}) == {"valueString": "Monday"}
    assert extended("available-day", {"valueCode": "mon"}) == ["mon"]
    order = {
        "resourceType": "MedicationRequest",
        "status": "active",
        "intent": "order",
        "subject": {"reference": "Patient/7"},
        "authoredOn": "2021-03-15",
        "medicationCodeableConcept": {"text": "methotrexate"},
        "dosageInstruction": [{"timing": {"repeat": {"dayOfWeek": ["mon"]}}}],
    }
    assert released(order)["dosageInstruction"] == order["dosageInstruction"]


def test_a_day_that_machines_count_is_withheld_in_fhir():
    assert observed("Excel date", {"valueInteger": 44270}) == {}
    quantity = observed("Julian day", {"valueQuantity": {"value": 2459289.5, "unit": "d"}})
    assert quantity == {"valueQuantity": {"unit": "d"}}
    assert observed("Excel date", {"valueString": "44270"})["valueString"] != "44270"
    assert extended("excel-date", {"valueInteger": 44270}) == []
    assert observed("Platelets", {"valueInteger": 44270}) == {"valueInteger": 44270}


def test_questions_of_a_questionnaire():
    items = [
        ("Which day of the week was the visit?", {"valueCoding": {"display": "Monday"}}),
        ("Serial date", {"valueInteger": 44270}),
        ("\u00bfQu\u00e9 d\u00eda acudi\u00f3?", {"valueString": "lunes"}),
        ("On which days do you work?", {"valueString": "Monday"}),
    ]
    resource = {
        "resourceType": "QuestionnaireResponse",
        "status": "completed",
        "subject": {"reference": "Patient/7"},
        "authored": "2021-03-15",
        "item": [
            {"linkId": str(number), "text": text, "answer": [answer]}
            for number, (text, answer) in enumerate(items)
        ],
    }
    answers = [one.get("answer") for one in released(resource)["item"]]
    assert answers == [
        [{"valueCoding": {"display": "Friday"}}],
        None,
        [{"valueString": "viernes"}],
        [{"valueString": "Monday"}],
    ]


@pytest.mark.parametrize(
    ("value", "asked", "told"),
    [
        ("Monday", "dayOfWeek", True),
        ("jue.", "fecha de ingreso", True),
        ("mar", "fecha de inicio", False),
        ("Monday", "availableDays", False),
        ("Monday", "colour", False),
        ("mild", "day of week", False),
    ],
)
def test_what_tells_a_weekday(value, asked, told):
    assert tells_weekday(value, asked) is told


@pytest.mark.parametrize("asked", ["Weekday drinks", "Days of fever", "Gestational week number"])
def test_counts_are_no_days(asked):
    assert not counts_days(asked)
