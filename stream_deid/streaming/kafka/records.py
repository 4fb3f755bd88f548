"""Records of patients: a compacted topic of demographics, keyed by patient.

What is remembered is where the newest record of each patient lies, under a hash with a secret of
this process: never a record, nor whose it is. A record is fetched when a note asks for it, and
ends with that note. Restarting reads the topic anew.

A note sees every record that was committed before it asked: each answer waits until the topic has
been read up to the end that it had then (of partitions that were added meanwhile, too). Whatever
can't be read in time is `Unavailable`, never an absent record.
"""

from __future__ import annotations

import asyncio
import hashlib
import queue
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import (
    Consumer,
    IsolationLevel,
    KafkaError,
    KafkaException,
    Message,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, OffsetSpec  # type: ignore[attr-defined]

from stream_deid.config import Settings
from stream_deid.errors import DeidError, Halt, Unavailable
from stream_deid.outcome import PatientRecord
from stream_deid.streaming.kafka.clients import base_options, reader_options
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics

BEHIND = "records.behind"
_IDLE_S = 1.0
_TRIES = 3  # a record that is replaced while it is fetched is looked for again

_log = logs.get("records")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record lies."""

    partition: int
    offset: int


class Index:
    """The place of the newest record of each patient; at most `most` patients."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._secret = secrets.token_bytes(32)
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def note(self, key: bytes, place: Place | None) -> None:
        """A record was written, or with None removed. Raises `Halt("records.too_many")`."""
        name = self._name(key)
        if place is None:
            self._places.pop(name, None)
            return
        self._places[name] = place.partition << 48 | place.offset
        if len(self._places) > self._most:
            raise Halt("records.too_many", f"more patients than records.most ({self._most})")

    def find(self, key: bytes) -> Place | None:
        """Where a patient's record lies."""
        packed = self._places.get(self._name(key))
        return None if packed is None else Place(packed >> 48, packed & ((1 << 48) - 1))

    def _name(self, key: bytes) -> int:
        digest = hashlib.blake2b(key, digest_size=8, key=self._secret).digest()
        return int.from_bytes(digest, "big")


class Log:
    """The topic as it is read: from its beginning, and on. Blocking, for one thread."""

    def __init__(self, settings: Settings, timeout_s: float) -> None:
        self._topic, self._timeout = settings.kafka.topic_records, timeout_s
        self._most = settings.records.most
        shared = reader_options(settings.kafka) | {"auto.offset.reset": "error"}
        following = {"enable.partition.eof": True, "max.partition.fetch.bytes": 1_048_576}
        self._options = base_options(settings.kafka)
        self._admin = AdminClient(self._options)
        self._follower = Consumer(shared | following)
        self._fetcher = Consumer(shared | {"enable.partition.eof": True})
        self.index = Index(self._most)
        self._reached: dict[int, int] = {}
        self.behind = 0

    def catch_up(self, deadline: float, tell: Callable[[], None] = lambda: None) -> None:
        """Read up to the end that the topic has now; `tell` is called now and then.

        Raises `Unavailable("records.behind")` where that takes longer, `Halt`, `KafkaException`.
        """
        ends = self._ends()
        while True:
            self.behind = sum(max(0, end - self._reached[p]) for p, end in ends.items())
            if not self.behind:
                return
            if time.monotonic() > deadline:
                raise Unavailable(BEHIND, f"{self.behind} records of patients are still unread")
            self._take(self._follower.consume(1000, 0.1))
            tell()
            if self._reached.keys() != ends.keys():  # the topic was made anew
                ends = self._ends()

    def idle(self) -> None:
        """Read what there is, without waiting for it."""
        if self._reached:
            self._take(self._follower.consume(1000, 0))

    def fetch(self, key: bytes, deadline: float) -> PatientRecord | None:
        """The newest record of a patient, None where there is none; after `catch_up`."""
        for _ in range(_TRIES):
            place = self.index.find(key)
            if place is None:
                return None
            message = self._at(place, deadline)
            if message is not None:
                if message.key() != key:
                    raise Halt("records.collision", "two patients have one hash; start again")
                where = {"topic": self._topic, "partition": place.partition}
                return PatientRecord(message.value() or b"", where | {"offset": place.offset})
            self.catch_up(deadline)
            if self.index.find(key) == place:  # retention took it
                self.index.note(key, None)
        raise Unavailable(BEHIND, "the record of a patient changes while it is read")

    def close(self) -> None:
        self._follower.close()
        self._fetcher.close()

    def _ends(self) -> dict[int, int]:
        """The end of each partition, with what open transactions have written: whether that is
        there nobody can say yet. New partitions are followed from now on.
        """
        known = self._follower.list_topics(self._topic, timeout=self._timeout).topics[self._topic]
        if known.error is not None:
            raise KafkaException(known.error)
        places = [TopicPartition(self._topic, partition) for partition in known.partitions]
        ends = self._latest(places)
        gone = self._reached.keys() - ends.keys()
        if gone or any(end < self._reached.get(p, 0) for p, end in ends.items()):
            self._anew()
        fresh = [at for at in places if at.partition not in self._reached]
        for at in fresh:
            begin, _ = self._follower.get_watermark_offsets(at, timeout=self._timeout)
            self._reached[at.partition] = int(begin)
        if fresh:
            self._follower.assign(
                [TopicPartition(self._topic, p, offset) for p, offset in self._reached.items()]
            )
        return ends

    def _latest(self, places: Sequence[TopicPartition]) -> dict[int, int]:
        """By a client that is replaced when it fails: one that saw its broker restart holds to the
        epoch of a former leader for as long as its metadata may be old.
        """
        asked = {at: OffsetSpec.latest() for at in places}  # type: ignore[no-untyped-call]
        try:
            answers = self._admin.list_offsets(
                asked,
                isolation_level=IsolationLevel.READ_UNCOMMITTED,
                request_timeout=self._timeout,
            )
            return {
                at.partition: int(one.result(self._timeout).offset) for at, one in answers.items()
            }
        except TimeoutError:
            self._admin = AdminClient(self._options)
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT)) from None  # noqa: SLF001
        except KafkaException:
            self._admin = AdminClient(self._options)
            raise

    def _anew(self) -> None:
        """The topic is another one: nothing that is remembered of it holds."""
        _log.warning("records_read_anew")
        self._follower.unassign()
        self.index, self._reached = Index(self._most), {}

    def _take(self, messages: list[Message]) -> None:
        for message in messages:
            error = message.error()
            if error is None:
                self._learn(message)
            elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 - librdkafka's local code
                self._reach(message.partition(), message.offset())
            elif error.code() == KafkaError._AUTO_OFFSET_RESET:  # noqa: SLF001
                self._anew()
                return
            elif error.fatal() or not error.retriable():
                raise KafkaException(error)

    def _learn(self, message: Message) -> None:
        partition, offset, key = message.partition(), message.offset(), message.key()
        if partition is None or offset is None or partition not in self._reached:
            return
        if key:
            self.index.note(key, Place(partition, offset) if message.value() else None)
        self._reach(partition, offset + 1)

    def _reach(self, partition: int | None, offset: int | None) -> None:
        if partition in self._reached and offset is not None:
            self._reached[partition] = max(self._reached[partition], offset)

    def _at(self, place: Place, deadline: float) -> Message | None:
        """The record at a place, None where it is no longer there."""
        self._fetcher.assign([TopicPartition(self._topic, place.partition, place.offset)])
        try:
            while time.monotonic() < deadline:
                message = self._fetcher.poll(0.2)
                if message is None:
                    continue
                if (error := message.error()) is None:
                    return message if message.offset() == place.offset else None
                gone = KafkaError._PARTITION_EOF, KafkaError._AUTO_OFFSET_RESET  # noqa: SLF001
                if error.code() in gone:
                    return None
        finally:
            self._fetcher.unassign()
        raise Unavailable(BEHIND, "the record of a patient can't be fetched")


@dataclass(frozen=True, slots=True)
class _Ask:
    key: bytes = field(repr=False)
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[PatientRecord | None]

    def settle(self, found: PatientRecord | None, error: DeidError | None = None) -> None:
        def set_() -> None:
            if self.answer.done():
                return
            if error is None:
                self.answer.set_result(found)
            else:
                self.answer.set_exception(error)

        self.loop.call_soon_threadsafe(set_)


class Records:
    """Answers for the event loop; one thread reads the topic for all notes that ask together."""

    def __init__(
        self, settings: Settings, metrics: Metrics | None = None, *, timeout_s: float = 5.0
    ) -> None:
        self._metrics, self._timeout = metrics or Metrics(), timeout_s
        self._topic = settings.kafka.topic_records
        self._start_s = settings.records.start_s
        self._log = Log(settings, timeout_s)
        self._asks: queue.SimpleQueue[_Ask | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="records", daemon=True)
        self._away = False

    @property
    def away(self) -> bool:
        """Whether the topic could not be read when it was last asked for."""
        return self._away

    def open(self) -> None:
        """Read the topic to its end, which is logged. Raises `Unavailable`, `Halt`."""
        started = told = time.monotonic()

        def tell() -> None:
            nonlocal told
            self._show()
            if time.monotonic() - told > 10:
                told = time.monotonic()
                _log.info("reading_records", behind=self._log.behind, held=len(self._log.index))

        deadline = started + self._start_s
        while True:
            try:
                self._log.catch_up(deadline, tell)
            except KafkaException as error:
                if time.monotonic() + _IDLE_S > deadline:
                    raise _away(error) from None
                _log.warning("records_away", code=BEHIND, behind=self._log.behind)
                time.sleep(_IDLE_S)
            else:
                break
        self._show()
        _log.info("records_read", topic=self._topic, patients=len(self._log.index),
                  seconds=round(time.monotonic() - started, 1))  # fmt: skip
        self._thread.start()

    async def of(self, patient: str) -> PatientRecord | None:
        """The newest record of a patient, as of now. Raises `Unavailable`, `Halt`."""
        loop = asyncio.get_running_loop()
        ask = _Ask(patient.encode(), loop, loop.create_future())
        self._asks.put(ask)
        found = await ask.answer
        self._metrics.records.labels("absent" if found is None else "found").inc()
        return found

    def close(self) -> None:
        """Let go of the broker."""
        self._asks.put(None)
        if self._thread.ident is not None:
            self._thread.join(self._timeout)

    def _serve(self) -> None:
        while True:
            try:
                asks = [self._asks.get(timeout=_IDLE_S)]
            except queue.Empty:
                self._quietly(self._log.idle)
                continue
            while not self._asks.empty():
                asks.append(self._asks.get())
            self._answer([ask for ask in asks if ask is not None])
            if None in asks:
                self._log.close()
                return

    def _answer(self, asks: list[_Ask]) -> None:
        deadline = time.monotonic() + self._timeout
        error = self._quietly(lambda: self._log.catch_up(deadline)) if asks else None
        for ask in asks:
            found: list[PatientRecord | None] = [None]

            def fetch(key: bytes = ask.key, into: list[PatientRecord | None] = found) -> None:
                into[0] = self._log.fetch(key, time.monotonic() + self._timeout)

            failed = error or self._quietly(fetch)
            ask.settle(found[0], failed)

    def _quietly(self, call: Callable[[], Any]) -> DeidError | None:
        """What is wrong with the topic, if anything; told in log and metrics."""
        problem: DeidError | None = None
        try:
            call()
        except KafkaException as error:
            problem = _away(error)
        except DeidError as error:
            problem = error
        except Exception as error:  # noqa: BLE001 - its words may quote a record
            problem = Halt("stream.unforeseen", type(error).__qualname__)
        if problem is not None and not self._away:
            _log.warning("records_away", code=problem.code, behind=self._log.behind)
        self._away = problem is not None
        self._show()
        return problem

    def _show(self) -> None:
        self._metrics.records_lag.set(self._log.behind)
        self._metrics.records_held.set(len(self._log.index))


def _away(error: KafkaException) -> Unavailable:
    return Unavailable(BEHIND, f"the topic of records can't be read: {error.args[0].name()}")


async def records_of(settings: Settings, metrics: Metrics | None = None) -> dict[str, Records]:
    """What a processor is opened with beside its settings: `records`, read to their end, where
    there are any. Raises `Unavailable`, `Halt`.
    """
    if not settings.kafka.topic_records:
        return {}
    records = Records(settings, metrics)
    await asyncio.to_thread(records.open)
    return {"records": records}
