"""Outputs and progress of a replay in one transaction, as the live path has them.

The transactional id is the replay's name: who runs it a second time fences the first, settles what
that left open, and goes on from the committed offsets.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from confluent_kafka import KafkaException, TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.outcome import AnyProcessor, Source
from stream_deid.streaming.delivery import Parcel, records, without_oversized
from stream_deid.streaming.kafka.transactions import ClaimLost, Record, Transactions, unavailable
from stream_deid.streaming.kafka.watched import answer
from stream_deid.streaming.observability import logs
from stream_deid.streaming.replay.examining import ANOTHER
from stream_deid.streaming.replay.order import ReplayProgress
from stream_deid.streaming.replay.reading import Place

HEADER = "replay"
Committed = Callable[[Iterable[Place]], Mapping[Place, TopicPartition]]
_LOOK_S = 0.5
_PRODUCERS = 3
_REMIND_S = 3600.0
"""All offsets are committed again so often: the broker forgets those of a group without members."""

_Given = TypeVar("_Given")
_log = logs.get("replay")


class _Hung(Exception):
    """A call to the broker has not returned in its time."""


class Hangs(Exception):
    """A transaction hangs, with these parcels in it."""

    def __init__(self, batch: tuple[Parcel, ...]) -> None:
        super().__init__()
        self.batch = batch


class Sender:
    """The one process that may write this replay. Blocking; one owner.

    `name`: of the replay, a header of everything that it writes; `committed`: asks for the group's
    offsets.
    """

    def __init__(
        self, kafka: Kafka, processor: AnyProcessor, name: str, committed: Committed
    ) -> None:
        self._kafka, self._processor = kafka, processor
        self._headers = [(HEADER, name.encode())]
        self._timeout = kafka.transaction_timeout_s
        self._transactions = Transactions(kafka, kafka.group)
        self._group: Any = None
        self._committed = committed
        self._progress: Mapping[Place, ReplayProgress] = {}
        self._kept: dict[Place, TopicPartition] = {}
        self._reminded = -_REMIND_S

    def open(self) -> None:
        """Fence another process; only then committed offsets may be read."""
        try:
            self._transactions.open(time.monotonic() + self._timeout)
        except ClaimLost as lost:
            raise _fenced(lost) from None

    def begin(
        self, group: Any, progress: Mapping[Place, ReplayProgress], places: Sequence[TopicPartition]
    ) -> None:
        """Take up a plan, and fix it: `places` are all offsets that it needs."""
        self._group, self._progress = group, progress
        self._kept = {(place.topic, place.partition): place for place in places}
        self._run((), ())

    def commit(self, parcels: Sequence[Parcel]) -> list[Parcel]:
        """Send outcomes and move the offsets, all or nothing; what was delivered in the end.

        Raises `Halt("replay.fenced")`, `Unavailable("kafka.transaction")`.
        """
        last = {(p.source.topic, p.source.partition): p.source.offset + 1 for p in parcels}
        places = [self._place(place, offset) for place, offset in last.items()]
        others = [parcel for parcel in parcels if parcel.outcome is ANOTHER]
        batch = tuple(parcel for parcel in parcels if parcel.outcome is not ANOTHER)
        return [*self._run(batch, places), *others]

    def finish(self) -> None:
        """Everything was read: the offsets stand at the ends of the plan."""
        self._run((), [self._place(place, one.until) for place, one in self._progress.items()])

    def blame(self, source: Source, position: int) -> None:
        """Remember that a note ended the process; the offset stays at `position`."""
        place = source.topic, source.partition
        progress = self._progress[place]
        tries = {**progress.tries, source.offset: progress.tries.get(source.offset, 0) + 1}
        self._progress = {**self._progress, place: replace(progress, tries=tries)}
        self._run((), [self._place(place, position)])

    def _place(self, place: Place, offset: int) -> TopicPartition:
        return TopicPartition(*place, offset, self._progress[place].dump(offset))

    def _run(
        self, batch: tuple[Parcel, ...], places: Sequence[TopicPartition]
    ) -> tuple[Parcel, ...]:
        now = time.monotonic()
        self._kept |= {(place.topic, place.partition): place for place in places}
        if now - self._reminded > _REMIND_S:
            places = list(self._kept.values())
        for _ in range(_PRODUCERS):
            try:
                done = self._transact(batch, places)
            except Hangs as hangs:
                batch = hangs.batch
                if self._settled(places):
                    break
            except ClaimLost as lost:
                raise _fenced(lost) from None
            else:
                batch = done
                break
        else:
            raise unavailable(None)
        if len(places) == len(self._kept):
            self._reminded = now
        return batch

    def _transact(
        self, batch: tuple[Parcel, ...], places: Sequence[TopicPartition]
    ) -> tuple[Parcel, ...]:
        """Try until it is committed; what was sent in the end. Raises `Hangs`."""
        deadline = time.monotonic() + self._timeout
        mine, group = self._transactions, self._group
        while True:
            sent = self._records(batch)
            try:
                failed = self._watched(partial(mine.run, sent, places, group, deadline))
            except _Hung:
                raise Hangs(batch) from None
            if failed is None:
                return batch
            batch = without_oversized(batch, failed.oversized)

    def _settled(self, places: Sequence[TopicPartition]) -> bool:
        """Put a fresh producer in place of one that hangs: it settles what that left open, and the
        committed offsets tell what became of it.
        """
        _log.warning("producer_replaced", group=self._kafka.group)
        self._transactions = self._transactions.replaced()
        try:
            self._watched(partial(self._transactions.open, time.monotonic() + self._timeout))
            found = self._committed([(place.topic, place.partition) for place in places])
        except _Hung:
            raise unavailable(None) from None
        except ClaimLost as lost:
            raise _fenced(lost) from None
        except KafkaException as error:
            raise unavailable(error.args[0]) from None
        return all(
            (kept := found.get((place.topic, place.partition))) is not None
            and (kept.offset, kept.metadata or "") == (place.offset, place.metadata or "")
            for place in places
        )

    def _watched(self, call: Callable[[], _Given]) -> _Given:
        """Call in a thread that is left behind where librdkafka doesn't come back in time."""
        future: Future[_Given] = Future()
        threading.Thread(target=answer, args=(future, call), daemon=True).start()
        while not wait([future], _LOOK_S).done:
            if self._transactions.overdue():
                raise _Hung
        return future.result()

    def _records(self, batch: tuple[Parcel, ...]) -> list[Record]:
        return [
            record
            for index, parcel in enumerate(batch)
            for record in records(index, parcel, self._kafka, self._processor, self._headers)
        ]


def _fenced(lost: ClaimLost) -> Halt:
    return Halt("replay.fenced", f"another process runs this replay ({lost})")
