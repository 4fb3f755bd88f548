"""Records of patients beside their notes, on a real broker: what was written before a note is known
in it, what was removed isn't, and what can't be read in time is never taken for absent.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from harness import PATIENCE_S, make_topics
from with_records import open_ruled

from stream_deid.config import Kafka, Settings
from stream_deid.config import Records as Policy
from stream_deid.errors import Halt, NoteRejected, Unavailable
from stream_deid.outcome import Released, Source
from stream_deid.rig.reconciliation import LedgerReader, environment, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import base_options, producer_options
from stream_deid.streaming.kafka.records import TopicRecords

NAME = "Wexqualm"
RECORD = orjson.dumps({"name": {"family": NAME}, "mrn": "88-Q7-4410"})
PARTITIONS = 2


def note(patient: str = "p1", text: str = f"{NAME} sleeps well. Chart 88-Q7-4410.") -> bytes:
    body = {"note_id": "n1", "patient_id": patient, "language": "en", "text": text}
    return orjson.dumps(body)


@pytest.fixture
def kafka(apache: Kafka) -> Kafka:
    """Topics of notes, and one of records that is compacted."""
    kafka = replace(apache, topic_records=f"{apache.group}.patients")
    make_topics(kafka, PARTITIONS)
    config = {"cleanup.policy": "compact,delete", "retention.ms": "-1"}
    topic = NewTopic(kafka.topic_records, PARTITIONS, 1, config=config)
    admin = AdminClient(base_options(kafka))
    (made,) = admin.create_topics([topic], operation_timeout=20).values()
    made.result(20)
    return kafka


class Hospital:
    """Writes records, opens what reads them, and has notes examined."""

    def __init__(self, kafka: Kafka) -> None:
        self.kafka = kafka
        self._producer = Producer(base_options(kafka))
        self._open: list[TopicRecords] = []

    def write(self, patient: str, value: bytes | None, partition: int = 0) -> None:
        self._producer.produce(self.kafka.topic_records, value, patient.encode(), partition)
        assert self._producer.flush(30) == 0

    def opened(self, **policy: object) -> TopicRecords:
        records = TopicRecords(self.settings(**policy), timeout_s=5.0)
        records.open()
        self._open.append(records)
        return records

    def settings(self, **policy: object) -> Settings:
        return Settings(kafka=self.kafka, records=Policy(**policy))

    def examined(self, records: TopicRecords, raw: bytes, **policy: object) -> Released:
        processor = open_ruled(self.settings(**policy), records=records)
        outcome = asyncio.run(processor.process(raw, Source("notes", 0, 7)))
        assert isinstance(outcome, Released)
        return outcome

    def close(self) -> None:
        for records in self._open:
            records.close()


@pytest.fixture
def hospital(kafka: Kafka) -> Iterator[Hospital]:
    hospital = Hospital(kafka)
    yield hospital
    hospital.close()


def audit_of(outcome: Released) -> list[dict[str, object]]:
    return orjson.loads(outcome.audit)["records"]


def test_what_a_record_states_is_known_in_a_note_that_states_nothing(hospital):
    hospital.write("p1", RECORD)
    records = hospital.opened()
    out = hospital.examined(records, note())
    assert NAME.encode() not in out.note
    assert b"4410" not in out.note
    topic = hospital.kafka.topic_records
    assert audit_of(out) == [{"topic": topic, "partition": 0, "offset": 0}]
    assert NAME.encode() not in out.audit


def test_a_record_that_is_written_before_a_note_is_taken_is_seen_without_waiting(hospital):
    records = hospital.opened()
    for number in range(20):  # in every partition, whatever lies in between
        name, patient = f"Wex{'abcdefghijklmnopqrst'[number]}ualm", f"p1-{number}"
        hospital.write(patient, orjson.dumps({"name": {"family": name}}), number % PARTITIONS)
        hospital.write("p2", RECORD)
        out = hospital.examined(records, note(patient, f"{name} sleeps well."))
        assert name.encode() not in out.note


def test_a_removed_record_is_absent_and_a_new_one_is_there_again(hospital):
    hospital.write("p1", RECORD)
    records = hospital.opened()
    hospital.examined(records, note())
    hospital.write("p1", None)
    with pytest.raises(NoteRejected, match=r"record\.absent"):
        hospital.examined(records, note())
    hospital.write("p1", RECORD)
    hospital.examined(records, note())


def test_without_a_record_the_policy_decides(hospital):
    records = hospital.opened()
    with pytest.raises(NoteRejected, match=r"record\.absent"):
        hospital.examined(records, note("p3"))
    with pytest.raises(Unavailable, match=r"record\.absent"):
        hospital.examined(records, note("p3"), absent="wait")
    out = hospital.examined(records, note("p3"), absent="pass")
    assert audit_of(out) == []


def test_the_record_of_somebody_else_is_nobody_s(hospital):
    hospital.write("p2", RECORD)
    records = hospital.opened()
    out = hospital.examined(records, note("p1"), absent="pass")
    assert audit_of(out) == []
    assert NAME.encode() in out.note  # nothing else here would have found it


@pytest.mark.parametrize("value", [b"{", b"[]", b'{"colour": "blue"}', b"hello", b'{"name": 3.5}'])
def test_a_record_that_says_nothing_that_is_understood_rejects_the_note(hospital, value):
    hospital.write("p1", value)
    records = hospital.opened()
    with pytest.raises(NoteRejected, match=r"record\.unreadable"):
        hospital.examined(records, note(), absent="pass")


def test_a_fhir_patient_and_an_hl7_message_are_records_too(hospital):
    patient = {"resourceType": "Patient", "id": "x", "name": [{"family": NAME, "given": ["Ada"]}]}
    hospital.write("p1", orjson.dumps(patient))
    adt = f"MSH|^~\\&|A|B|C|D|20240101||ADT^A08|1|P|2.5\rPID|1||p2^^^H^MR||{NAME}^Ada\r"
    hospital.write("p2", adt.encode())
    records = hospital.opened()
    for one in ("p1", "p2"):
        assert NAME.encode() not in hospital.examined(records, note(one)).note


def test_a_record_behind_an_open_transaction_is_waited_for_and_then_seen(hospital):
    """Nobody may say yet whether it is there: until the transaction ends the note waits."""
    records = hospital.opened()
    pending = Producer(producer_options(hospital.kafka, f"{hospital.kafka.group}-adt"))
    pending.init_transactions(30)
    pending.begin_transaction()
    pending.produce(hospital.kafka.topic_records, RECORD, b"p1", 0)
    assert pending.flush(30) == 0
    with pytest.raises(Unavailable, match=r"records\.behind"):
        hospital.examined(records, note(), absent="pass")
    assert records.away
    pending.commit_transaction(30)
    assert NAME.encode() not in hospital.examined(records, note()).note
    assert not records.away


def test_an_aborted_record_is_none(hospital):
    records = hospital.opened()
    pending = Producer(producer_options(hospital.kafka, f"{hospital.kafka.group}-adt"))
    pending.init_transactions(30)
    pending.begin_transaction()
    pending.produce(hospital.kafka.topic_records, RECORD, b"p1", 0)
    assert pending.flush(30) == 0
    pending.abort_transaction(30)
    assert audit_of(hospital.examined(records, note(), absent="pass")) == []


def test_what_retention_has_deleted_is_absent(hospital):
    hospital.write("p1", RECORD)
    records = hospital.opened()
    end = [TopicPartition(hospital.kafka.topic_records, 0, 1)]
    admin = AdminClient(base_options(hospital.kafka))
    (deleted,) = admin.delete_records(end).values()
    deleted.result(20)
    assert audit_of(hospital.examined(records, note(), absent="pass")) == []


def test_more_patients_than_memory_is_meant_for_end_the_process(hospital):
    for number in range(4):
        hospital.write(f"p{number}", RECORD)
    with pytest.raises(Halt, match=r"records\.too_many"):
        hospital.opened(most=3)


def test_nothing_of_a_record_is_remembered(hospital):
    hospital.write("p-remembered-nowhere", RECORD)
    records = hospital.opened()
    hospital.examined(records, note("p-remembered-nowhere"))
    index = records._log.index
    assert len(index) == 1
    assert all(isinstance(item, int) for pair in index._places.items() for item in pair)


def test_a_worker_that_is_killed_reads_the_records_anew(kafka, hospital, tmp_path: Path):
    """Notes of three patients: one with a record, one whose record comes late, one without."""
    hospital.write("p1", RECORD)
    log = tmp_path / "worker.log"
    env = environment(
        kafka,
        STREAM_DEID_KAFKA__TOPIC_RECORDS=kafka.topic_records,
        STREAM_DEID_RECORDS__ABSENT="wait",
        STREAM_DEID_DEADLINE_S="20",
        PYTHONPATH=str(Path(__file__).parents[2]),
    )
    program = str(Path(__file__).with_name("with_records.py"))
    reader = LedgerReader(kafka, PARTITIONS)
    with Supervised([sys.executable, program], env=env, log=log) as worker:
        publish(kafka, [note("p1")], PARTITIONS)
        reader.until(lambda ledger: ledger.done == 1, PATIENCE_S)
        worker.kill()
        publish(kafka, [note("p2"), note("p3")], PARTITIONS)
        hospital.write("p2", RECORD)
        ledger = reader.until(lambda ledger: ledger.done == 3, PATIENCE_S)
    reader.close()
    assert ledger.problems(3) == {}
    values = {topic: [] for topic in kafka.topics}
    for (topic, _), found in ledger.values.items():
        values[topic] += found
    assert len(values[kafka.topic_out]) == 2
    assert not any(NAME.encode() in one for one in values[kafka.topic_out])
    (letter,) = values[kafka.topic_dead]
    assert orjson.loads(letter)["code"] == "record.absent"
    told = log.read_text()
    assert told.count('"records_read"') == 2
    assert NAME not in told
    assert "88-Q7" not in told  # "4410" alone may be a port's
