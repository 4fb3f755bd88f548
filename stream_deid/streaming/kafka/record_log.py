"""The topic of patients' records as it is read: where the newest record of each patient lies.

What is remembered is a place, under a hash with a secret of this process: never a record, nor whose
it is. Whatever can't be read in time is `Unavailable`, never an absent record.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from stream_deid.errors import Halt, Unavailable
from stream_deid.outcome import PatientRecord
from stream_deid.streaming.kafka.clients import (
    TO_THE_END,
    as_they_come,
    base_options,
    client,
    reader_options,
)
from stream_deid.streaming.observability import logs

BEHIND = "records.behind"
_TRIES = 3  # a record that is replaced while it is fetched is looked for again

_log = logs.get("records")


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Where a record lies."""

    partition: int
    offset: int


class RecordIndex:
    """The place of the newest record of each patient; at most `most` patients."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._secret = secrets.token_bytes(32)
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def note(self, key: bytes, place: RecordPlace | None) -> None:
        """A record was written, or with None removed. Raises `Halt("records.too_many")`."""
        name = self._name(key)
        if place is None:
            self._places.pop(name, None)
            return
        self._places[name] = place.partition << 48 | place.offset
        if len(self._places) > self._most:
            raise Halt("records.too_many", f"more patients than records.most ({self._most})")

    def find(self, key: bytes) -> RecordPlace | None:
        """Where a patient's record lies."""
        packed = self._places.get(self._name(key))
        return None if packed is None else RecordPlace(packed >> 48, packed & ((1 << 48) - 1))

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
        self._admin = client(AdminClient, self._options)
        self._follower = client(Consumer, shared | following)
        self._fetcher = client(Consumer, shared | TO_THE_END)
        self.index = RecordIndex(self._most)
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
            self._take(as_they_come(self._follower, 1000, 0.1))
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
            self._admin = client(AdminClient, self._options)
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT)) from None  # noqa: SLF001
        except KafkaException:
            self._admin = client(AdminClient, self._options)
            raise

    def _anew(self) -> None:
        """The topic is another one: nothing that is remembered of it holds."""
        _log.warning("records_read_anew")
        self._follower.unassign()
        self.index, self._reached = RecordIndex(self._most), {}

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
            self.index.note(key, RecordPlace(partition, offset) if message.value() else None)
        self._reach(partition, offset + 1)

    def _reach(self, partition: int | None, offset: int | None) -> None:
        if partition in self._reached and offset is not None:
            self._reached[partition] = max(self._reached[partition], offset)

    def _at(self, place: RecordPlace, deadline: float) -> Message | None:
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
