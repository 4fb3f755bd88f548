"""Inner to outer topics on Apache Kafka: exactly once under kills, in batches, without a trace."""

from __future__ import annotations

import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from confluent_kafka import Consumer, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from harness import PATIENCE_S, make_topics, notes, worker

from stream_deid.config import Kafka, PolicySettings, Release, Settings
from stream_deid.errors import Halt, Unavailable
from stream_deid.rig.broker import free_port
from stream_deid.rig.hashing_worker import PUBLIC_KEY, Hashing
from stream_deid.rig.reconciliation import LedgerReader, environment, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.seal import AUDIT, HEADER, NOTE
from stream_deid.streaming.kafka.clients import as_they_come, base_options, create_topics
from stream_deid.streaming.releasing.mover import Mover
from stream_deid.surrogate.keys import Scope, token

PARTITIONS = 3
COUNT = 900


def mover(kafka: Kafka, outer: tuple[str, str], log: Path, *arguments: str) -> Supervised:
    """A supervised `stream-deid release` that closes a batch every two seconds, in passes."""
    env = environment(
        kafka,
        STREAM_DEID_KEYS__VALUE=PUBLIC_KEY.decode(),
        STREAM_DEID_RELEASE__TOPIC_NOTES=outer[0],
        STREAM_DEID_RELEASE__TOPIC_AUDIT=outer[1],
        STREAM_DEID_RELEASE__PERIOD_S="2",
        STREAM_DEID_RELEASE__LEAST="60",
        STREAM_DEID_RELEASE__MOST="90",
        STREAM_DEID_KAFKA__TRANSACTION_TIMEOUT_S="15",
    )
    command = [sys.executable, "-m", "stream_deid.cli", "release", *arguments]
    return Supervised(command, env=env, log=log)


def sealed(kind: str, key: bytes | None, value: bytes) -> dict[str, bytes]:
    """The headers of a record that a worker wrote, as far as `release` looks at them."""
    return {HEADER: Hashing().seal(kind, key, value)}


class Outside:
    """A recipient: reads the outer topics as anybody may."""

    def __init__(self, kafka: Kafka, outer: tuple[str, str], partitions: int = PARTITIONS) -> None:
        self.seen: dict[str, list[Message]] = {topic: [] for topic in outer}
        self._consumer = Consumer(
            {
                **base_options(kafka),
                "group.id": "outside",
                "isolation.level": "read_committed",
                "auto.offset.reset": "earliest",
            }
        )
        self._consumer.assign([TopicPartition(t, p, 0) for t in outer for p in range(partitions)])

    def until(self, count: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while min(map(len, self.seen.values())) < count:
            assert time.monotonic() < deadline, {t: len(m) for t, m in self.seen.items()}
            self._take(as_they_come(self._consumer, 500, 0.5))

    def read(self, seconds: float) -> None:
        """Read for so long, for what comes late."""
        self._take(self._consumer.consume(500, seconds))

    def _take(self, messages: list[Message]) -> None:
        for message in messages:
            if message.error() is None:
                self.seen[str(message.topic())].append(message)

    def close(self) -> None:
        self._consumer.close()


def test_every_note_goes_out_once_in_another_order_and_tells_no_time(
    apache: Kafka, tmp_path: Path
) -> None:
    outer = (f"{apache.group}.outer.notes", f"{apache.group}.outer.audit")
    make_topics(apache, PARTITIONS)
    create_topics(apache, dict.fromkeys(outer, PARTITIONS))
    with ExitStack() as stack:
        inner = LedgerReader(apache, PARTITIONS)
        stack.callback(inner.close)
        outside = Outside(apache, outer)
        stack.callback(outside.close)
        only = stack.enter_context(mover(apache, outer, tmp_path / "release.log"))
        stack.enter_context(worker(apache, tmp_path / "worker.log"))
        for part in range(3):
            publish(apache, notes(COUNT // 3, 200 + part), PARTITIONS)
            outside.until(60 + part * COUNT // 3, PATIENCE_S)
            only.kill()
        inner.until(lambda seen: seen.done >= COUNT, PATIENCE_S)
        last = f"{apache.group}.last"  # fewer than `least` wait for company
        publish(apache, (f"{last} {i}".encode() for i in range(60)), PARTITIONS)
        outside.until(COUNT + 60, PATIENCE_S)
        outside.read(3.0)
    found = outside.seen[outer[0]]
    written = {
        value for (t, _), v in inner.ledger.values.items() if t == apache.topic_out for value in v
    }
    counts = Counter(message.value() for message in found)
    assert set(counts.values()) == {1}
    assert written <= set(counts)
    assert len(outside.seen[outer[1]]) == len(found) == COUNT + 60
    assert not any(message.headers() for messages in outside.seen.values() for message in messages)
    stamps = {m.timestamp()[1] for messages in outside.seen.values() for m in messages}
    assert len(stamps) < 40
    assert all(stamp % 2000 == 0 for stamp in stamps)
    assert all(
        orjson.loads(m.value() or b"") == {"release": "hashing-1", "spans": []}
        for m in outside.seen[outer[1]]
    )  # of the test worker's audit nothing else is releasable


def settings_of(kafka: Kafka, **release: object) -> Settings:
    outer = Release(f"{kafka.group}.outer.notes", f"{kafka.group}.outer.audit")
    given = replace(outer, period_s=2.0, least=1)
    return Settings(kafka=kafka, release=replace(given, **release))  # type: ignore[arg-type]


def mover_of(kafka: Kafka, **release: object) -> Mover:
    return Mover(settings_of(kafka, **release), PUBLIC_KEY)


def sent(kafka: Kafka, count: int, first: int = 0) -> None:
    """Inner notes and audits as a worker leaves them."""
    producer = Producer(base_options(kafka))
    for n in range(first, first + count):
        note, audit = b"note %d" % n, b'{"note_id": "%d", "spans": []}' % n
        producer.produce(kafka.topic_out, note, b"p", 0, headers=sealed(NOTE, b"p", note))
        producer.produce(kafka.topic_audit, audit, None, 0, headers=sealed(AUDIT, None, audit))
    assert producer.flush(20) == 0


def with_topics(kafka: Kafka) -> Kafka:
    """With its inner and outer topics made, of one partition."""
    make_topics(kafka, 1)
    outer = settings_of(kafka).release
    create_topics(kafka, {outer.topic_notes: 1, outer.topic_audit: 1})
    return kafka


@pytest.fixture
def inner(apache: Kafka) -> Kafka:
    return with_topics(apache)


def test_what_was_deleted_before_it_went_out_is_told(inner: Kafka) -> None:
    sent(inner, 5)
    committed = TopicPartition(inner.topic_out, 0, 1)
    group = Consumer({**base_options(inner), "group.id": f"{inner.group}-release"})
    group.commit(offsets=[committed], asynchronous=False)
    group.close()
    admin = AdminClient(base_options(inner))
    (gone,) = admin.delete_records([TopicPartition(inner.topic_out, 0, 4)]).values()
    gone.result(20)
    with pytest.raises(Halt, match="3 records from offset 1 on were deleted"):
        mover_of(inner).run(threading.Event())


def test_a_topic_that_forgets_too_early_is_refused(inner: Kafka) -> None:
    mover = mover_of(inner, period_s=30 * 86_400.0)
    with pytest.raises(Halt, match=r"keeps records for 7 days; .* wait for up to 30 days and need"):
        mover.run(threading.Event())


def asked(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""
    except OSError:
        return 0, ""


def test_it_tells_what_went_out_and_what_waits(inner: Kafka, tmp_path: Path) -> None:
    sent(inner, 80)
    outer = (f"{inner.group}.outer.notes", f"{inner.group}.outer.audit")
    port = free_port()
    outside = Outside(inner, outer, 1)
    time.sleep(2.1)  # a period: all of them are in one batch
    with mover(inner, outer, tmp_path / "release.log", f"--port={port}"):
        outside.until(80, PATIENCE_S)
        sent(inner, 7)  # fewer than `least`
        wanted = {
            'stream_deid_release_records_total{kind="note"} 80.0',
            'stream_deid_release_records_total{kind="audit"} 80.0',
            "stream_deid_release_passes_total 2.0",
            "stream_deid_release_behind_seconds 0.0",
            "stream_deid_release_waiting 7.0",
        }
        deadline = time.monotonic() + PATIENCE_S
        while not wanted <= set(asked(port, "/metrics")[1].splitlines()):
            assert time.monotonic() < deadline, asked(port, "/metrics")
            time.sleep(0.2)
        assert asked(port, "/healthz")[0] == asked(port, "/readyz")[0] == 200
    outside.close()


def test_a_second_process_takes_over_from_the_first(inner: Kafka) -> None:
    sent(inner, 20)
    outside = Outside(inner, (f"{inner.group}.outer.notes", f"{inner.group}.outer.audit"), 1)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(mover_of(inner).run, threading.Event())
        outside.until(20, PATIENCE_S)
        ended = threading.Event()
        second = pool.submit(mover_of(inner).run, ended)
        sent(inner, 20)
        outside.until(40, PATIENCE_S)
        error = first.exception(60)
        ended.set()
        second.result(60)
    assert isinstance(error, Unavailable)
    assert error.code == "release.transaction"
    outside.read(2.0)
    assert {len(messages) for messages in outside.seen.values()} == {40}
    outside.close()


def a_pass_of(settings: Settings, key: bytes) -> None:
    """A process that ends when one pass of a batch is out."""
    ended = threading.Event()
    mover = Mover(settings, key)
    mover.watch.moved = lambda *_: ended.set()  # type: ignore[method-assign]
    mover.run(ended)


def test_a_key_that_is_changed_amid_a_batch_brings_each_record_once(
    inner: Kafka, tmp_path: Path
) -> None:
    sent(inner, 60)
    outside = Outside(inner, (f"{inner.group}.outer.notes", f"{inner.group}.outer.audit"), 1)
    time.sleep(2.1)  # a period: all of them are in one batch
    former = tmp_path / "former"
    former.write_bytes(PUBLIC_KEY)
    settings = settings_of(inner, most=20, former_keys=(str(former),))
    for key in (PUBLIC_KEY, b"a key that is new", b"and another of them"):
        a_pass_of(settings, key)
    with pytest.raises(Halt, match=r"release\.seal"):
        a_pass_of(settings_of(inner, most=20), b"and another of them")
    ended = threading.Event()
    with ThreadPoolExecutor(1) as pool, ExitStack() as stack:
        stack.callback(ended.set)
        last = pool.submit(mover_of(inner, most=20).run, ended)
        outside.until(60, PATIENCE_S)
        outside.read(2.0)
        ended.set()
        last.result(60)
    for messages in outside.seen.values():
        assert len({message.value() for message in messages}) == len(messages) == 60
    outside.close()


@pytest.mark.parametrize("changed", ["policy", "audit"])
def test_settings_that_would_share_a_batch_otherwise_wait_until_it_is_out(
    inner: Kafka, changed: str
) -> None:
    sent(inner, 60)
    time.sleep(2.1)
    settings, key = settings_of(inner, most=20), PUBLIC_KEY
    a_pass_of(settings, key)
    other = (
        replace(settings, policy=PolicySettings("safe-harbor"))
        if changed == "policy"
        else settings_of(inner, most=20, audit="none")
    )
    with pytest.raises(Halt, match=r"release\.other"):
        a_pass_of(other, key)
    a_pass_of(settings, key)


def test_where_notes_are_not_linked_a_note_and_its_audit_share_an_id_that_is_new(
    inner: Kafka,
) -> None:
    maker = Scope(b"the key of these tests")
    ids = {token(maker, f"note {n}"): token(maker, f"patient {n}") for n in range(30)}
    producer = Producer(base_options(inner))
    for note, patient in ids.items():
        body = {"note_id": note, "patient_id": patient, "text": "Came."}
        key, record = patient.encode(), {"note_id": note, "spans": []}
        for topic, kind, one in ((inner.topic_out, NOTE, body), (inner.topic_audit, AUDIT, record)):
            value = orjson.dumps(one)
            producer.produce(topic, value, key, 0, headers=sealed(kind, key, value))
    assert producer.flush(20) == 0
    settings = replace(settings_of(inner, most=20), policy=PolicySettings("safe-harbor"))
    outer = settings.release.topic_notes, settings.release.topic_audit
    outside, ended = Outside(inner, outer, 1), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(Mover(settings, PUBLIC_KEY).run, ended)
        outside.until(30, PATIENCE_S)
        ended.set()
        run.result(60)
    notes, audits = (
        {(body := orjson.loads(m.value() or b""))["note_id"]: (m.key(), body) for m in found}
        for found in outside.seen.values()
    )
    outside.close()
    assert {note: key for note, (key, _) in notes.items()} == {
        note: key for note, (key, _) in audits.items()
    }
    assert all(body["patient_id"].encode() == key for key, body in notes.values())
    assert len(notes) == 30
    assert not {*notes, *(key.decode() for key, _ in notes.values())} & {*ids, *ids.values()}
