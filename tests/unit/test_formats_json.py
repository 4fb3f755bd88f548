"""The JSON envelope: what comes in, what goes out, and what is refused."""

from datetime import date

import orjson
import pytest
from formats_helpers import masked, swapped, untouched

from stream_deid import config
from stream_deid.errors import NoteRejected
from stream_deid.formats import FORMATS, sniff
from stream_deid.formats.json import note as json_note
from stream_deid.labels import PhiType

NOTE = {"note_id": "n1", "patient_id": "p1", "text": "Seen by Dr. Lee."}


def json_note_with(_changes=None, **options):
    return json_note.parse(orjson.dumps({**NOTE, **(_changes or {})}), **options)


def out_of(note, clean=None):
    return orjson.loads(json_note.render(note, clean or untouched(note)))


def known_of(patient):
    return {
        (k.type.value, k.value, k.person, k.role, k.sex)
        for k in json_note_with({"patient": patient}).known
    }


def code_of(raw):
    with pytest.raises(NoteRejected) as error:
        json_note.parse(raw)
    return error.value.code


def test_the_envelope_comes_back_with_pseudonyms_and_clean_text():
    note = json_note_with({"language": "en", "note_type": "Discharge summary"})
    assert out_of(note, swapped(note, {"Lee": "Fox"})) == {
        "note_id": "note-x",
        "patient_id": "patient-x",
        "text": "Seen by Dr. Fox.",
        "language": "en",
        "note_type": "Discharge summary",
        "release": "r1",
    }


def test_fields_keep_their_order():
    raw = b'{"text":"t","language":"es","patient_id":"p","note_id":"n"}'
    out = json_note.render(note := json_note.parse(raw), untouched(note))
    assert list(orjson.loads(out)) == ["text", "language", "patient_id", "note_id", "release"]


def test_every_other_field_is_dropped_unless_listed_as_safe():
    extra = {"ward": "4W", "author": "Dr. Lee", "patient": {"name": "Jane Doe"}, "José's": 1}
    note = json_note_with(extra, safe_fields=("ward",))
    assert set(out_of(note)) == {"note_id", "patient_id", "text", "ward", "release"}
    assert note.withheld == ("(other)", "patient", "(other)")  # a key may be a name as well


def test_an_incoming_release_is_not_believed():
    assert out_of(json_note_with({"release": "old"}))["release"] == "r1"
    assert out_of(json_note_with({"release": "old"}, safe_fields=("release",)))["release"] == "r1"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("11506-3", True),
        ("progress_note", True),
        ("History and physical", True),
        ("Nota de evolución", True),
        ("OP", True),
        ("Letter to Jane Doe", False),
        ("x" * 60, False),
        ("smith", False),
        ("MRN4471", False),
        ("11506-4", False),  # no LOINC code: the check digit is wrong
        ("555-0142", False),
        ("4471823-9", False),  # longer than any code of LOINC
    ],
)
def test_note_types_stay_when_they_are_codes_or_kinds_of_notes(value, kept):
    note = json_note_with({"note_type": value})
    assert ("note_type" in out_of(note)) is kept
    assert note.note_type == (value if kept else "")


@pytest.mark.parametrize(
    ("value", "date_part", "written_on"),
    [
        ("2024-03-15T09:30:00Z", "2024-03-15", date(2024, 3, 15)),
        ("2024-03-15 09:30:00.123+02:00", "2024-03-15", date(2024, 3, 15)),
        ("20240315", "20240315", date(2024, 3, 15)),
        ("2024-03", "2024-03", None),
        ("2024-02-31", "2024-02-31", None),
        ("on March 15", "on March 15", None),
    ],
)
def test_the_date_of_the_timestamp_is_declared(value, date_part, written_on):
    note = json_note_with({"timestamp": value})
    part = note.parts[1]
    assert (part.path, part.examine) == ("timestamp", False)
    (span,) = part.declared
    assert part.text[span.start : span.end] == date_part
    assert note.written_on == written_on
    assert out_of(note, masked(note))["timestamp"] == value.replace(date_part, "<DATE=timestamp>")


def test_a_timestamp_in_seconds_is_dropped():
    note = json_note_with({"timestamp": 1710495000})
    assert "timestamp" not in out_of(note)
    assert note.withheld == ("timestamp",)


@pytest.mark.parametrize(
    ("patient", "expected"),
    [
        ({"name": "Doe, Jane"}, {("PATIENT", "Doe, Jane", "patient", "full", "")}),
        (
            {"name": {"family": "Doe", "given": ["Jane", "Ann"]}, "sex": "Female"},
            {
                ("PATIENT", "Doe", "patient", "family", "F"),
                ("PATIENT", "Jane", "patient", "given", "F"),
                ("PATIENT", "Ann", "patient", "given", "F"),
            },
        ),
        (
            {"names": ["Jane Doe", {"family": "Roe"}], "nickname": "Jen"},
            {
                ("PATIENT", "Jane Doe", "patient", "full", ""),
                ("PATIENT", "Roe", "patient", "family", ""),
                ("PATIENT", "Jen", "patient", "nickname", ""),
            },
        ),
        ({"birth_date": "1980-01-02"}, {("DATE", "1980-01-02", "patient", "birth_date", "")}),
        (
            {"ids": ["A-1", {"type": "ssn", "value": "123-45-6789"}, {"account": 991}]},
            {
                ("MEDICALRECORD", "A-1", "patient", "", ""),
                ("SSN", "123-45-6789", "patient", "", ""),
                ("ACCOUNT", "991", "patient", "", ""),
            },
        ),
        (
            {"addresses": [{"street": "1 Elm St", "city": "Erie", "zip": "16501", "state": "PA"}]},
            {
                ("STREET", "1 Elm St", "patient", "", ""),
                ("CITY", "Erie", "patient", "", ""),
                ("ZIP", "16501", "patient", "", ""),
            },
        ),
        (
            {"phones": ["555-0100", {"value": "555-0101", "use": "fax"}], "email": "j@x.example"},
            {
                ("PHONE", "555-0100", "patient", "", ""),
                ("FAX", "555-0101", "patient", "", ""),
                ("EMAIL", "j@x.example", "patient", "", ""),
            },
        ),
        (
            {"relatives": ["Tom Doe", {"name": "Ann", "sex": "f", "phone": "5550102"}]},
            {
                ("PATIENT", "Tom Doe", "kin:1", "full", ""),
                ("PATIENT", "Ann", "kin:2", "full", "F"),
                ("PHONE", "5550102", "kin:2", "", "F"),
            },
        ),
        ({"pcp": "Dr. Lee"}, {("DOCTOR", "Dr. Lee", "doctor:1", "full", "")}),
        ({"name": None, "phones": [], "shoe_size": 9}, set()),
    ],
)
def test_the_patient_object_tells_whom_to_look_for(patient, expected):
    assert known_of(patient) == expected


def test_the_ids_of_the_envelope_are_looked_for():
    note = json_note_with({"patient_id": "88123401", "note_id": "n-1"})
    assert [(k.type, k.value) for k in note.known] == [(PhiType.MEDICALRECORD, "88123401")]


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b'{"note_id": "n", "text', "json.syntax"),
        (b"", "json.syntax"),
        (b"[]", "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":"\xff"}', "json.encoding"),
        (b'{"note_id":"n","patient_id":"p","text":"\\ud800"}', "json.syntax"),
        (b'{"note_id":"n","patient_id":"p","text":NaN}', "json.syntax"),
        (b'{"a":' * 3000 + b"1" + b"}" * 3000, "json.syntax"),
        (b'{"note_id":"n","patient_id":"p"}', "json.missing"),
        (b'{"note_id":"n","patient_id":" ","text":"t"}', "json.missing"),
        (b'{"patient_id":"p","text":"t"}', "json.missing"),
        (b'{"note_id":7,"patient_id":"p","text":"t"}', "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":null}', "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":["t"]}', "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":"t","language":3}', "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":"t","timestamp":true}', "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":"t","patient":"Jane"}', "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":"","patient":{"name":[1.5]}}', "json.type"),
        (b'{"note_id":"n","patient_id":"p","text":"t","patient":{"phones":[true]}}', "json.type"),
    ],
)  # fmt: skip
def test_what_is_refused(raw, code):
    assert code_of(raw) == code


def test_errors_and_reprs_never_hold_the_input():
    with pytest.raises(NoteRejected) as error:
        json_note.parse(b'{"text": "Canary", ')
    assert "Canary" not in str(error.value)
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__
    canaries = dict.fromkeys(("text", "note_id", "patient_id", "timestamp", "x"), "Canary 12345")
    note = json_note_with({**canaries, "patient": {"name": "Canary"}}, safe_fields=("x",))
    assert "Canary" not in repr(note)
    assert "Canary" not in repr(note.envelope)


@pytest.mark.parametrize(
    "text",
    ["", " \n", "a\x00b", "L\u200be\u200be", "\u202eeeL\u202c", "\U0001f9d1\u200d\u2695\ufe0f"],
)
def test_odd_text_passes_unchanged(text):
    note = json_note_with({"text": text})
    assert note.parts[0].text == text
    assert out_of(note)["text"] == text


def test_languages():
    for value in ("es", "es-ES", "es_MX", "es-419", "ES"):
        note = json_note_with({"language": value})
        assert note.language == "es"
        assert out_of(note)["language"] == value
    assert json_note_with({"language": None}, language_default="en").language == "en"
    assert json_note_with().language == ""
    assert json_note_with({"language": "Spanish"}).language == "es"


@pytest.mark.parametrize(
    "value", ["Keller", "quackenbush", "en; Jane Doe", "zz", "4471", "en-jd", "es-617", "eng-xx"]
)
def test_what_is_no_language_is_not_passed_on(value):
    note = json_note_with({"language": value})
    assert "language" not in out_of(note)
    assert note.language == ""
    assert note.withheld == ("language",)


def test_a_file_is_one_note_a_line():
    assert json_note.split(b'\xef\xbb\xbf{"a":1}\r\n\n{"b":2}') == [b'{"a":1}\r', b'{"b":2}']


def test_sniffing():
    assert sniff(b' \n{"note_id"') == "json"
    assert sniff(b"\xef\xbb\xbfMSH|") == "hl7v2"
    assert sniff(b"\x0bMSH|") == "hl7v2"
    with pytest.raises(NoteRejected, match=r"format\.unknown"):
        sniff(b"Dear Dr. Lee")


def test_the_configuration_binds_the_formats():
    options = config.Formats(language="es", safe_fields=("ward",), max_chars=20)
    bound = FORMATS["json"](options)
    note = bound.parse(orjson.dumps({**NOTE, "ward": "4W"}))
    assert note.language == "es"
    assert orjson.loads(bound.render(note, untouched(note)))["ward"] == "4W"
    with pytest.raises(NoteRejected, match=r"note\.too_long"):
        bound.parse(orjson.dumps({**NOTE, "text": "x" * 21}))
    assert FORMATS["json"](config.Formats()).parse(orjson.dumps(NOTE)).language == ""


@pytest.mark.parametrize(
    ("name", "field"),
    [("note_date", "timestamp"), ("date", "timestamp"), ("noteDate", "timestamp"),
     ("Timestamp", "timestamp"), ("lang", "language"), ("NoteType", "note_type"),
     ("paciente", "patient"), ("fecha", "timestamp")],
)  # fmt: skip
def test_a_field_by_another_name_is_told_and_not_released(name, field):
    body = {"note_id": "n1", "patient_id": "p1", "text": "Seen.", name: "2024-05-06"}
    note = json_note.parse(orjson.dumps(body))
    plain = name.replace("_", "").lower()
    assert note.withheld == (f"{plain} (not read: the field is called {field})",)
    assert all("2024" not in part.text for part in note.parts)


@pytest.mark.parametrize(("name", "field"), [("patientId", "patient_id"), ("noteText", "text")])
def test_a_missing_field_that_has_another_name_is_told_by_it(name, field):
    body = {"note_id": "n1", "patient_id": "p1", "text": "Seen."}
    body[name] = body.pop(field)
    with pytest.raises(NoteRejected) as caught:
        json_note.parse(orjson.dumps(body))
    assert name.lower() in caught.value.detail


def test_a_name_of_a_field_that_nobody_listed_is_told_nowhere():
    body = {"note_id": "n1", "patient_id": "p1", "text": "Seen.", "Maria Kowalczyk": "x"}
    assert json_note.parse(orjson.dumps(body)).withheld == ("(other)",)
