"""Messages inside messages: HL7 v2 and FHIR that an integration engine put into JSON."""

import base64
import json
from dataclasses import replace

import pytest
from fhir_helpers import pipeline
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.config.settings import Formats
from stream_deid.errors import NoteRejected
from stream_deid.formats import Hl7v2, Json
from stream_deid.note import SHARED

HL7 = (
    "MSH|^~\\&|LAB|MAPLE|EHR|050|20240315||ORU^R01|M1|P|2.5{charset}\r"
    "PID|1||88123471^^^MAPLE^MR||Quiñones^Zebulon||19430612|M\r"
    "OBX|1|TX|11506-3^Note^LN||Mr. Quiñones seen 03/14/2024. Murmur 2/6. \\X{hex}\\||||||F\r"
)
PATIENT = {
    "resourceType": "Patient",
    "id": "p7",
    "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": "88123471"}],
    "name": [{"family": "Quackenbush", "given": ["Zebulon"]}],
    "birthDate": "1943-06-12",
}
MAP = """
keep = ["/engine", "/size"]
dates = ["/received"]
[match]
"/engine" = "*"
[messages]
"/hl7" = "{hl7}"
"/bundle/*" = "fhir"
"""


def hl7(charset: str = "", hexadecimal: str = "41") -> str:
    field = f"||||||{charset}" if charset else ""
    return HL7.format(charset=field, hex=hexadecimal)


def made(tmp_path, text=MAP, coding="hl7v2", **options) -> Json:
    path = tmp_path / "map.toml"
    path.write_text(text.replace("{hl7}", coding))
    return Json(replace(Formats(), json_maps=(str(path),), **options))


def cleaned(form, raw: bytes):
    note = form.parse(raw)
    pipe = pipeline()
    clean, record = pipe.finish(pipe.begin(replace(note, language=note.language or "en")), [])
    return note, form.render(note, clean), record


def released(form, body):
    note, out, _ = cleaned(form, json.dumps(body).encode())
    return note, json.loads(out)


def test_hl7_in_a_string_is_cleaned_as_hl7_is(tmp_path):
    note, out = released(made(tmp_path), {"engine": "Rhapsody", "hl7": hl7(), "who": "Quiñones"})
    assert set(out) == {"engine", "hl7"}
    alone = cleaned(Hl7v2(Formats()), hl7().encode())[1].decode()
    assert out["hl7"] == alone
    assert "Murmur 2/6." in alone
    assert "Quiñones" not in alone
    assert (note.note_id, note.patient_id) == ("M1@MAPLE", "88123471@MAPLE")
    assert all(part.path.startswith("/hl7:") for part in note.parts)


@pytest.mark.parametrize("charset", ["8859/1", "UNICODE UTF-8", "8859/15", "WINDOWS-1252"])
def test_its_character_set_is_that_of_its_escapes_and_not_of_the_text(tmp_path, charset):
    hexadecimal = "á".encode("utf-8" if charset.startswith("UNI") else "latin-1").hex().upper()
    message = hl7(charset, hexadecimal)
    _, out = released(made(tmp_path), {"engine": "x", "hl7": message + "ZZ1|Łódź\r"})
    assert "Quiñones" not in out["hl7"]
    assert f"\\X{hexadecimal}\\" in out["hl7"]
    (part,) = [
        p
        for p in made(tmp_path).parse(json.dumps({"engine": "x", "hl7": message}).encode()).parts
        if p.path.endswith("OBX[1]-5")
    ]
    assert part.text.endswith("Murmur 2/6. á")


def test_hl7_in_base64_is_bytes_in_its_own_character_set(tmp_path):
    value = base64.b64encode(hl7("8859/1", "E1").encode("latin-1")).decode()
    _, out = released(made(tmp_path, coding="base64+hl7v2"), {"engine": "x", "hl7": value})
    back = base64.b64decode(out["hl7"]).decode("latin-1")
    assert back.startswith("MSH|^~\\&|LAB|")
    assert "Quiñones" not in back
    assert "Murmur 2/6. \\XE1\\" in back


def test_resources_stand_there_as_objects_or_as_texts(tmp_path):
    body = {"engine": "x", "bundle": [PATIENT, json.dumps({**PATIENT, "multipleBirthInteger": 2})]}
    note, out = released(made(tmp_path), body)
    assert note.patient_id == "88123471"
    first, second = out["bundle"][0], json.loads(out["bundle"][1])
    assert first["name"] == second["name"]
    assert second["multipleBirthInteger"] == 2
    assert "Quackenbush" not in json.dumps(out)


def test_the_same_patient_has_the_same_surrogates_outside_and_inside(tmp_path):
    text = 'patient_id = "/mrn"\nnote_id = "/id"\ntexts = ["/note"]\n' + MAP
    body = {
        "engine": "x", "mrn": 88123471, "id": "n1", "received": "2024-03-15T10:00:00Z",
        "note": "Zebulon Quiñones, DOB 06/12/1943, was called.", "hl7": hl7(), "bundle": [PATIENT],
    }  # fmt: skip
    note, out = released(made(tmp_path, text), body)
    assert {part.subject for part in note.parts} == {"", SHARED}
    named = out["hl7"].split("\rPID|")[1].split("|")[4].split("^")
    assert f"{named[1]} {named[0]}" in out["note"]
    born = out["hl7"].split("\rPID|")[1].split("|")[6]
    assert out["bundle"][0]["birthDate"].replace("-", "") == born
    assert out["received"][:10].replace("-", "") == out["hl7"].split("|")[6]


def test_several_patients_in_one_message_have_surrogates_and_offsets_of_their_own(tmp_path):
    text = '[match]\n"/batch" = "*"\n[messages]\n"/batch/*/raw" = "hl7v2"\n'
    other = hl7().replace("88123471", "55501234").replace("Quiñones", "Feathergill")
    _, out = released(made(tmp_path, text), {"batch": [{"raw": hl7()}, {"raw": other}]})
    alone = cleaned(Hl7v2(Formats()), other.encode())[1].decode()
    assert out["batch"][1]["raw"] == alone
    days = [one["raw"].split("|")[6] for one in out["batch"]]
    assert days[0] != days[1]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (7, "json.type"), ("PID|1", "hl7.msh"), ("MSH|^~\\&|x", "hl7.msh"),
        (hl7("KLINGON"), "hl7.charset"), (hl7() * 2, "hl7.batch"), (None, "json.missing"),
    ],
)  # fmt: skip
def test_what_is_wrong_inside_is_told_with_its_place(tmp_path, value, code):
    with pytest.raises(NoteRejected) as caught:
        made(tmp_path).parse(json.dumps({"engine": "x", "hl7": value}).encode())
    assert caught.value.code == code
    assert "/hl7" in caught.value.detail


def test_what_is_kept_keeps_its_digits(tmp_path):
    raw = b'{"engine":"x","size":12345678901234567890123,"hl7":' + json.dumps(hl7()).encode() + b"}"
    assert b'"size":12345678901234567890123,' in cleaned(made(tmp_path), raw)[1]
    raw = raw.replace(b"12345678901234567890123", b"1.10")
    assert b'"size":1.10,' in cleaned(made(tmp_path), raw)[1]


HARMLESS = "MSH|^~\\&|A||B||20240315||ORU^R01|1|P|2.5\rOBX|1|ST|T^Test^L||{}||||||F\r"


@given(st.text(st.sampled_from("ab12 ÄŁ\U0001f600\\\"'/^~&\t"), max_size=20))
def test_the_text_of_a_message_inside_survives_json(tmp_path_factory, text):
    form = made(tmp_path_factory.mktemp("maps"))
    message = HARMLESS.format(text)
    note = form.parse(json.dumps({"engine": "x", "hl7": message}).encode())
    nothing = [p for p in note.parts if not p.declared]
    pipe = pipeline()
    clean, _ = pipe.finish(pipe.begin(replace(note, language="en")), [])
    out = json.loads(form.render(note, clean))["hl7"]
    if not any(done.edits for part, done in zip(note.parts, clean.parts, strict=True)
               if part in nothing):  # fmt: skip
        assert out.split("OBX|")[1] == message.split("OBX|")[1]


BY_HEADER = 'note_id = "/id"\npatient_id = "/pid"\ntexts = ["/{}"]\n[headers]\nce_type = "{}"\n'


def test_maps_are_chosen_by_the_headers_of_a_message(tmp_path):
    names = []
    for kind in ("radiology", "nursing"):
        path = tmp_path / f"{kind}.toml"
        path.write_text(BY_HEADER.format(kind, f"org.example.{kind}"))
        names.append(str(path))
    form = Json(replace(Formats(), json_maps=tuple(names)))
    raw = json.dumps({"id": "1", "pid": "2", "radiology": "R text", "nursing": "N text"}).encode()
    for kind in ("radiology", "nursing"):
        headers = {"ce_type": f"org.example.{kind}".encode(), "other": b"\xff"}
        assert [part.path for part in form.parse(raw, headers).parts] == [f"/{kind}"]
    with pytest.raises(NoteRejected, match=r"json\.missing"):
        form.parse(raw, {"ce_type": b"org.example.admission"})
    with pytest.raises(NoteRejected, match=r"json\.missing"):
        form.parse(raw)
