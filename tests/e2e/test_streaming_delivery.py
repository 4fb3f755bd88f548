"""Claims against a real broker: fencing, gaps, outputs that are too large, and blame."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import orjson
import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from harness import PATIENCE_S, committed, make_topics, notes

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.outcome import Dead, Released, Source
from stream_deid.rig.hashing_worker import Hashing
from stream_deid.rig.reconciliation import LedgerReader, publish
from stream_deid.streaming import suspects
from stream_deid.streaming.delivery import ClaimLost, Parcel, PartitionClaim
from stream_deid.streaming.kafka.clients import base_options
from stream_deid.streaming.kafka.offsets import Offsets


@pytest.fixture(params=["embedded", "apache"])
def kafka(request: pytest.FixtureRequest) -> Kafka:
    found: Kafka = request.getfixturevalue(request.param)
    make_topics(found, 1)
    return found


@pytest.fixture
def offsets(kafka: Kafka) -> Iterator[Offsets]:
    held = Offsets(kafka, timeout_s=10)
    yield held
    held.close()


def _claim(kafka: Kafka, offsets: Offsets) -> PartitionClaim:
    claim = PartitionClaim(kafka, 0, 1, processor=Hashing(), offsets=offsets)
    claim.open()
    return claim


def _parcel(kafka: Kafka, offset: int, size: int = 100) -> Parcel:
    outcome = Released(b"n" * size, b"key", b'{"audit":1}')
    return Parcel(Source(kafka.topic_in, 0, offset), outcome, b"raw text of a note")


def _seen(kafka: Kafka, number: int) -> LedgerReader:
    reader = LedgerReader(kafka, 1)
    reader.until(lambda ledger: ledger.done >= number, PATIENCE_S)
    reader.settle(0.5)
    return reader


def test_a_commit_delivers_once_and_moves_the_offset(kafka: Kafka, offsets: Offsets) -> None:
    publish(kafka, notes(10), 1)
    claim = _claim(kafka, offsets)
    assert claim.position == 0
    batch = [_parcel(kafka, n) for n in (2, 0, 1)]
    assert [p.source.offset for p in claim.commit(batch).delivered] == [0, 1, 2]
    assert claim.commit(batch).delivered == ()  # read again after a rebalance: already done
    assert claim.commit([*batch, _parcel(kafka, 3)]).delivered == (_parcel(kafka, 3),)
    assert committed(kafka, 1) == claim.position == 4
    reader = _seen(kafka, 4)
    assert reader.ledger.problems(4) == {}
    reader.close()


def test_no_offset_is_committed_past_a_record_that_was_skipped(
    kafka: Kafka, offsets: Offsets
) -> None:
    publish(kafka, notes(10), 1)
    claim = _claim(kafka, offsets)
    claim.commit([_parcel(kafka, 0)])
    for skipping in ([2], [1, 2, 4]):
        with pytest.raises(Halt) as refused:
            claim.commit([_parcel(kafka, n) for n in skipping])
        assert refused.value.code == "stream.gap"
    assert committed(kafka, 1) == 1
    reader = _seen(kafka, 1)
    assert reader.ledger.problems(1) == {}
    reader.close()


def test_offsets_without_a_record_are_no_gap(kafka: Kafka, offsets: Offsets) -> None:
    """A sender's transactions leave markers, and aborted records that nobody may process."""
    sender = Producer({**base_options(kafka), "transactional.id": f"{kafka.group}-sender"})
    sender.init_transactions(30)
    for commit in (True, False, True):
        sender.begin_transaction()
        sender.produce(kafka.topic_in, b"a note", partition=0)
        sender.flush(30)
        if commit:
            sender.commit_transaction(30)
        else:
            sender.abort_transaction(30)
    claim = _claim(kafka, offsets)
    first = offsets.peek(0, 0, timeout_s=20)
    assert first == 0
    second = offsets.peek(0, 1, timeout_s=20)
    assert second is not None
    assert second > 1, "the marker and the aborted record are stepped over"
    receipt = claim.commit([_parcel(kafka, first), _parcel(kafka, second)])
    assert len(receipt.delivered) == 2
    assert committed(kafka, 1) == second + 1


def test_a_newer_claim_fences_the_older(kafka: Kafka, offsets: Offsets) -> None:
    publish(kafka, notes(10), 1)
    old = _claim(kafka, offsets)
    old.commit([_parcel(kafka, 0)])
    new = _claim(kafka, offsets)
    assert new.position == 1
    with pytest.raises(ClaimLost):
        old.commit([_parcel(kafka, 1)])
    new.commit([_parcel(kafka, 1), _parcel(kafka, 2)])
    assert committed(kafka, 1) == 3
    reader = _seen(kafka, 3)
    assert reader.ledger.problems(3) == {}
    reader.close()


def test_what_another_owner_did_meanwhile_is_no_gap(kafka: Kafka, offsets: Offsets) -> None:
    """Found by `chaos`: a worker that was stopped between its claim and Faust's seek read on where
    the next owner stood, and ended with `stream.gap`.
    """
    publish(kafka, notes(10), 1)
    asleep = _claim(kafka, offsets)
    owner = _claim(kafka, offsets)
    owner.commit([_parcel(kafka, 0), _parcel(kafka, 1)])
    with pytest.raises(ClaimLost):
        asleep.commit([_parcel(kafka, 2)])
    assert committed(kafka, 1) == 2


def test_a_claim_settles_what_its_predecessor_left_open(kafka: Kafka, offsets: Offsets) -> None:
    publish(kafka, notes(5), 1)
    old = _claim(kafka, offsets)
    old._transactions._producer.begin_transaction()
    old._transactions._producer.produce(kafka.topic_out, b"half", headers=[("source", b"x/0/0")])
    old._transactions._producer.flush(20)
    new = _claim(kafka, offsets)
    new.commit([_parcel(kafka, 0)])
    reader = _seen(kafka, 1)
    assert reader.ledger.problems(1) == {}
    assert "x/0/0" not in reader.ledger.notes
    reader.close()


def test_an_output_that_is_too_large_becomes_a_dead_letter(kafka: Kafka, offsets: Offsets) -> None:
    """Refused by the client on the embedded broker, by the broker itself on Apache Kafka."""
    publish(kafka, notes(3), 1)
    kafka = replace(kafka, topic_out=f"{kafka.group}.small", max_message_bytes=2_000_000)
    small = NewTopic(kafka.topic_out, 1, 1, config={"max.message.bytes": "1000000"})
    admin = AdminClient(base_options(kafka))
    admin.create_topics([small])[kafka.topic_out].result(30)
    claim = _claim(kafka, offsets)
    size = 3_000_000 if kafka.group == "deid" else 1_900_000
    batch = [_parcel(kafka, 0), _parcel(kafka, 1, size), _parcel(kafka, 2)]
    receipt = claim.commit(batch)
    assert receipt.attempts == 2
    [dead] = [p for p in receipt.delivered if isinstance(p.outcome, Dead)]
    assert (dead.source.offset, dead.outcome.code) == (1, "output.too_large")
    reader = _seen(kafka, 3)
    assert reader.ledger.problems(3) == {}
    [letter] = reader.ledger.values[kafka.topic_dead, f"{kafka.topic_in}/0/1"]
    body = orjson.loads(letter)
    assert body["input_bytes"] == len(dead.raw)
    assert body["input_mac"] == Hashing().mac(dead.raw)
    assert dead.raw not in letter
    reader.close()


def test_blame_outlives_the_claim_until_its_note_is_past(kafka: Kafka, offsets: Offsets) -> None:
    publish(kafka, notes(10), 1)
    _claim(kafka, offsets).blame(3)
    second = _claim(kafka, offsets)
    assert (second.position, second.tries) == (0, {3: 1})
    second.commit([_parcel(kafka, 0), _parcel(kafka, 1)])
    second.blame(3)
    third = _claim(kafka, offsets)
    assert (third.position, third.tries) == (2, {3: 2})
    third.commit([_parcel(kafka, 2), _parcel(kafka, 3)])
    assert _claim(kafka, offsets).tries == {}
    assert suspects.LIMIT > 2


def test_the_group_metadata_names_no_member(kafka: Kafka, offsets: Offsets) -> None:
    """Fencing is by transactional id alone; a generation here would be a stale one."""
    assert offsets.group_metadata() == (
        b"CGMDv2:" + b"\xff\xff\xff\xff" + kafka.group.encode() + b"\0" + b"\0" + b"\x01"
    )


def test_claims_of_two_threads_leave_one_owner(kafka: Kafka, offsets: Offsets) -> None:
    publish(kafka, notes(4), 1)
    claims = [PartitionClaim(kafka, 0, 1, processor=Hashing(), offsets=offsets) for _ in range(2)]
    outcomes: list[str] = []

    def contend(claim: PartitionClaim) -> None:
        try:
            claim.open()
            claim.commit([_parcel(kafka, n) for n in range(4)])
            outcomes.append("committed")
        except ClaimLost:
            outcomes.append("lost")

    threads = [threading.Thread(target=contend, args=(claim,)) for claim in claims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "committed" in outcomes
    assert committed(kafka, 1) == 4
    reader = _seen(kafka, 4)
    assert reader.ledger.problems(4) == {}
    reader.close()


def test_who_began_and_never_said_that_it_ended_is_remembered(
    kafka: Kafka, offsets: Offsets
) -> None:
    publish(kafka, notes(10), 1)
    for _ in range(suspects.UNEXPLAINED):
        killed = _claim(kafka, offsets)
        assert not killed.alone(0)
        killed.begin()
    careful = _claim(kafka, offsets)
    assert careful.alone(0)
    assert careful.alone(9)
    careful.begin()
    careful.commit([_parcel(kafka, 0), _parcel(kafka, 1)])
    careful.attempt(2)  # killed over it
    after = _claim(kafka, offsets)
    assert (after.position, after.tries) == (2, {2: 1})
    assert [after.alone(at) for at in (2, 3)] == [True, False]


def test_who_ends_in_order_takes_back_what_it_noted(kafka: Kafka, offsets: Offsets) -> None:
    publish(kafka, notes(10), 1)
    killed = _claim(kafka, offsets)
    killed.begin()
    killed.attempt(0)
    before = offsets.start_of(0)
    assert (before.begun, before.tries) == (1, {0: 1})
    orderly = _claim(kafka, offsets)
    orderly.begin()
    orderly.attempt(0)
    assert offsets.start_of(0).tries == {0: 2}
    orderly.acquit()
    assert offsets.start_of(0) == before


def test_a_note_that_was_tried_as_often_as_it_may_is_condemned(
    kafka: Kafka, offsets: Offsets
) -> None:
    publish(kafka, notes(3), 1)
    for _ in range(suspects.LIMIT):
        killed = _claim(kafka, offsets)
        assert not killed.condemned(0)
        killed.attempt(0)
    last = _claim(kafka, offsets)
    assert last.condemned(0)
    assert not last.alone(0)
