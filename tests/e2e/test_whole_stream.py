"""The whole stream on real parts: feed and poison in, clean notes, audits and dead letters out."""

from __future__ import annotations

import os
import signal
import urllib.request
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import orjson
from harness import AGAIN_AFTER_S, PATIENCE_S, make_topics
from whole import MODELS, PARTITIONS, outputs_of, send, whole_worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.synthetic import feed, poison
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer, stub_pids

DEAD = {
    "json truncated": "json.syntax",
    "json not an object": "format.unknown",
    "json text is a number": "json.type",
    "json text is a list": "json.type",
    "json id is a number": "json.type",
    "json patient is a string": "json.type",
    "json without text": "json.missing",
    "json without ids": "json.missing",
    "json invalid utf-8": "json.encoding",
    "json lone surrogate": "json.syntax",
    "json deeply nested": "json.syntax",
    "empty message": "format.unknown",
    "not a format": "format.unknown",
    "hl7 broken MSH": "hl7.msh",
    "hl7 only MSH": "hl7.msh",
    "hl7 equal delimiters": "hl7.msh",
    "hl7 unknown charset": "hl7.charset",
    "hl7 invalid bytes": "hl7.encoding",
    "hl7 two in one": "hl7.batch",
}
"""What can't be processed, and the code of its dead letter; all other poison is released."""


def _begin(kafka: Kafka, stack: ExitStack) -> LedgerReader:
    make_topics(kafka, PARTITIONS)
    reader = LedgerReader(kafka, PARTITIONS, AGAIN_AFTER_S)
    stack.callback(reader.close)
    return reader


def _settled(reader: LedgerReader, count: int, seconds: float = PATIENCE_S):
    reader.until(lambda ledger: ledger.done >= count, seconds)
    ledger = reader.settle(1.0)
    assert ledger.problems(count) == {}
    return ledger


def _by_source(reader: LedgerReader, topic: str) -> dict[str, bytes]:
    return {
        source: next(iter(values))
        for (place, source), values in reader.ledger.values.items()
        if place == topic
    }


def _metrics(log: Path) -> str:
    events = [orjson.loads(line) for line in log.read_bytes().splitlines() if line[:1] == b"{"]
    address = next(e["address"] for e in events if e["event"] == "endpoint")
    with urllib.request.urlopen(f"{address}/metrics", timeout=10) as answer:  # noqa: S310 - ours
        return answer.read().decode()


def test_poison_ends_as_a_note_or_a_dead_letter_and_nothing_tells(
    embedded: Kafka, server: LocalServer, tmp_path: Path, stack: ExitStack
) -> None:
    reader = _begin(embedded, stack)
    bad, good = dict(poison()), list(feed(40, 11))
    named = {message.value: name for name, message in bad.items()}
    placed = send(embedded, [*named, *(message.value for message in good)])
    log = tmp_path / "worker.log"
    stack.enter_context(whole_worker(embedded, server.url, log))
    _settled(reader, len(placed))

    notes, dead = _by_source(reader, embedded.topic_out), _by_source(reader, embedded.topic_dead)
    codes = {named[placed[place]]: orjson.loads(letter)["code"] for place, letter in dead.items()}
    assert codes == DEAD
    assert all(place in notes for place, value in placed.items() if value not in named)

    audits = _by_source(reader, embedded.topic_audit)
    told = b"".join([log.read_bytes(), _metrics(log).encode(), *dead.values(), *audits.values()])
    secrets = {text for m in (*bad.values(), *good) for text in m.expected if len(text) > 5}
    assert not [text for text in sorted(secrets) if text.encode() in told]
    canary = b"Quartermaine"
    assert not [place for place, value in notes.items() if canary in value]


def test_processed_twice_byte_for_byte_the_same(
    embedded: Kafka, server: LocalServer, tmp_path: Path, stack: ExitStack
) -> None:
    """Another worker, hash seed, batch size and concurrency; the same bytes by coordinates."""
    first = _begin(embedded, stack)
    placed = send(embedded, (message.value for message in feed(45, 5)))
    with whole_worker(embedded, server.url, tmp_path / "a.log", PYTHONHASHSEED="1"):
        _settled(first, len(placed))
    again = outputs_of(embedded, "again")
    second = _begin(again, stack)
    other = {"PYTHONHASHSEED": "2", "STREAM_DEID_TRITON__MAX_IN_FLIGHT": "1"}
    small = {"STREAM_DEID_KAFKA__BATCH": "3"}
    with whole_worker(again, server.url, tmp_path / "b.log", **{**other, **small}):
        _settled(second, len(placed))
    for one, two in (
        (embedded.topic_out, again.topic_out),
        (embedded.topic_audit, again.topic_audit),
    ):
        assert _by_source(first, one) == _by_source(second, two)


def test_notes_wait_while_triton_is_killed(
    embedded: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    """Kill -9 of a model's process, then of the server; every note once, each with its audit."""
    names = [name for models in MODELS.values() for name in models]
    server = stack.enter_context(LocalServer(manifest.repository(), names, threads=1, restarts=10))
    reader = _begin(embedded, stack)
    placed = send(embedded, (message.value for message in feed(120, 9)))
    stack.enter_context(
        whole_worker(embedded, server.url, tmp_path / "w.log", STREAM_DEID_KAFKA__BATCH="8")
    )
    reader.until(lambda ledger: ledger.done >= 20, PATIENCE_S)
    os.kill(next(iter(stub_pids(server.pid).values())), signal.SIGKILL)
    reader.until(lambda ledger: ledger.done >= 60, PATIENCE_S)
    os.kill(server.pid, signal.SIGKILL)
    _settled(reader, len(placed))


def test_the_worker_killed_in_mid_batch(
    embedded: Kafka, server: LocalServer, tmp_path: Path, stack: ExitStack
) -> None:
    reader = _begin(embedded, stack)
    placed = send(embedded, (message.value for message in feed(120, 13)))
    static = replace(embedded, member="only", batch=8)
    only = stack.enter_context(whole_worker(static, server.url, tmp_path / "w.log"))
    for done in (20, 70):
        reader.until(lambda ledger, done=done: ledger.done >= done, PATIENCE_S)
        only.kill()
    _settled(reader, len(placed))
