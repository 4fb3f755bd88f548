"""`trace` finds all of a note's history in real topics, and says none of its words.

The processor is the real one but for the models' scores, which are drawn (`rig.fuzz`).
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import orjson
import pytest
from confluent_kafka import Producer
from drawn import NOTES, deliver, drawn_processor, outcome, receive

from stream_deid import cli
from stream_deid.config import Kafka, Keys, Settings
from stream_deid.errors import Halt
from stream_deid.operations.trace import command, history
from stream_deid.operations.trace.events import place_of
from stream_deid.outcome import Source
from stream_deid.processor import Processor
from stream_deid.rig.fuzz import subject
from stream_deid.rig.reconciliation import environment
from stream_deid.streaming.delivery import Parcel, PartitionClaim
from stream_deid.streaming.kafka.clients import base_options, create_topics
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.replay.order import ReplayProgress, named
from stream_deid.streaming.replay.reading import BrokerView
from stream_deid.streaming.replay.sending import Sender

CANARIES = ("Quimby", "Zebulon", "555-0143", "MRN-7700")


@pytest.fixture
def processor() -> Processor:
    return drawn_processor()


@pytest.fixture(params=["embedded", "apache"])
def kafka(request: pytest.FixtureRequest, processor: Processor) -> Kafka:
    """Four notes came; three are done, one of them as a dead letter."""
    broker: Kafka = request.getfixturevalue(request.param)
    receive(broker)
    deliver(broker, processor, 3)
    return broker


def traced(kafka: Kafka, note: str, *, key: bytes = subject.KEY, since: str | None = None) -> Any:
    """(status, JSON, text) of a trace."""
    settings = Settings(kafka=kafka, keys=Keys(value=key.decode()))
    body, words = io.StringIO(), io.StringIO()
    status = command.main(settings, note, since, as_json=True, out=body)
    command.main(settings, note, since, as_json=False, out=words)
    for canary in CANARIES:
        assert canary not in body.getvalue() + words.getvalue()
    return status, orjson.loads(body.getvalue()), words.getvalue()


def test_a_released_note_by_coordinates_and_by_pseudonym(kafka: Kafka) -> None:
    status, (only,), words = traced(kafka, "0/0")
    assert status == 0
    kinds = {event["kind"]: event for event in only["events"]}
    assert set(kinds) == {"received", "released", "clean"}
    assert kinds["received"]["unchanged"] is True
    assert kinds["clean"]["unchanged"] is True
    assert kinds["released"]["types"]["DATE"] == 1
    assert only["conclusions"] == []
    assert "as the audit names it" in words
    note_id = kinds["released"]["note_id"]
    assert traced(kafka, note_id)[1] == [only]
    assert traced(kafka, f"{kafka.topic_in}/0/0", since="2020-01-01")[1] == [only]


def test_a_dead_letter(kafka: Kafka) -> None:
    status, (only,), words = traced(kafka, "0/2")
    assert status == 0
    (letter,) = (event for event in only["events"] if event["kind"] == "dead")
    assert letter["code"] == "json.syntax"
    assert letter["input_bytes"] == len(NOTES[2])
    assert "dead letter json.syntax" in words


def test_a_note_that_waits_and_one_that_never_was(kafka: Kafka) -> None:
    status, (waits,), _ = traced(kafka, "0/3")
    assert status == 0
    assert waits["conclusions"] == ["it waits: 0 offsets of its partition are before it"]
    status, (never,), _ = traced(kafka, "0/4000")
    assert status == 1
    assert "there is no such record" in never["conclusions"][0]
    unknown = 20 * "a"
    status, nothing, words = traced(kafka, unknown)
    assert (status, nothing) == (1, [])
    assert f"nothing is known of {unknown}" in words
    status, _, words = traced(kafka, "7/0")
    assert status == 1
    assert f"{kafka.topic_in} has no partition 7" in words
    status, _, words = traced(kafka, "no.such.topic/0/0")
    assert status == 1
    assert "there is no topic no.such.topic" in words


@pytest.mark.parametrize("strange", ["00ff", "MRN-7700", "0-0", "0/", "a" * 19, "0/0/0/0x"])
def test_what_is_neither_a_place_nor_a_pseudonym_is_refused_before_anybody_is_asked(
    strange: str,
) -> None:
    with pytest.raises(Halt, match=r"replay\.order.*neither"):
        command.main(Settings(), strange, None, as_json=False, out=io.StringIO())


def forged(kafka: Kafka, partition: int = 0, **headers: bytes) -> str:
    """Where somebody who may write to the topic of clean notes wrote a record."""
    placed: list[str] = []
    producer = Producer(base_options(kafka))
    producer.produce(
        kafka.topic_out, b"Quimby", partition=partition, headers=dict(headers),
        on_delivery=lambda _, at: placed.append(f"{at.topic()}/{at.partition()}/{at.offset()}"),
    )  # fmt: skip
    assert producer.flush(20) == 0
    return placed[0]


def test_the_place_of_an_output_leads_to_its_note_and_a_record_of_nobody_shows(
    kafka: Kafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, (only,), _ = traced(kafka, "0/0")
    for event in only["events"]:
        assert traced(kafka, event["at"])[:2] == (0, [only])
    monkeypatch.setattr(history, "_BEFORE_MS", -3_600_000)  # written long after the note was
    monkeypatch.setattr(history, "_AFTER_MS", 3_600_000)
    at = forged(kafka, source=f"{kafka.topic_in}/0/0".encode())
    status, (found,), words = traced(kafka, at)
    assert status == 1
    assert [e["unchanged"] for e in found["events"] if e["at"] == at] == [False]
    assert "NOT WHAT THE AUDIT NAMES" in words
    assert any("nobody of ours" in said for said in found["conclusions"])
    status, (found,), words = traced(kafka, forged(kafka))
    assert status == 1
    assert "names no message that it was made of" in words


def test_what_is_not_as_the_audit_names_it_ends_with_1(kafka: Kafka) -> None:
    status, (only,), _ = traced(kafka, "0/0", key=b"another key altogether")
    assert status == 1
    assert any("another key" in said for said in only["conclusions"])


def test_another_key_does_not_prove_the_note(kafka: Kafka) -> None:
    _, (only,), words = traced(kafka, "0/0", key=b"another key altogether")
    assert only["events"][0]["unchanged"] is False
    assert "NOT WHAT THE AUDIT NAMES" in words
    _, (bare,), _ = traced(kafka, "0/0", key=b"short")
    assert "unchanged" not in bare["events"][0]


def test_a_replay_shows_beside_what_was_live(kafka: Kafka, processor: Processor) -> None:
    mine = named(kafka, "again", live=False)
    create_topics(mine, dict.fromkeys(mine.topics[1:], 1))
    sender = Sender(mine, processor, "again", lambda _: {})
    sender.open()
    broker = BrokerView(mine, 20.0)
    sender.begin(broker.group, {(kafka.topic_in, 0): ReplayProgress(1, "digest", 1)}, [])
    source = Source(kafka.topic_in, 0, 0)
    sender.commit([Parcel(source, outcome(processor, NOTES[0], source), NOTES[0])])
    sender.finish()
    broker.close()
    _, (only,), words = traced(kafka, "0/0")
    replayed = [event for event in only["events"] if event.get("replay") == "again"]
    assert {event["kind"] for event in replayed} == {"released", "clean"}
    assert only["conclusions"] == []
    assert "replay again" in words


def test_a_note_that_came_out_twice_is_told(kafka: Kafka, processor: Processor) -> None:
    again = replace(kafka, group="another-group")
    deliver(again, processor, 1)
    status, (only,), _ = traced(kafka, "0/0")
    assert status == 1
    assert any("came out 2 times" in said for said in only["conclusions"])


def test_a_note_that_ends_processes(kafka: Kafka, processor: Processor) -> None:
    offsets = Offsets(kafka)
    claim = PartitionClaim(kafka, 0, 2, processor=processor, offsets=offsets)
    claim.open()
    claim.blame(3)
    claim.drop()
    offsets.close()
    _, (only,), _ = traced(kafka, "0/3")
    assert any("has ended 1 processes" in said for said in only["conclusions"])


def test_the_command(
    kafka: Kafka, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environment(kafka).items():
        monkeypatch.setenv(name, value)
    assert cli.main(["trace", "0/0"]) == 0
    assert "released by fuzz" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("3/1207", Source("in", 3, 1207)),
        ("notes.raw/0/9", Source("notes.raw", 0, 9)),
        ("5f0c1d2e", None),
        ("12", None),
        ("a/b", None),
    ],
)
def test_coordinates_are_told_from_pseudonyms(text: str, source: Source | None) -> None:
    assert place_of(text, "in") == source


def test_arguments_are_looked_at_before_a_broker_is_asked() -> None:
    nowhere = Settings(kafka=Kafka(bootstrap="127.0.0.1:1"))
    with pytest.raises(Halt, match=r"replay\.range"):
        command.main(nowhere, "3/1207", "yesterday", as_json=False)
