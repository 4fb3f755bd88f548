"""Exactly once: clean note, audit record (or dead letter) and input offset in one transaction.

One transactional producer serves each input partition that this worker owns; owning it is a
`PartitionClaim`. The rules, each of which is tried under kills in `tests/e2e`:

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from confluent_kafka import KafkaException, TopicPartition

from stream_deid import seal
from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.outcome import AnyProcessor, Dead, Outcome, Released, Source
from stream_deid.streaming import suspects
from stream_deid.streaming.deadletter import render
from stream_deid.streaming.kafka.offsets import Offsets, Start
from stream_deid.streaming.kafka.transactions import ClaimLost, Record, Transactions, unavailable
from stream_deid.streaming.observability.traces import HEADER, Trace

__all__ = ["ClaimLost", "Parcel", "PartitionClaim", "Receipt"]


_BATCHES = 3  # how many batches' worth of notes is in hand: the models must not idle


def most_in_hand(kafka: Kafka) -> int:
    """How many notes are processed at once at the most, over all partitions."""
    return _BATCHES * kafka.batch


@dataclass(frozen=True, slots=True)
class Parcel:
    """One processed note on its way out, with the message that it came from."""

    source: Source
    outcome: Outcome
    raw: bytes = field(repr=False)
    trace: Trace | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a commit did: the parcels as they were delivered, and how often it was tried."""

    delivered: tuple[Parcel, ...]
    attempts: int


class PartitionClaim:
    """The right to process one input partition, held until another claim of it is opened.

    Blocking; meant for threads, one call at a time. `suspect`: its producer may hang, and is
    to be replaced before it is used again.
    """

    def __init__(
        self,
        kafka: Kafka,
        partition: int,
        generation: int,
        *,
        processor: AnyProcessor,
        offsets: Offsets,
    ) -> None:
        self.partition = partition
        self.generation = generation
        self.position = -1
        self.expired = 0
        self.suspect = False
        self.tries: dict[int, int] = {}
        self._start = Start(-1, 0, {})
        self._begun = False
        self._tried: int | None = None
        self._empty: dict[int, int] = {}
        self._kafka = kafka
        self._processor = processor
        self._offsets = offsets
        self._timeout = kafka.transaction_timeout_s
        self._transactions = Transactions(kafka, f"{kafka.group}-{kafka.topic_in}-{partition}")

    def open(self) -> None:
        """Fence the previous owner, then learn where to go on (rule 1).

        Raises `ClaimLost`, `Unavailable("kafka.transaction")`.
        """
        mine = self._transactions
        mine.open(time.monotonic() + self._timeout)
        try:
            start = self._offsets.start_of(self.partition)
        except KafkaException as error:
            raise unavailable(error.args[0]) from None
        if mine is self._transactions:
            self.position, self.expired, self.tries = start.position, start.expired, start.tries
            self._start, self._begun, self._tried = start, False, None

    def overdue(self) -> bool:
        """Whether a call to the broker hangs beyond its time; may be asked from any thread."""
        return self._transactions.overdue()

    def replace(self) -> None:
        """Take a fresh producer in place of one that hangs; `open` comes next. What the old one
        still does is fenced then (rule 4), and what it has done shows in the committed offset.
        """
        self._transactions = self._transactions.replaced()
        self.suspect = False

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
        batch, mine = self.pending(parcels), self._transactions  # 1
        if not batch:
            return Receipt((), 0)
        self._refuse_gaps(batch)
        deadline = time.monotonic() + self._timeout
        attempts = 1
        while failed := mine.run(  # 2 to 6
            self._records(batch),
            [self._place(batch[-1].source.offset + 1)],
            self._offsets.group_metadata(),
            deadline,
        ):
            attempts += 1
            batch = without_oversized(batch, failed.oversized)
        if mine is not self._transactions:
            raise ClaimLost(f"{self.partition}: replaced while it hung")
        self.position = batch[-1].source.offset + 1  # 7
        return Receipt(batch, attempts)

    def blame(self, offset: int) -> None:
        """Note in the committed offset's metadata that the note at `offset` ends processes.

        Raises as `commit` does; the offset itself stays where it is.
        """
        self.tries[offset] = self.tries.get(offset, 0) + 1
        self._tried = None if self._tried == offset else self._tried
        self._note()

    def alone(self, offset: int) -> bool:
        """Whether the note at `offset` may be what ended processes, and is taken alone: it was
        tried, or is among the first that were in hand when some ended without a word.
        """
        if self.condemned(offset):
            return False
        reach = max(self.tries, default=-1)
        if self._start.begun >= suspects.UNEXPLAINED:
            reach = max(reach, self._start.position + most_in_hand(self._kafka) - 1)
        return offset <= reach

    def condemned(self, offset: int) -> bool:
        """Whether the note at `offset` has ended as many processes as it may."""
        return self.tries.get(offset, 0) >= suspects.LIMIT

    def begin(self) -> None:
        """Note that notes are in hand from `position` on. Raises as `commit` does."""
        self._begun = True
        self._note()

    def attempt(self, offset: int) -> None:
        """Note that the note at `offset` is about to be looked at. Raises as `commit` does."""
        self._tried = offset
        self._note()

    def acquit(self) -> None:
        """Take back what `begin` and `attempt` noted of notes that are not committed: the process
        ends in order, or gives the partition up. Raises as `commit` does.
        """
        told = self._begun and self.position == self._start.position
        told = told or (self._tried is not None and self._tried >= self.position)
        self._begun, self._tried = False, None
        if told and not self._transactions.busy():
            self._note()

    def drop(self) -> None:
        """Forget the producer; an open transaction is settled by the next claim."""
        self._transactions.drop()

    def _note(self) -> None:
        deadline = time.monotonic() + self._timeout
        mine, place = self._transactions, self._place(self.position)
        group = self._offsets.group_metadata()
        while mine.run((), [place], group, deadline) is not None:
            pass  # aborted, and to be tried again, on this producer alone

    def skipped(self, expected: int, offset: int) -> int | None:
        """The offset of the first record in `[expected, offset)`; None where there is none (markers
        of transactions, aborted, compacted or expired records). May be asked beside other calls.

        Raises `Unavailable("kafka.no_record")`.
        """
        if self._empty.get(expected) == offset:
            return None
        found = self._offsets.next_record(self.partition, expected, offset)
        if found < offset:
            return found
        self._empty[expected] = offset
        return None

    def _refuse_gaps(self, batch: Sequence[Parcel]) -> None:
        expected = self.position
        for parcel in batch:
            offset = parcel.source.offset
            if offset != expected:
                found = self.skipped(expected, offset)
                if found is not None:
                    self._refuse_if_moved()
                    raise Halt(
                        "stream.gap",
                        f"offset {found} of partition {self.partition} was not processed",
                    )
                self._empty.pop(expected, None)
            expected = offset + 1

    def _refuse_if_moved(self) -> None:
        """What seems skipped was done by another owner where the group's offset has moved without
        this claim (rule 2): the process slept between its claim and Faust's seek, say.
        """
        try:
            now = self._offsets.start_of(self.partition).position
        except KafkaException as error:
            raise unavailable(error.args[0]) from None
        if now > self.position:
            raise ClaimLost(f"{self.partition}: another owner has come to {now}")

    def _records(self, batch: Sequence[Parcel]) -> list[Record]:
        made = (records(i, one, self._kafka, self._processor) for i, one in enumerate(batch))
        return [record for of_one in made for record in of_one]

    def _place(self, offset: int) -> TopicPartition:
        tries, begun = dict(self.tries), 0
        if self._tried is not None:
            tries[self._tried] = tries.get(self._tried, 0) + 1
        if offset == self._start.position:
            begun = self._start.begun + self._begun
        metadata = suspects.encode(tries, offset, begun)
        return TopicPartition(self._kafka.topic_in, self.partition, offset, metadata)


def records(
    index: int,
    parcel: Parcel,
    kafka: Kafka,
    processor: AnyProcessor,
    more: Sequence[tuple[str, bytes]] = (),
) -> Iterator[Record]:
    """What goes out for one parcel: note and audit, sealed, or a dead letter; `more` headers of
    each.
    """
    source, outcome = parcel.source, parcel.outcome
    place = f"{source.topic}/{source.partition}/{source.offset}".encode()
    headers: list[tuple[str, str | bytes | None]] = [
        ("source", place), ("release", processor.release.encode()), *more,
    ]  # fmt: skip
    if parcel.trace:
        headers.append((HEADER, parcel.trace.header))
    if isinstance(outcome, Released):
        for topic, kind, value in (
            (kafka.topic_out, seal.NOTE, outcome.note),
            (kafka.topic_audit, seal.AUDIT, outcome.audit),
        ):
            sealed = (seal.HEADER, processor.seal(kind, outcome.key, value))
            yield Record(index, topic, outcome.key, value, [*headers, sealed])
        return
    letter = render(
        source.place,
        outcome,
        mac=processor.mac(parcel.raw),
        size=len(parcel.raw),
        release=processor.release,
    )
    yield Record(index, kafka.topic_dead, place, letter, headers)


def without_oversized(batch: tuple[Parcel, ...], oversized: set[int]) -> tuple[Parcel, ...]:
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
