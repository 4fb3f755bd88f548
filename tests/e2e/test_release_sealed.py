"""What somebody else puts into an inner topic keeps a batch back, and good notes still go out once.

He has the right to write there, and reads all that lies there, but has no key.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from confluent_kafka import Producer
from harness import PATIENCE_S
from test_streaming_release import Outside, mover_of, sealed, sent, with_topics

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.seal import AUDIT, HEADER, NOTE, seal, seal_key
from stream_deid.streaming.kafka.clients import base_options
from stream_deid.streaming.releasing.mover import Mover

RAW, SEEN = b"Ingrid Solberg, DNI 12345678Z", b"note 3"
"""A note that nobody examined, and one of ours, which he has read."""
FOREIGN = seal(seal_key(b"a key of somebody else", ""), NOTE, b"p", RAW)
ATTACKS: dict[str, tuple[bytes | None, bytes, dict[str, bytes]]] = {
    "no seal": (b"p", RAW, {}),
    "under another key": (b"p", RAW, {HEADER: FOREIGN}),
    "of another note": (b"p", RAW, sealed(NOTE, b"p", SEEN)),
    "a note of ours for another patient": (b"q", SEEN, sealed(NOTE, b"p", SEEN)),
    "a note of ours for nobody": (None, SEEN, sealed(NOTE, b"p", SEEN)),
    "an audit as a note": (b"p", b'{"spans": []}', sealed(AUDIT, b"p", b'{"spans": []}')),
}


@pytest.fixture
def inner(apache: Kafka) -> Kafka:
    return with_topics(apache)


def put(kafka: Kafka, records: Iterable[tuple[bytes | None, bytes, dict[str, bytes]]]) -> None:
    """Into the topic of clean notes."""
    producer = Producer(base_options(kafka))
    for key, value, headers in records:
        producer.produce(kafka.topic_out, value, key, 0, headers=headers)
    assert producer.flush(20) == 0


def outside_of(kafka: Kafka) -> Outside:
    return Outside(kafka, (f"{kafka.group}.outer.notes", f"{kafka.group}.outer.audit"), 1)


def gone_out(outside: Outside, mover: Mover, count: int) -> list[set[bytes | None]]:
    """What a mover brings out, of which there must be `count` notes and audits, each once."""
    ended = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(mover.run, ended)
        try:
            outside.until(count, PATIENCE_S)
            outside.read(2.0)
        finally:
            ended.set()
        run.result(60)
    found = [{message.value() for message in seen} for seen in outside.seen.values()]
    assert [len(seen) for seen in outside.seen.values()] == [len(one) for one in found]
    return found


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_record_that_no_worker_sealed_keeps_its_batch_back_until_it_is_named(
    inner: Kafka, attack: str
) -> None:
    sent(inner, 10)
    put(inner, [ATTACKS[attack]])
    sent(inner, 20, 10)
    time.sleep(2.1)  # a period: all of them are in one batch
    outside = outside_of(inner)
    for passed_over in ((), (f"{inner.topic_out}/0/9", f"{inner.topic_audit}/0/10")):
        with pytest.raises(Halt) as halted:  # and other places don't help
            mover_of(inner, most=20, passed_over=passed_over).run(threading.Event())
        assert halted.value.code == "release.seal"
        assert f"{inner.topic_out}/0/10 " in halted.value.detail
        assert "Ingrid" not in str(halted.value)
    outside.read(2.0)
    assert not any(outside.seen.values())
    named = (f"{inner.topic_out}/0/5-15",)  # good ones among them, which go out
    notes, audits = gone_out(outside, mover_of(inner, most=20, passed_over=named), 30)
    assert notes == {b"note %d" % n for n in range(30)}
    assert len(audits) == 30
    outside.close()


def test_a_note_of_nobody_has_a_seal_that_the_broker_leaves_whole(inner: Kafka) -> None:
    sent(inner, 3)
    put(inner, ((key, b"%r" % key, sealed(NOTE, key, b"%r" % key)) for key in (None, b"", b"q")))
    time.sleep(2.1)
    outside = outside_of(inner)
    ended = threading.Event()
    mover = mover_of(inner)
    mover.watch.moved = lambda *_: ended.set()  # type: ignore[method-assign]
    mover.run(ended)
    outside.read(2.0)
    assert [len(seen) for seen in outside.seen.values()] == [6, 3]
    outside.close()
