"""What becomes of a note whose patients have records beside it, without a broker."""

import asyncio

import jsonschema
import orjson
import pytest

from stream_deid.config import Records, Settings
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.errors import NoteRejected, Unavailable
from stream_deid.operations.reference import records as reference
from stream_deid.outcome import Contact, PatientRecord, Source
from stream_deid.pipeline import Pipeline
from stream_deid.processor import Processor
from stream_deid.streaming.examine import Examiner
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

KEY = b"a key that is for tests alone, and long enough"


class Shelf:
    """Records by patient, in memory; it notes who was asked for."""

    away = False

    def __init__(self, **records):
        self._records = {k: orjson.dumps(v) for k, v in records.items()}
        self.asked = []

    async def of(self, patient):
        self.asked.append(patient)
        value = self._records.get(patient)
        place = {"topic": "patients", "partition": 0, "offset": len(self.asked)}
        return None if value is None else PatientRecord(value, place)

    def close(self):
        pass


def released(shelf, raw, absent="reject"):
    english = Language((Patterns("en"), KnownIdentifiers()), ())
    surrogates = Surrogates(Policy.named("expert-determination", {}), KEY, "1", "")
    pipeline = Pipeline({"en": english}, surrogates, "ruled-1")
    settings = Settings(records=Records(absent=absent))
    processor = Processor(pipeline, None, settings, KEY, records=shelf)
    return asyncio.run(processor.process(raw, Source("notes", 0, 0)))


def note(stated=None):
    text = "Wexqualm and Thornfeld sleep."
    body = {"note_id": "n", "patient_id": "p1", "language": "en", "text": text}
    return orjson.dumps(body | ({"patient": stated} if stated else {}))


def test_message_and_record_are_looked_for_together_and_the_audit_is_as_its_schema_says():
    stated = {"name": {"family": "Thornfeld"}}
    out = released(Shelf(p1={"name": {"family": "Wexqualm"}}), note(stated=stated))
    assert b"Wexqualm" not in out.note
    assert b"Thornfeld" not in out.note
    audit = orjson.loads(out.audit)
    assert audit["records"] == [{"topic": "patients", "partition": 0, "offset": 1}]
    assert audit["coverage"]["stated"] >= 2
    jsonschema.validate(audit, reference.schema("audit"))


def test_the_same_record_gives_the_same_bytes_and_another_one_other_bytes():
    one = Shelf(p1={"name": {"family": "Wexqualm"}})
    again = Shelf(p1={"name": {"family": "Wexqualm"}})
    other = Shelf(p1={"name": {"family": "Thornfeld"}})
    first = released(one, note())
    assert released(again, note()).note == first.note
    assert released(other, note()).note != first.note


def test_relatives_of_message_and_record_who_are_numbered_alike_are_two():
    shelf = Shelf(p1={"mrn": "5511", "relatives": [{"name": {"family": "Wexqualm"}}]})
    stated = {"relatives": [{"name": {"family": "Thornfeld"}}]}
    out = orjson.loads(released(shelf, note(stated=stated)).note)
    names = out["text"].removesuffix(" sleep.").split(" and ")
    assert len(set(names)) == 2
    assert not {"Wexqualm", "Thornfeld"} & set(names)


def test_a_bundle_of_two_patients_asks_for_both_and_wants_both():
    def patient(key):
        number = {"type": {"coding": [{"code": "MR"}]}, "value": key}
        return {"resource": {"resourceType": "Patient", "id": key, "identifier": [number]}}

    bundle = orjson.dumps(
        {"resourceType": "Bundle", "type": "collection", "entry": [patient("p1"), patient("p2")]}
    )
    one = {"name": {"family": "Wexqualm"}}
    both = Shelf(p1=one, p2=one)
    assert len(orjson.loads(released(both, bundle).audit)["records"]) == 2
    assert sorted(both.asked) == ["p1", "p2"]
    with pytest.raises(NoteRejected, match=r"record\.absent"):
        released(Shelf(p1=one), bundle)


def test_a_message_that_names_no_patient_has_no_record():
    raw = b'{"resourceType": "Observation", "status": "final", "code": {"text": "Pain"}}'
    with pytest.raises(NoteRejected, match=r"record\.absent"):
        released(Shelf(), raw)
    with pytest.raises(Unavailable, match=r"record\.absent"):
        released(Shelf(), raw, "wait")
    assert orjson.loads(released(Shelf(), raw, "pass").audit)["records"] == []


class Away:
    """A processor whose models answer and whose records, or registry, don't."""

    def __init__(self, code):
        self._code = code

    async def process(self, *_):
        raise Unavailable(self._code, "it is away")

    async def answers(self):
        return False

    async def contact(self):
        return Contact()


def after_the_deadline(code):
    examiner = Examiner(Away(code), Metrics(), asyncio.Event(), deadline_s=0.0)
    return asyncio.run(examiner.outcome(note(), Source("notes", 0, 0)))


@pytest.mark.parametrize("code", ["records.behind", "registry.away"])
def test_records_that_are_away_are_no_note_that_is_too_slow(code):
    with pytest.raises(Unavailable, match=code):
        after_the_deadline(code)


def test_a_record_that_never_came_is_a_dead_letter():
    assert after_the_deadline("record.absent").code == "record.absent"


def test_a_defect_over_a_record_concerns_its_patients_note(monkeypatch):
    def broken(_raw, _readers):
        raise RecursionError("Wexqualm")

    monkeypatch.setattr("stream_deid.records.stated", broken)
    with pytest.raises(NoteRejected, match=r"note\.failed: begin: RecursionError at ") as caught:
        released(Shelf(p1={"mrn": "5511"}), note())
    assert "Wexqualm" not in str(caught.value)


def test_a_record_that_is_too_deep_is_unreadable():
    deep = {"mrn": "5511"}
    for _ in range(100):
        deep = {"ids": deep}
    with pytest.raises(NoteRejected, match=r"record\.unreadable: .*json\.depth"):
        released(Shelf(p1=deep), note())
