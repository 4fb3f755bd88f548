"""What a message nests or repeats is gone through by loops, or refused with a code: nothing of it
costs a frame of Python's stack for each time.

The functions that call themselves on what a message holds are bounded; here they have room for a
few frames and thousands of repetitions.
"""

import inspect
import sys
from contextlib import contextmanager, suppress

import orjson
import pytest

from stream_deid.errors import NoteRejected
from stream_deid.formats.fhir import message as fhir
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.json import note as json_note
from stream_deid.formats.json.patient import known_identifiers
from stream_deid.formats.record import stated
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.surrogate.rewrite import rewrite
from stream_deid.text.edges import trimmed

ROOM = 400  # frames; a message of 60 levels needs under 300
ENGINE = Surrogates(Policy.named(), b"0123456789abcdef0123456789abcdef")
TIMES = 600
HEAD = "MSH|^~\\&|A|B|C|D|20240101||ORU^R01|X1|P|2.5\r"
LONG = [
    "12 de Octubre ", "28040 Madrid ", "Madrid, ", "S.A. ", "3/4, ", "5 and ", "de ", "twenty ",
    "(", "O'", ".", "http://a/?b=", "617-555-0123 x", "20-12345678-6 ",
]  # fmt: skip


@contextmanager
def little_room(frames: int = ROOM):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def replaced(text: str, phi: PhiType, language: str) -> None:
    note = Note("1", "2", (Part(text),), language)
    (edits,) = ENGINE.edits(note, [[Finding(0, len(text), phi, ("test",))]])
    rewrite(text, edits)


@pytest.mark.parametrize("phi", PhiType)
def test_no_span_of_any_length_nests_its_surrogate(phi):
    for language in ("en", "es"):
        replaced("Madrid 12/3/2021 Smith", phi, language)  # tables are read
        for unit in LONG:
            with little_room():
                replaced(unit * TIMES + "X1", phi, language)


def test_edges_are_trimmed_by_a_loop():
    with little_room(60):
        for opening, closing in ("()", "[]", "{}"):
            text = opening * TIMES + "Jo Doe"
            assert trimmed(text, 0, len(text), PhiType.PATIENT) == (TIMES, len(text))
            text = "Jo Doe" + closing * TIMES
            assert trimmed(text, 0, len(text), PhiType.PATIENT) == (0, len("Jo Doe"))


def nested(depth: int, kind: str, leaf: object = "7") -> bytes:
    """JSON by hand: orjson writes no such depth."""
    opening, closing = ('{"mrn":', "}") if kind == "object" else ("[", "]")
    return (opening * depth + orjson.dumps(leaf).decode() + closing * depth).encode()


def envelope(**members: bytes) -> bytes:
    own = b",".join(b'"%s":%s' % (key.encode(), value) for key, value in members.items())
    return b'{"note_id":"1","patient_id":"2","language":"en","text":"Seen.",%s}' % own


KINDS = ["object", "list"]
FIELDS = [
    "ids", "mrn", "name", "names", "address", "phone", "relatives", "doctors", "birth_date", "x",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("depth", [61, 300, 1010, 20_000])
def test_json_has_one_limit_wherever_it_is_nested(kind, depth):
    deep = nested(depth, kind)
    inner = b'{"ids":%s}' % deep
    code = r"json\.(depth|syntax)" if depth > 1000 else r"json\.depth"
    with little_room():
        for raw in (envelope(patient=inner), envelope(x=deep), envelope(text=deep)):
            with pytest.raises(NoteRejected, match=code):
                json_note.parse(raw)
        with pytest.raises(NoteRejected, match=rf"record\.unreadable: .*{code}"):
            stated(inner, {})
        with pytest.raises(NoteRejected, match=r"fhir\.(depth|syntax)"):
            fhir.parse(b'{"resourceType":"Patient","extension":%s}' % deep)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", FIELDS)
def test_a_patient_is_read_or_refused_at_every_depth_that_json_may_have(field, kind):
    for depth in range(57):
        patient = b'{"%s":%s}' % (field.encode(), nested(depth, kind))
        with little_room(150), suppress(NoteRejected):
            json_note.parse(envelope(patient=patient))


def test_a_patient_that_skips_the_limit_is_bounded_as_well():
    deep: object = "7"
    for _ in range(3000):
        deep = {"mrn": deep}
    with little_room(), pytest.raises(NoteRejected, match=r"json\.type: .*too deeply"):
        known_identifiers({"ids": deep})


@pytest.mark.parametrize("escaped", ["?", "%3F"])
def test_a_reference_within_references_is_one_address(escaped):
    link = f"Patient/1{escaped}subject=" * TIMES + "Patient/2"
    body = {"resourceType": "Observation", "subject": {"reference": f"Patient/1?x={link}"}}
    with little_room():
        fhir.parse(orjson.dumps(body))
    inner = "Patient/2"
    for _ in range(330):
        inner = "Patient/1?subject=" + inner.replace("%", "%25").replace("?", "%3F")
    with little_room():
        fhir.parse(orjson.dumps(body | {"subject": {"reference": inner}}))


@pytest.mark.parametrize("mark", ["{", "<b>", "<div><p>", "&amp;", "(", "\\T\\", "&", "^", "~"])
def test_no_document_or_field_of_hl7_nests(mark):
    for head in ("", "{\\rtf1 ", "<html>"):
        value = head + mark * TIMES + "Jo"
        for kind in ("FT", "ED", "XPN", "CX", "ST"):
            data = f"^TEXT^^A^{value}" if kind == "ED" else value
            raw = f"{HEAD}PID|1||1^^^A^MR||Doe^Jo\rOBX|1|{kind}|1||{data}\r"
            with little_room():
                hl7v2.parse(raw.encode())
