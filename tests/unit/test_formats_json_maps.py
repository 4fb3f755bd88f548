"""JSON as sites send it: maps say where the note stands, and nothing else goes out."""

import base64
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from fhir_helpers import pipeline
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.config.settings import Formats
from stream_deid.errors import Halt, NoteRejected
from stream_deid.formats import Json
from stream_deid.formats.json import note as json_note
from stream_deid.formats.json import site_map
from stream_deid.formats.json.patient import FACTS

MAP = """
note_id = "/data/noteId"
patient_id = "/data/patient/mrn"
texts = ["/data/sections/*/text", "/data/summary"]
dates = ["/time", "/data/signed"]
keep = ["/specversion", "/type", "/data/sections/*/code"]
language = "/data/lang"
note_type = "/data/kind"
facts = "/data/patient"

[match]
"/specversion" = "*"
"/type" = "org.example.note"

[patient]
phone = "/data/callback"
"""
EVENT = {
    "specversion": "1.0",
    "type": "org.example.note",
    "source": "ehr/jane.doe",
    "time": "2024-03-15T09:30:00Z",
    "data": {
        "noteId": 77120043,
        "lang": "en",
        "kind": "progress note",
        "callback": "617-555-0142",
        "patient": {"mrn": "88123471", "last_name": "Quackenbush", "birth_date": "1943-06-12"},
        "sections": [
            {
                "code": "HPI",
                "text": "Mr. Quackenbush (MRN 88123471) was seen on 03/14/2024.",
                "by": 7,
            },
            {"code": "PLAN", "text": "Call 617-555-0142. Murmur 2/6.", "by": "Keller"},
        ],
        "signed": "2024-03-15",
    },
}


def made(tmp_path, *maps):
    names = []
    for number, text in enumerate(maps):
        names.append(tmp_path / f"{number}.toml")
        names[-1].write_text(text)
    return Json(replace(Formats(), json_maps=tuple(map(str, names))))


def released(form, body):
    note = form.parse(orjson.dumps(body))
    pipe = pipeline()
    clean, _ = pipe.finish(pipe.begin(replace(note, language=note.language or "en")), [])
    return note, orjson.loads(form.render(note, clean))


def test_a_cloud_event_keeps_its_form_and_nothing_that_the_map_does_not_name(tmp_path):
    note, out = released(made(tmp_path, MAP), EVENT)
    assert (note.note_id, note.patient_id, note.language) == ("77120043", "88123471", "en")
    assert out["specversion"] == "1.0"
    assert set(out) == {"specversion", "type", "time", "data"}
    assert set(out["data"]) == {"noteId", "patient", "sections", "signed"}
    assert set(out["data"]["patient"]) == {"mrn"}
    assert [set(one) for one in out["data"]["sections"]] == [{"code", "text"}] * 2
    assert [one["code"] for one in out["data"]["sections"]] == ["HPI", "PLAN"]
    whole = orjson.dumps(out).decode()
    for value in ("Quackenbush", "88123471", "77120043", "555-0142", "jane", "Keller", "03-15"):
        assert value not in whole
    assert "Murmur 2/6." in whole


def test_ids_are_the_pseudonyms_of_the_envelope_and_dates_move_alike(tmp_path):
    form = made(tmp_path, MAP)
    _, out = released(form, EVENT)
    plain = {
        "note_id": "77120043",
        "patient_id": "88123471",
        "text": "x",
        "timestamp": "2024-03-15",
    }
    _, enveloped = released(form, plain)
    assert out["data"]["noteId"] == enveloped["note_id"]
    assert out["data"]["patient"]["mrn"] == enveloped["patient_id"]
    assert out["data"]["signed"] == enveloped["timestamp"]
    assert out["time"] == f"{enveloped['timestamp']}T09:30:00Z"


LAB = """
note_id = "/id"
patient_id = "/mrn"
keep = ["/results/*/code", "/results/*/order", "/version"]
facts = "/patient"

[results]
"/results/*/value" = "/results/*/test"

[match]
"/results" = "*"
"""


def lab(**result):
    return {
        "id": "L-1", "mrn": "88123471", "version": "2024-03-01",
        "patient": {"last_name": "Quackenbush"}, "results": [{"code": "GLU"}, result],
    }  # fmt: skip


def test_what_a_map_keeps_is_searched_for_what_the_message_says_of_its_people(tmp_path):
    form = made(tmp_path, LAB)
    body = lab(value="5", code="MRN 88123471", order=88123471)
    _, out = released(form, body)
    assert out["version"] == "2024-03-01"  # a day of the message's own form
    assert out["results"][0]["code"] == "GLU"
    assert "88123471" not in out["results"][1]["code"]
    assert "order" not in out["results"][1]
    _, named = released(form, lab(value="5", code="QUACKENBUSH_1", order="521-64-9083"))
    assert "QUACKENBUSH" not in named["results"][1]["code"]
    assert "521-64-9083" not in named["results"][1]["order"]


def test_results_are_read_with_the_caution_of_short_values(tmp_path):
    form = made(tmp_path, LAB)
    note, _ = released(form, lab(value="2-5 Hyaline", test="Casts"))
    (part,) = (one for one in note.parts if one.examine)
    assert (part.coded, part.asked, part.path) == (True, "Casts", "/results/1/value")
    note, out = released(form, lab(value="3/14, by Mr. Quackenbush", test="Date notified"))
    (part,) = (one for one in note.parts if one.examine)
    assert not part.coded
    assert "Quackenbush" not in out["results"][1]["value"]


def test_a_day_that_a_result_tells_does_not_stay(tmp_path):
    form = made(tmp_path, LAB)
    for value, test in (("Monday", "Day of week"), ("44270", "Excel date")):
        _, out = released(form, lab(value=value, test=test))
        assert out["results"][1]["value"] != value
    _, out = released(form, lab(value="Monday", test="Dialysis days"))
    assert out["results"][1]["value"] == "Monday"


@pytest.mark.parametrize("coding", ["json", "base64", "base64+json"])
def test_what_is_encoded_is_examined_and_encoded_again(tmp_path, coding):
    inner = "Seen by Dr. Keller." if coding == "base64" else {"text": "Seen by Dr. Keller."}
    value = inner if isinstance(inner, str) else orjson.dumps(inner).decode()
    if coding.startswith("base64"):
        value = base64.b64encode(value.encode()).decode()
    where = "/payload" if coding == "base64" else "/payload/text"
    text = f'note_id = "/id"\npatient_id = "/pid"\ntexts = ["{where}"]\n'
    form = made(tmp_path, f'{text}[decode]\n"/payload" = "{coding}"\n')
    _, out = released(form, {"id": "n1", "pid": "p1", "payload": value})
    back = out["payload"]
    if coding.startswith("base64"):
        back = base64.b64decode(back).decode()
    back = back if coding == "base64" else orjson.loads(back)["text"]
    assert back.startswith("Seen by Dr. ")
    assert "Keller" not in back


def test_messages_that_no_map_takes_are_read_as_the_envelope(tmp_path):
    form = made(tmp_path, MAP)
    other = {**EVENT, "type": "org.example.other"}
    with pytest.raises(NoteRejected, match=r"json\.missing"):
        form.parse(orjson.dumps(other))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"noteId": None}, "json.missing"),
        ({"noteId": {"a": 1}}, "json.missing"),
        ({"sections": [], "summary": None}, "json.missing"),
        ({"sections": [{"text": 7}]}, "json.type"),
        ({"patient": "Quackenbush"}, "json.missing"),
        ({"signed": 7}, "json.type"),
    ],
)
def test_what_is_wrong_is_told_by_the_pointer_of_the_map(tmp_path, change, code):
    body = {**EVENT, "data": {**EVENT["data"], **change}}
    with pytest.raises(NoteRejected) as caught:
        made(tmp_path, MAP).parse(orjson.dumps(body))
    assert caught.value.code == code
    assert "/data/" in caught.value.detail
    assert "Quackenbush" not in caught.value.detail


@pytest.mark.parametrize(
    "text",
    [
        "note_id = 7",
        'note_id = "/a"\npatient_id = "/b"',
        'note_id = "a"\npatient_id = "/b"\ntexts = ["/t"]',
        'note_id = "/a"\npatient_id = "/b"\ntexts = ["/t"]\nkept = ["/x"]',
        'note_id = "/a"\npatient_id = "/b"\ntexts = ["/t"]\n[decode]\n"/t" = "gzip"',
        "note_id = ",
    ],
)
def test_a_map_that_means_nothing_is_told_before_any_message(tmp_path, text):
    with pytest.raises(Halt, match=r"json\.map.*0\.toml"):
        made(tmp_path, text)


NAMES = st.sampled_from(["noteId", "patient", "sections", "signed", "mrn", "text", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**12) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


@given(data=st.dictionaries(NAMES, VALUES))
def test_any_message_is_released_or_rejected_with_a_code(tmp_path_factory, data):
    form = made(tmp_path_factory.mktemp("maps"), MAP)
    code = "json."
    try:
        released(form, {**EVENT, "data": data})
    except NoteRejected as rejected:
        code = rejected.code
    assert code.startswith(("json.", "note."))


_WRONG = Path(__file__).parents[1] / "data" / "json_maps_wrong.tsv"
_REST = {"note_id": '"/id"', "patient_id": '"/pid"', "texts": '["/t"]'}


@pytest.mark.parametrize(
    ("line", "told"), [row.split("\t") for row in _WRONG.read_text("utf-8").splitlines()[1:]]
)
def test_a_wrong_map_is_told_with_what_to_do(line, told):
    rest = [f"{key}={value}" for key, value in _REST.items() if not line.startswith(f"{key}=")]
    with pytest.raises(Halt) as halted:
        site_map.read({"map": "\n".join([line, *rest])})
    assert told in str(halted.value)


def test_a_map_may_state_every_fact_that_the_envelope_may():
    lines = [f"{key}={value}" for key, value in _REST.items()]
    facts = [f'{fact} = "/f"' for fact in sorted(FACTS)]
    (made,) = site_map.read({"map": "\n".join([*lines, "[patient]", *facts])})
    assert made.patient.keys() == FACTS


def test_a_message_that_no_map_takes_says_so():
    (one,) = site_map.read({"map": 'note_id="/id"\npatient_id="/pid"\ntexts=["/t"]\n'
                                   'match={"/op"="c"}'})  # fmt: skip
    with pytest.raises(NoteRejected, match="no map takes it, and note_id is missing"):
        json_note.parse(b'{"op":"d","id":"1","pid":"2","t":"Zuleika"}', maps=[one])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("", '[match]\n"/op"="c"'),
        ('[match]\n"/op"="*"', '[match]\n"/op"="c"'),
        ('[match]\n"/op"="c"', '[match]\n"/op"="c"\n[headers]\nce_type="x"'),
        ('[headers]\nce_type="*"', '[headers]\nce_type="x"'),
    ],
)
def test_a_map_that_would_never_be_used_is_told(first, second):
    rest = "".join(f"{key}={value}\n" for key, value in _REST.items())
    with pytest.raises(Halt, match=r"json\.map.*second.*never be used"):
        site_map.read({"first": rest + first, "second": rest + second})
    site_map.read({"second": rest + second, "first": rest + first})


_MEANT_OTHERWISE = [
    ('decode={"/b"="base64"}', "no base64!", "json.syntax"),
    ('decode={"/b"="base64"}', "//4A", "json.syntax"),  # bytes that are no text
    ('decode={"/b"="base64+json"}', "aGVsbG8=", "json.syntax"),
    ('decode={"/b"="json"}', "{", "json.syntax"),
    ('decode={"/b"="json"}', 7, "json.type"),
    ('decode={"/b"="json"}', {"a": 1}, "json.type"),
    ('dates=["/b"]', 1710460800000, "json.type"),
    ('dates=["/b"]', ["2024-03-15"], "json.type"),
    ('messages={"/b"="hl7v2"}', "PID|1||Quackenbush", "hl7.msh"),
    ('messages={"/b"="hl7v2"}', "BHS|^~\\&|\rMSH|^~\\&|A|||||ADT^A01|1|P|2.5", "hl7.batch"),
    ('messages={"/b"="base64+hl7v2"}', "no base64!", "json.syntax"),
    ('messages={"/b"="hl7v2"}', {"resourceType": "Patient"}, "json.type"),
    ('messages={"/b"="fhir"}', {"name": "Quackenbush"}, "fhir.resource"),
    ('messages={"/b"="fhir"}', "MSH|^~\\&|", "fhir.syntax"),
    ('facts="/b"', ["Quackenbush"], "json.type"),
    ('facts="/b"', "Quackenbush", "json.type"),
    ('texts=["/b"]', {"text": "Quackenbush"}, "json.type"),
    ('note_id="/b/*"', ["n1", "n2"], "json.type"),
    ('note_id="/b"', {"id": "n1"}, "json.missing"),
]


@pytest.mark.parametrize(("line", "value", "code"), _MEANT_OTHERWISE)
def test_a_map_that_means_another_message_ends_it_with_a_code(tmp_path, line, value, code):
    rest = [f"{key}={text}" for key, text in _REST.items() if not line.startswith(f"{key}=")]
    form = made(tmp_path, "\n".join([line, *rest]))
    with pytest.raises(NoteRejected) as caught:
        form.parse(orjson.dumps({"id": "n1", "pid": "p1", "t": "Seen.", "b": value}))
    assert caught.value.code == code
    assert "Quackenbush" not in str(caught.value)


def test_a_date_that_does_not_fit_does_not_stay(tmp_path):
    rest = "".join(f"{key}={value}\n" for key, value in _REST.items())
    form = made(tmp_path, rest + 'dates=["/d"]')
    for written in ("15.03.2024", "on the ides of March, with Quackenbush", "20240315", "03/2024"):
        _, out = released(form, {"id": "n1", "pid": "p1", "t": "Seen.", "d": written})
        assert written not in orjson.dumps(out).decode()
        assert "Quackenbush" not in str(out)
