"""One worker on the embedded broker: outcomes, absences, crashes, probes, and silence of logs."""

from __future__ import annotations

import re
import signal
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from collector import Collector
from harness import (
    PARTITIONS,
    PATIENCE_S,
    committed,
    events,
    make_topics,
    notes,
    until,
    worker,
)

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.observability.metrics import TOGETHER

CANARY = b"Zebulon Quackenbush 555-0142"


@pytest.fixture
def kafka(embedded: Kafka) -> Kafka:
    make_topics(embedded, PARTITIONS)
    return replace(embedded, member="only")


def _get(log: Path, path: str) -> tuple[int, str]:
    until(lambda: any(e["event"] == "endpoint" for e in events(log)))
    address = [e["address"] for e in events(log) if e["event"] == "endpoint"][-1]
    try:
        with urllib.request.urlopen(address + path, timeout=5) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _of(reader: LedgerReader, partition: int) -> int:
    """How many notes of a partition are out."""
    return sum(source.split("/")[1] == str(partition) for source in reader.ledger.notes)


def test_every_message_ends_in_a_note_or_a_dead_letter_and_nothing_leaks(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    feed = [CANARY, b"dead " + CANARY, b"", b"\xff\x00", b"x" * 900_000, b"crash " + CANARY]
    feed += list(notes(60))
    published = publish(kafka, feed, PARTITIONS)
    log = tmp_path / "a.log"
    only = stack.enter_context(worker(kafka, log))
    ledger = reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert reader.settle(1.0).problems(published) == {}
    assert committed(kafka, PARTITIONS) == published

    letters = [
        orjson.loads(value)
        for (topic, _), values in ledger.values.items()
        for value in values
        if topic == kafka.topic_dead
    ]
    by_code = {letter["code"]: letter for letter in letters}
    assert sorted(by_code) == ["hashing.dead", "note.crashes"]
    crash = by_code["note.crashes"]
    assert crash["source"] == {"topic": kafka.topic_in, "partition": 0, "offset": 1}
    assert crash["input_bytes"] == len(b"crash " + CANARY)
    assert only.statuses == [1, 1, 1]  # the note ended three processes, not a fourth

    status, metrics = _get(log, "/metrics")
    assert status == 200
    assert 'stream_deid_dead_letters_total{code="note.crashes"} 1.0' in metrics
    everything = log.read_bytes() + metrics.encode() + b"".join(map(orjson.dumps, letters))
    for word in CANARY.split():
        assert word not in everything
    assert any(e["event"] == "note_crashes" for e in events(log))


def test_notes_wait_for_a_service_that_is_away(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    away, log = tmp_path / "away", tmp_path / "a.log"
    away.touch()
    published = publish(kafka, notes(300), PARTITIONS)
    only = stack.enter_context(worker(kafka, log, HASHING_AWAY=str(away)))
    until(lambda: any(e["event"] == "note_waits" for e in events(log)))
    assert reader.settle(1.5).done == 0
    assert committed(kafka, PARTITIONS) == 0
    away.unlink()
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert reader.settle(0.5).problems(published) == {}
    assert only.statuses == []


def test_a_service_that_stays_away_ends_the_worker_with_75(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    away, log = tmp_path / "away", tmp_path / "a.log"
    away.touch()
    published = publish(kafka, notes(100), PARTITIONS)
    only = stack.enter_context(
        worker(kafka, log, HASHING_AWAY=str(away), STREAM_DEID_DEADLINE_S="2")
    )
    until(lambda: only.statuses)
    away.unlink()
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert reader.settle(0.5).problems(published) == {}
    assert set(only.statuses) == {75}
    codes = [e["error"][0].get("code") for e in events(log) if e["event"] == "lane_failed"]
    assert "hashing.away" in codes


def test_sigterm_while_notes_wait_ends_within_the_shutdown_deadline(
    kafka: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    away, log = tmp_path / "away", tmp_path / "a.log"
    away.touch()
    publish(kafka, notes(100), PARTITIONS)
    only = stack.enter_context(worker(kafka, log, HASHING_AWAY=str(away)))
    until(lambda: any(e["event"] == "note_waits" for e in events(log)))
    began = time.monotonic()
    assert only.stop() == 0
    assert time.monotonic() - began < 10
    assert committed(kafka, PARTITIONS) == 0


def test_a_slow_note_delays_only_what_follows_it_in_its_partition(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    published = publish(kafka, [b"lazy", *notes(300)], PARTITIONS)  # `lazy` opens partition 1
    gate = tmp_path / "gate"
    stack.enter_context(worker(kafka, tmp_path / "a.log", HASHING_GATE=str(gate)))
    reader.until(lambda _: _of(reader, 0) == _of(reader, 2) == 100, PATIENCE_S)
    assert _of(reader, 1) == 0
    gate.touch()
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert reader.settle(0.5).problems(published) == {}


def test_giants_of_one_partition_hold_up_no_other(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    """More large slow notes than there is room for, then small ones everywhere."""
    giants = publish(kafka, [b"lazy".ljust(900_000, b".")] * 12, PARTITIONS, only=1)
    log, gate = tmp_path / "a.log", tmp_path / "gate"
    stack.enter_context(worker(kafka, log, HASHING_GATE=str(gate)))
    until(lambda: "stream_deid_notes_in_flight 0.0" not in _get(log, "/metrics")[1])
    small = publish(kafka, notes(300), PARTITIONS)
    reader.until(lambda _: _of(reader, 0) == _of(reader, 2) == 100, PATIENCE_S)
    assert _of(reader, 1) == 0
    gate.touch()
    reader.until(lambda seen: seen.done >= giants + small, PATIENCE_S)
    assert reader.settle(0.5).problems(giants + small) == {}


def test_what_has_gathered_behind_a_slow_note_holds_up_no_other_partition(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    """As after an outage: more than may wait in a worker. The others stood until it was done."""
    gathered = publish(kafka, [b"lazy", *notes(6000)], PARTITIONS, only=1)
    log, gate = tmp_path / "a.log", tmp_path / "gate"
    only = stack.enter_context(worker(kafka, log, HASHING_GATE=str(gate), HASHING_DELAY_S="0.002"))
    until(lambda: "stream_deid_notes_in_flight 0.0" not in _get(log, "/metrics")[1])
    time.sleep(10.0)  # all that goes in is read
    small = publish(kafka, notes(300), PARTITIONS)
    reader.until(lambda _: _of(reader, 0) == _of(reader, 2) == 100, PATIENCE_S)
    assert _of(reader, 1) == 0
    gate.touch()
    reader.until(lambda seen: seen.done >= gathered + small, PATIENCE_S)
    assert reader.settle(0.5).problems(gathered + small) == {}
    assert only.statuses == []


def test_what_was_shed_while_everything_waited_comes_once(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    """A service is away, more gathers than may wait, and every lane drops some of it."""
    published = publish(kafka, notes(9000), PARTITIONS)
    log, away = tmp_path / "a.log", tmp_path / "away"
    away.touch()
    only = stack.enter_context(worker(kafka, log, HASHING_AWAY=str(away), HASHING_DELAY_S="0.002"))
    until(lambda: any(e["event"] == "lane_sheds" for e in events(log)))
    away.unlink()
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert reader.settle(0.5).problems(published) == {}
    assert only.statuses == []


def test_a_note_that_takes_too_long_is_a_dead_letter_and_stops_nothing(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    published = publish(kafka, [*notes(30), b"slow", *notes(30)], PARTITIONS)
    only = stack.enter_context(worker(kafka, tmp_path / "a.log", STREAM_DEID_DEADLINE_S="2"))
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert reader.settle(0.5).problems(published) == {}
    (letter,) = (v for (t, _), v in reader.ledger.values.items() if t == kafka.topic_dead)
    assert orjson.loads(letter.pop())["code"] == "note.too_slow"
    assert only.statuses == []


def test_signals_print_nothing_of_a_note(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    """SIGUSR1 printed the locals of every frame, raw notes included."""
    log, gate = tmp_path / "a.log", tmp_path / "gate"
    published = publish(kafka, [b"lazy " + CANARY], PARTITIONS)
    loud = {"PYTHONASYNCIODEBUG": "1", "PYTHONFAULTHANDLER": "1"}
    only = stack.enter_context(worker(kafka, log, HASHING_GATE=str(gate), **loud))
    until(lambda: "stream_deid_notes_in_flight 1.0" in _get(log, "/metrics")[1])
    for number in (signal.SIGUSR1, signal.SIGUSR2):
        assert only.send(number)
    ignored = {"SIGUSR1", "SIGUSR2"}
    until(lambda: {e.get("signal") for e in events(log)} >= ignored)
    gate.touch()
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert only.stop() == 0
    for word in CANARY.split():
        assert word not in log.read_bytes()


def test_a_clean_end_logs_no_error(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    log = tmp_path / "a.log"
    only = stack.enter_context(worker(kafka, log))
    published = publish(kafka, notes(30), PARTITIONS)
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    assert only.stop() == 0
    loud = [e for e in events(log) if e.get("level") in ("error", "critical")]
    assert loud == []
    assert events(log)[-1]["event"] == "drained"


def test_probes_and_metrics(
    kafka: Kafka, reader: LedgerReader, tmp_path: Path, stack: ExitStack
) -> None:
    log = tmp_path / "a.log"
    collector = stack.enter_context(Collector())
    traces = {"STREAM_DEID_TRACES__ENDPOINT": collector.url}
    only = stack.enter_context(worker(kafka, log, **traces))
    assert _get(log, "/healthz")[0] == 200
    until(lambda: _get(log, "/readyz")[0] == 200)
    published = publish(kafka, notes(90), PARTITIONS)
    reader.until(lambda seen: seen.done >= published, PATIENCE_S)
    released = re.compile(r'stream_deid_notes_total{outcome="released",.*} (\d+)')
    until(lambda: sum(map(int, released.findall(_get(log, "/metrics")[1]))) == 90)
    until(lambda: 'stream_deid_lag{partition="0"} 0.0' in _get(log, "/metrics")[1])
    metrics = _get(log, "/metrics")[1]
    assert metrics.count('stream_deid_notes_total{outcome="released",') == PARTITIONS
    assert f"stream_deid_partitions {PARTITIONS}.0" in metrics
    assert f'stream_deid_phi_total{{type="NAME"}} {float(90 // TOGETHER * TOGETHER)}' in metrics
    assert 'stream_deid_stage_seconds_count{stage="total"} 90.0' in metrics
    assert "stream_deid_notes_in_flight 0.0" in metrics
    assert _get(log, "/nothing")[0] == 404
    assert only.stop() == 0
    assert collector.names["deidentify"] == published
    assert collector.names["commit"] == published


def test_a_worker_waits_for_its_broker_and_topics(tmp_path: Path, stack: ExitStack) -> None:
    nowhere = Kafka(bootstrap="127.0.0.1:1", group="lonely")
    log = tmp_path / "a.log"
    only: Supervised = stack.enter_context(worker(nowhere, log, STREAM_DEID_DEADLINE_S="4"))
    until(lambda: only.statuses)
    assert only.statuses[0] == 75
    logged = events(log)
    assert any(e["event"] == "waiting_for_kafka" for e in logged)
    [failed] = [e for e in logged if e["event"] == "worker_failed"][:1]
    assert failed["error"][0]["code"] == "kafka.unreachable"
    only.send(signal.SIGTERM)
