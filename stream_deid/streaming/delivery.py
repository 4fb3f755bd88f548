"""Exactly once: clean note, audit record (or dead letter) and input offset in one transaction.

One transactional producer serves each input partition that this worker owns; owning it is a
`Claim`. The rules, each of which is tried under kills in `tests/e2e`:

1. A claim is opened before anything is read from its partition. `init_transactions` fences the
   partition's previous owner and settles what it left open; only then is the committed offset
   asked for, so that it can't move any more. It becomes the claim's `position`.
2. Only a transaction of the claim moves the group's offset, and `position` moves with it.
   (Faust's own offset commits are switched off, see `app.py`: a late one would set it back.)
3. No offset is committed past a record that was not processed. Records below `position` are
   done; a hole in the offsets of a batch is looked into (`Offsets.next_record`) and must hold
   no record, else the commit is refused and the process ends.
4. A claim that was replaced or fenced commits nothing: its notes belong to the next owner.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Message, Producer, TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Halt, Unavailable
from stream_deid.outcome import Dead, Outcome, Processor, Released, Source
from stream_deid.streaming import suspects
from stream_deid.streaming.deadletter import render
from stream_deid.streaming.kafka.clients import producer_options
from stream_deid.streaming.kafka.offsets import Offsets

_FENCED = frozenset(
    {
        KafkaError._FENCED,  # noqa: SLF001 - librdkafka's public local codes carry an underscore
        KafkaError.INVALID_PRODUCER_EPOCH,
        KafkaError.INVALID_PRODUCER_ID_MAPPING,
        KafkaError.PRODUCER_FENCED,
    }
)
_TOO_LARGE = frozenset({KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.RECORD_LIST_TOO_LARGE})

_Headers = list[tuple[str, str | bytes | None]]


class ClaimLost(Exception):
    """Another owner has claimed the partition: nothing was committed, the notes are its own."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One processed note on its way out, with the message that it came from."""

    source: Source
    outcome: Outcome
    raw: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a commit did: the parcels as they were delivered, and how often it was tried."""

    delivered: tuple[Parcel, ...]
    attempts: int


@dataclass(slots=True)
class _Attempt:
    """Delivery reports of one transaction: its first error, and which parcels are too large."""

    error: KafkaError | None = None
    oversized: set[int] = field(default_factory=set)

    def report(self, index: int) -> Callable[[KafkaError | None, Message | None], None]:
        def on_delivery(error: KafkaError | None, _message: Message | None) -> None:
            if error is None:
                return
            self.error = self.error or error
            if error.code() in _TOO_LARGE:
                self.oversized.add(index)

        return on_delivery


class Claim:
    """The right to process one input partition, held until another claim of it is opened.

    Blocking; meant for threads, one call at a time. `broken` says that a batch of this claim
    was dropped, so that no later batch of it may be committed.
    """

    def __init__(
        self,
        kafka: Kafka,
        partition: int,
        generation: int,
        *,
        processor: Processor,
        offsets: Offsets,
    ) -> None:
        self.partition = partition
        self.generation = generation
        self.position = -1
        self.expired = 0
        self.broken = False
        self.tries: dict[int, int] = {}
        self._kafka = kafka
        self._processor = processor
        self._release = processor.release.encode()
        self._offsets = offsets
        self._timeout = kafka.transaction_timeout_s
        name = f"{kafka.group}-{kafka.topic_in}-{partition}"
        self._producer = Producer(producer_options(kafka, name))

    def open(self) -> None:
        """Fence the previous owner, then learn where to go on (rule 1).

        Raises `ClaimLost`, `Unavailable("kafka.transaction")`.
        """
        deadline = time.monotonic() + self._timeout
        _settled(self._producer.init_transactions, deadline)
        try:
            start = self._offsets.start_of(self.partition)
        except KafkaException as error:
            raise _unavailable(error.args[0]) from None
        self.position, self.expired, self.tries = start.position, start.expired, start.tries

    def pending(self, parcels: Sequence[Parcel]) -> tuple[Parcel, ...]:
        """The parcels not yet committed, in offset order, each once."""
        fresh = {p.source.offset: p for p in parcels if p.source.offset >= self.position}
        return tuple(fresh[offset] for offset in sorted(fresh))

    def commit(self, parcels: Sequence[Parcel]) -> Receipt:
        """Deliver parcels of this partition and move its offset, all or nothing.

        1. Leave out what is already committed; refuse a batch that skips a record (rule 3).
        2. Begin a transaction.
        3. Produce each note and its audit record, or its dead letter.
        4. Await every delivery report. A record too large for the broker: abort, make its note
           a dead letter, start again.
        5. Add the input offset to the transaction.
        6. Commit; on an error that allows it abort and start again, until the deadline.
        7. Move `position`.

        Raises `ClaimLost` (rule 4), `Halt("stream.gap")`, `Unavailable("kafka.transaction")`.
        """
        batch = self.pending(parcels)  # 1
        if not batch:
            return Receipt((), 0)
        self._refuse_gaps(batch)
        deadline = time.monotonic() + self._timeout
        attempts = 0
        while True:
            attempts += 1
            attempt = _Attempt()
            try:
                self._transaction(batch, attempt, deadline)
            except KafkaException as error:
                self._recover(error.args[0], deadline)
                batch = _without_oversized(batch, attempt.oversized)
            else:
                self.position = batch[-1].source.offset + 1  # 7
                return Receipt(batch, attempts)

    def blame(self, offset: int) -> None:
        """Note in the committed offset's metadata that the note at `offset` ends processes.

        Raises as `commit` does; the offset itself stays where it is.
        """
        self.tries[offset] = self.tries.get(offset, 0) + 1
        deadline = time.monotonic() + self._timeout
        try:
            self._producer.begin_transaction()
            self._add_offset(self.position, deadline)
            _settled(self._producer.commit_transaction, deadline)
        except KafkaException as error:
            self._recover(error.args[0], deadline)

    def drop(self) -> None:
        """Forget the producer; an open transaction is settled by the next claim."""
        self._producer.purge()

    def _refuse_gaps(self, batch: Sequence[Parcel]) -> None:
        expected = self.position
        for parcel in batch:
            offset = parcel.source.offset
            if offset != expected:
                found = self._offsets.next_record(self.partition, expected, offset)
                if found != offset:
                    raise Halt(
                        "stream.gap",
                        f"offset {found} of partition {self.partition} was not processed",
                    )
            expected = offset + 1

    def _transaction(self, batch: Sequence[Parcel], attempt: _Attempt, deadline: float) -> None:
        self._producer.begin_transaction()  # 2
        for index, parcel in enumerate(batch):  # 3
            self._produce(parcel, attempt, index, deadline)
        while self._producer.flush(0.5) and attempt.error is None:  # 4
            _check(deadline)
        if attempt.error is not None:
            raise KafkaException(attempt.error)
        self._add_offset(batch[-1].source.offset + 1, deadline)  # 5
        _settled(self._producer.commit_transaction, deadline)  # 6

    def _add_offset(self, offset: int, deadline: float) -> None:
        place = TopicPartition(
            self._kafka.topic_in, self.partition, offset, suspects.encode(self.tries, offset)
        )
        group = self._offsets.group_metadata()
        _settled(
            lambda left: self._producer.send_offsets_to_transaction([place], group, left),
            deadline,
        )

    def _produce(self, parcel: Parcel, attempt: _Attempt, index: int, deadline: float) -> None:
        source, outcome = parcel.source, parcel.outcome
        place = f"{source.topic}/{source.partition}/{source.offset}".encode()
        headers: _Headers = [("source", place), ("release", self._release)]
        if isinstance(outcome, Released):
            records = [
                (self._kafka.topic_out, outcome.key, outcome.note),
                (self._kafka.topic_audit, outcome.key, outcome.audit),
            ]
        else:
            letter = render(
                asdict(source),
                outcome,
                mac=self._processor.mac(parcel.raw),
                size=len(parcel.raw),
                release=self._processor.release,
            )
            records = [(self._kafka.topic_dead, place, letter)]
        report = attempt.report(index)
        for topic, key, value in records:
            try:
                self._enqueue(
                    {"topic": topic, "key": key, "value": value, "headers": headers,
                     "on_delivery": report},
                    deadline,
                )  # fmt: skip
            except KafkaException as error:
                report(error.args[0], None)
                raise

    def _enqueue(self, record: dict[str, Any], deadline: float) -> None:
        while True:
            try:
                self._producer.produce(**record)
            except BufferError:
                self._producer.poll(0.1)
                _check(deadline)
            else:
                self._producer.poll(0)
                return

    def _recover(self, error: KafkaError, deadline: float) -> None:
        """Abort, so that the transaction can be tried again; or say why it can't."""
        if error.code() in _FENCED or error.fatal():
            raise ClaimLost(f"{self.partition}: {error.name()}")
        _check(deadline, error)
        try:
            self._producer.purge(in_flight=False)
            _settled(self._producer.abort_transaction, deadline)
            time.sleep(0.1)  # what failed is seldom better at once
        except KafkaException as failed:
            inner = failed.args[0]
            if inner.code() in _FENCED or inner.fatal():
                raise ClaimLost(f"{self.partition}: {inner.name()}") from None
            raise _unavailable(inner) from None


def _without_oversized(batch: tuple[Parcel, ...], oversized: set[int]) -> tuple[Parcel, ...]:
    """Make the largest note of those that the broker refuses for their size a dead letter.

    One at a time, for smaller records may have been refused only because they shared its
    request.
    """
    if not oversized:
        return batch
    worst = max(sorted(oversized), key=lambda index: _size(batch[index].outcome))
    dead = Dead("output.too_large", "the broker refuses an output of this size")
    return (*batch[:worst], replace(batch[worst], outcome=dead), *batch[worst + 1 :])


def _size(outcome: Outcome) -> int:
    return max(len(outcome.note), len(outcome.audit)) if isinstance(outcome, Released) else 0


def _settled(call: Callable[[float], Any], deadline: float) -> None:
    """Call until it is settled: a retriable error or a timeout asks for the same call again."""
    while True:
        try:
            call(max(0.1, min(5.0, deadline - time.monotonic())))
        except KafkaException as error:
            if not error.args[0].retriable():
                raise
            _check(deadline, error.args[0])
            time.sleep(0.05)
        else:
            return


def _check(deadline: float, error: KafkaError | None = None) -> None:
    if time.monotonic() > deadline:
        raise _unavailable(error)


def _unavailable(error: KafkaError | None) -> Unavailable:
    reason = error.name() if error is not None else "no answer"
    return Unavailable("kafka.transaction", f"the transaction could not be settled: {reason}")
