"""`stream-deid release`: moves clean notes and audits from the inner topics to the outer ones.

When a period is over, what was recorded before its end goes out in the order of its keyed hashes.
It is read once for each pass, and a pass takes a share of the records (drawn by chance once for the
batch, and kept with its progress), so that memory holds no more than `most` of them. A pass is one
transaction: its records, and the offsets, which stay where the batch begins and say in their
metadata how many passes are done, until the last one moves them on. Before the first is committed
all of the batch has come to the `gate`, and one record that no worker sealed keeps all of it back.
A process that is killed goes on with the pass that it was at, under another key too; a second one
fences the first (by the transactional id). Records go out without headers, under one time, the end
of the period that is over; where the policy links no notes (safe harbor) under ids and in an order
drawn by chance for the transaction (`ids`).
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicPartition

from stream_deid import ending
from stream_deid.config import Kafka, Settings, read_key
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka.awaiting import Patience, await_topics
from stream_deid.streaming.kafka.clients import base_options, client
from stream_deid.streaming.kafka.rights import refuse_denied
from stream_deid.streaming.kafka.watched import WatchedProducer
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.endpoint import Endpoint
from stream_deid.streaming.releasing.batch import (
    BatchProgress,
    BatchSchedule,
    OutgoingRecord,
    drawn,
    pass_of,
)
from stream_deid.streaming.releasing.gate import Gate
from stream_deid.streaming.releasing.inner import (
    InnerTopics,
    Place,
    refuse_short_retention,
    release_group,
)
from stream_deid.streaming.releasing.outside import Leaving, Outside
from stream_deid.streaming.releasing.watch import ReleaseHealth

_LOOK_S = 1.0
_REMEMBER_S = 30.0
_OTHER = (
    "a batch is under way that was begun under another policy, release.audit or map of JSON: "
    "go on under those until it is out"
)
_log = logs.get("release")


@dataclass(frozen=True, slots=True)
class ReleaseBatch:
    """Stretches of the inner topics that go out together, and how far that is."""

    starts: Mapping[Place, int]
    until: Mapping[Place, int]
    stamp: int
    passes: int
    done: int = 0
    lot: str = field(default="", repr=False)
    form: str = ""

    @property
    def _done_next(self) -> BatchProgress:
        return BatchProgress(0, self.stamp, self.passes, self.done + 1, self.lot, self.form)

    def offsets(self) -> list[TopicPartition]:
        """What the group commits with the pass that is under way."""
        progress, over = self._done_next, self.done + 1 == self.passes
        found = []
        for (topic, partition), start in self.starts.items():
            end = self.until.get((topic, partition))
            told = "" if end is None or over else replace(progress, until=end).dump()
            at = end if over and end is not None else start
            found.append(TopicPartition(topic, partition, at, told))
        return found

    def goes_now(self, own: bytes, key: bytes) -> bool:
        """Whether a record goes out in the pass that is under way. No setting and no key that can
        be another when a process is started again decides that: a record of the batch would go out
        twice then, or never.
        """
        lot = bytes.fromhex(self.lot) or key
        return pass_of(drawn(own, lot), self.passes) == self.done


class Mover:
    """The one process that releases. Blocking; ends between two passes when told to."""

    def __init__(
        self, settings: Settings, key: bytes, *, now: Callable[[], float] = time.time
    ) -> None:
        kafka, outer = settings.kafka, settings.release
        self._kafka, self._key, self._now = kafka, key, now
        self._to = {kafka.topic_out: outer.topic_notes, kafka.topic_audit: outer.topic_audit}
        self._outside = Outside(settings)
        self._gate, self._over = Gate(settings, key, self._outside), 0
        self._schedule, self._most = BatchSchedule(outer.period_s, outer.least), outer.most
        self._timeout = kafka.transaction_timeout_s
        self._inner = InnerTopics(settings, self._timeout)
        self.watch = ReleaseHealth(2 * self._timeout + 60, now=now)
        self._producer = client(WatchedProducer, _writer(kafka))
        self._told = -math.inf

    def run(self, ended: threading.Event) -> None:
        """Move until `ended`. Raises `Unavailable("release....")`, `Halt`."""
        topics = [*self._to, *self._to.values()]
        patience = Patience(self._timeout, logs.warnings_to(_log), ended=ended.is_set)
        await_topics(self._kafka, topics, patience)
        if ended.is_set():
            return
        refuse_short_retention(self._kafka, self._schedule.period_s)
        try:
            self._producer.init_transactions(self._timeout)
            self.watch.holds()
            _log.info("releasing", topics=list(self._to.values()), period_s=self._schedule.period_s)
            while not ended.is_set():
                self._look(ended)
                ended.wait(min(_LOOK_S, self._schedule.next(self._now())))
        except KafkaException as error:
            refuse_denied(error.args[0])
            raise _unsettled(error.args[0].name()) from None
        finally:
            self._inner.close()

    def _look(self, ended: threading.Event) -> None:
        """Send the batch that is under way, or due."""
        batch = self._batch()
        self.watch.beat()
        self.watch.looked(self._inner.waiting, batch.stamp / 1000 if batch else None)
        if batch is None and time.monotonic() - self._told > _REMEMBER_S:
            self._commit([TopicPartition(*place, at) for place, at in self._inner.starts.items()])
        while batch is not None and not ended.is_set():
            self._send(batch)
            done = batch.done + 1
            batch = replace(batch, done=done) if done < batch.passes else None

    def _batch(self) -> ReleaseBatch | None:
        starts, under_way = self._inner.committed()
        if under_way:
            one = next(iter(under_way.values()))
            until = {place: progress.until for place, progress in under_way.items()}
            if one.form not in {"", self._outside.form}:
                raise Halt("release.other", _OTHER)
            return ReleaseBatch(
                starts, until, one.stamp, one.passes, one.done, one.lot, self._outside.form
            )
        moment = self._schedule.closed(self._now())
        ends = self._inner.bounds(starts, moment)
        until = {place: end for place, end in ends.items() if end > starts[place]}
        sizes = {place: end - starts[place] for place, end in until.items()}
        notes = sum(n for (topic, _), n in sizes.items() if topic == self._kafka.topic_out)
        if notes < max(self._schedule.least, 1):
            return None
        passes = -(-sum(sizes.values()) // self._most)
        lot = secrets.token_hex(16)
        return ReleaseBatch(
            starts, until, int(moment * 1000), passes, lot=lot, form=self._outside.form
        )

    def _send(self, batch: ReleaseBatch) -> None:
        """One pass, all or nothing."""
        self._over = 0
        items = self._in_order(self._of_pass(batch))
        self._commit(batch.offsets(), items, batch.stamp)
        notes = sum(item.topic == self._to[self._kafka.topic_out] for item in items)
        self.watch.moved(notes, len(items) - notes)
        _log.info("released", notes=notes, passed=batch.done + 1, passes=batch.passes,
                  passed_over=self._over)  # fmt: skip

    def _commit(
        self, offsets: list[TopicPartition], items: Sequence[OutgoingRecord] = (), stamp: int = 0
    ) -> None:
        """One transaction, which a process that was fenced can't make. Without `items` it tells the
        broker anew how far all is: it forgets offsets of a group without members after
        `offsets.retention.minutes` (7 days), and a period is longer.
        """
        self._producer.begin_transaction()
        self._deliver(items, stamp)
        self._producer.send_offsets_to_transaction(offsets, self._inner.group, self._timeout)
        self._producer.commit_transaction(self._timeout)
        self._told = time.monotonic()

    def _of_pass(self, batch: ReleaseBatch) -> Iterator[tuple[bytes, str, Leaving]]:
        """(place, topic, record) of what goes out now."""
        for record in self._inner.records(batch.starts, batch.until):
            self.watch.beat()
            leaving = self._gate.leaving(record)
            if leaving is None:
                self._over += 1
            elif batch.goes_now(leaving.own, self._key):
                yield drawn(leaving.own, self._key), self._to[record.topic], leaving

    def _in_order(self, found: Iterable[tuple[bytes, str, Leaving]]) -> list[OutgoingRecord]:
        """What goes out, in the order of its keyed hashes; under ids drawn by chance where notes
        aren't linked, and in an order of chance then.
        """
        ids, chance = self._outside.ids(), secrets.token_bytes(32)
        if not self._outside.linked:
            new = ((topic, ids(one)) for _, topic, one in found)
            found = [(drawn(one.value, chance), topic, one) for topic, one in new]
        ordered = sorted(found, key=lambda one: one[0])
        return [OutgoingRecord(topic, one.key or None, one.value) for _, topic, one in ordered]

    def _deliver(self, items: Sequence[OutgoingRecord], stamp: int) -> None:
        errors: list[KafkaError] = []

        def reported(error: KafkaError | None, _: object) -> None:
            if error is not None:
                errors.append(error)

        for item in items:
            self._produce(item, stamp, reported)
        if left := self._producer.flush(self._timeout):
            raise _unsettled(f"{left} records are not taken")
        if errors:
            refuse_denied(errors[0])
            raise _unsettled(errors[0].name())

    def _produce(self, item: OutgoingRecord, stamp: int, reported: Callable[..., None]) -> None:
        self.watch.beat()
        while True:
            try:
                self._producer.produce(
                    item.topic, item.value, item.key, timestamp=stamp, on_delivery=reported
                )
            except BufferError:
                self._producer.poll(0.1)
            else:
                return


def _unsettled(reason: str) -> Unavailable:
    return Unavailable("release.transaction", f"the batch is not settled: {reason}")


def _writer(kafka: Kafka) -> dict[str, Any]:
    return {
        **base_options(kafka),
        "transactional.id": release_group(kafka),
        "transaction.timeout.ms": int(kafka.transaction_timeout_s * 1000),
        "message.max.bytes": kafka.max_message_bytes,
        "partitioner": "murmur2_random",
        "queue.buffering.max.kbytes": 1 << 20,
    }


def main(settings: Settings, port: int | None = None) -> int:
    """Run until a signal ends it; a batch that is under way then is finished by the next one.

    `port`: of health and metrics, at `http.host`; None: there are none.
    """
    logs.configure()
    ended = threading.Event()
    ending.on_signal(lambda _: ended.set())
    mover = Mover(settings, read_key(settings.keys))
    if port is None:
        mover.run(ended)
        return 0
    endpoint = Endpoint(settings.http.host, port, mover.watch, mover.watch)
    endpoint.start()
    _log.info("endpoint", address=endpoint.address)
    try:
        mover.run(ended)
    finally:
        endpoint.stop()
    return 0
