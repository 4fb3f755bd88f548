"""Two strangers never share a date offset or a surrogate, whatever their messages leave out.

One rule, in every format: by patient, else by note (`Note.subject`). What says that there is no
number is none, an id that only one message knows is nobody's elsewhere, and a counter that begins
anew makes no two notes one.
"""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.config.settings import Formats
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats import Fhir, Hl7v2, Json
from stream_deid.formats.placeholders import is_no_number
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

PIPELINE = Pipeline(
    {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
    Surrogates(Policy.named(), b"0123456789abcdef"),
    "test",
)
TEXT = "Mr. Whitcombe seen 03/14/2024."
NO_NUMBER = ["UNKNOWN", "N/A", "0", "000000", "-", "*", "none", "99999999", "TEMP", "Desconocido"]


def through(form, message) -> tuple[list[tuple[str, str]], str]:
    """The names and dates that a message shows, and whose they are by the audit."""
    raw = message if isinstance(message, str) else json.dumps(message)
    note = replace(form.parse(raw.encode()), language="en")
    clean, audit = PIPELINE.finish(PIPELINE.begin(note), ())
    shown = re.findall(r"Mr\. (\w+) seen (\S+?)\.", form.render(note, clean).decode())
    return shown, audit.body.get("subject", "patient")


def apart(*shown: tuple[str, str]) -> bool:
    return all(len(set(values)) == len(shown) for values in zip(*shown, strict=True))


def envelope(patient: str, note: str, more: str) -> dict:
    return {"note_id": note, "patient_id": patient, "text": f"{TEXT} {more}"}


def hl7(control: str, patient: str, name: str) -> str:
    return (
        f"MSH|^~\\&|LAB|MAPLE|EHR|050|20240315||ORU^R01|{control}|P|2.5\r"
        f"PID|1||{patient}||{name}\rOBX|1|TX|11506-3^Note^LN||{TEXT}||||||F\r"
    )


def impression(subject=None, **more) -> dict:
    body = {"resourceType": "ClinicalImpression", "status": "completed", "summary": TEXT, **more}
    return body if subject is None else {**body, "subject": subject}


def created(name: str, server: str = "") -> dict:
    """A transaction that creates a patient and what is about him."""
    held = [
        {"resourceType": "Patient", "name": [{"family": name}]},
        impression({"reference": f"urn:uuid:0{server}"}),
    ]
    entries = [{"fullUrl": f"urn:uuid:{n}{server}", "resource": one} for n, one in enumerate(held)]
    return {"resourceType": "Bundle", "type": "transaction", "entry": entries}


def contained(name: str, **more) -> dict:
    patient = {"resourceType": "Patient", "id": "p", "name": [{"family": name}]}
    return impression({"reference": "#p"}, contained=[patient], **more)


JSON, HL7, FHIR = Json(Formats()), Hl7v2(Formats()), Fhir(Formats())
STRANGERS = {
    **{
        f"a JSON note of {number}": (JSON, envelope(number, "n", "a"), envelope(number, "n", "b"))
        for number in NO_NUMBER
    },
    **{
        f"HL7 of {number}": (HL7, hl7("1", number, "Able^Ann"), hl7("2", number, "Baker^Bob"))
        for number in NO_NUMBER
    },
    "HL7 whose counter began anew": (HL7, hl7("1", "", "Able^Ann"), hl7("1", "", "Baker^Bob")),
    "FHIR patients to be created": (FHIR, created("Able"), created("Baker")),
    "FHIR patients inside": (FHIR, contained("Able", id="a"), contained("Baker", id="b")),
    "FHIR without a subject": (FHIR, impression(id="1"), impression(id="1", description="x")),
    "FHIR of somebody unknown": (
        FHIR,
        impression({"reference": "Patient/unknown"}, id="1"),
        impression({"reference": "Patient/unknown"}, id="2"),
    ),
}


@pytest.mark.parametrize("case", STRANGERS)
def test_messages_of_strangers_share_nothing(case) -> None:
    form, one, other = STRANGERS[case]
    ((first,), told), ((second,), told_again) = through(form, one), through(form, other)
    assert apart(first, second)
    assert told == told_again == "note"  # and the audit says which rule it was


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (HL7, hl7("1", "111111^^^MAPLE^MR", "Able^Ann")
         + hl7("1", "222222^^^MAPLE^MR", "Baker^Bob").partition("\r")[2]),
        (HL7, hl7("1", "", "Able^Ann") + hl7("1", "", "Baker^Bob").partition("\r")[2]),
        (FHIR, {"resourceType": "Bundle", "type": "collection", "entry": [
            {"resource": contained("Able")}, {"resource": contained("Baker")}]}),
        (FHIR, {**created("Able"),
                "entry": created("Able")["entry"] + created("Baker", "b")["entry"]}),
    ],
)  # fmt: skip
def test_nor_do_strangers_in_one_message(form, message) -> None:
    shown, _ = through(form, message)
    assert len(shown) == 2
    assert apart(*shown)


@pytest.mark.parametrize("first", ["", "777123"])
def test_nor_do_those_of_several_messages_in_one(tmp_path, first) -> None:
    path = tmp_path / "map.toml"
    path.write_text('keep = ["/e"]\n[match]\n"/e" = "*"\n[messages]\n"/m/*" = "hl7v2"\n')
    form = Json(replace(Formats(), json_maps=(str(path),)))
    held = [hl7("1", first, "Able^Ann"), hl7("2", "", "Baker^Bob")]
    shown, _ = through(form, {"e": "x", "m": held})
    assert apart(*shown)


def test_a_repeated_pid_of_one_patient_is_one_patient() -> None:
    again = hl7("1", "111111^^^MAPLE^MR", "Able^Ann")
    shown, _ = through(HL7, again + again.partition("\r")[2])
    assert shown[0] == shown[1]


@given(st.from_regex(r"[1-9][0-9]{3,9}|[A-Z]{1,3}[0-9]{3,8}", fullmatch=True))
def test_any_other_number_is_somebodys(number) -> None:
    assert is_no_number(number) == (number.strip("9") == "" and len(number) >= 5)


@pytest.mark.parametrize("number", ["same", "self", "Same", "A", "p", "00A", "10", "nobody", "rn"])
def test_a_word_that_may_be_an_id_is_one(number) -> None:
    one, other = envelope(number, "1", "a"), envelope(number, "2", "b")
    assert through(JSON, one) == through(JSON, other)
    assert through(JSON, one)[1] == "patient"
