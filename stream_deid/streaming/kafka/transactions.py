"""Transactions of one transactional id, on a producer that can be replaced.

Blocking; meant for threads, one call at a time. librdkafka's calls take a time limit and do not
always keep it: after a restart of the broker `send_offsets_to_transaction` waits for a coordinator
that it never asks for again (seen: 250 s). Others keep it and fail again and again. So each call
notes when it is due, and when it has been repeated for too long, `overdue` can be asked from any
thread, and `replaced` fences what hangs: its producer can commit nothing more.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Message, Producer, TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.streaming.kafka.clients import client, producer_options
from stream_deid.streaming.kafka.rights import refuse_denied

_FENCED = frozenset(
    {
        KafkaError._FENCED,  # noqa: SLF001 - librdkafka's public local codes carry an underscore
        KafkaError.INVALID_PRODUCER_EPOCH,
        KafkaError.INVALID_PRODUCER_ID_MAPPING,
        KafkaError.PRODUCER_FENCED,
    }
)
_TOO_LARGE = frozenset({KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.RECORD_LIST_TOO_LARGE})
_CLOCK = (
    "a broker takes no record with the time of this machine's clock: set the clock right (or "
    "message.timestamp.after.max.ms and .before.max.ms of the output topics)"
)
_OF_THE_CLOCK = frozenset({KafkaError.INVALID_TIMESTAMP, KafkaError.INVALID_RECORD})
"""The second is told of records beside one of the first; otherwise of none with a key, as ours."""
_CALL_S = 5.0  # what one call is given
_GRACE_S = 3.0  # what it may take beyond that
_REPEATED_S = 15.0  # so long calls are repeated on one producer; twice as long on the next


class ClaimLost(Exception):
    """Another owner has claimed the partition: nothing was committed, the notes are its own."""


@dataclass(slots=True)
class Attempt:
    """Delivery reports of one transaction: its first error, and which records are too large."""

    error: KafkaError | None = None
    oversized: set[int] = field(default_factory=set)

    def report(self, index: int) -> Callable[[KafkaError | None, Message | None], None]:
        """The callback of a record that belongs to the parcel at `index`."""

        def on_delivery(error: KafkaError | None, _message: Message | None) -> None:
            if error is None:
                return
            self.error = self.error or error
            if error.code() in _TOO_LARGE:
                self.oversized.add(index)

        return on_delivery


@dataclass(frozen=True, slots=True)
class Record:
    """One record to send; `index` says to which parcel of the batch it belongs.

    Without a `partition` its key decides.
    """

    index: int
    topic: str
    key: bytes
    value: bytes = field(repr=False)
    headers: list[tuple[str, str | bytes | None]] = field(repr=False)
    partition: int = -1  # librdkafka: by the key


class Transactions:
    """One transactional producer; who opens another under the same name fences this one."""

    def __init__(self, kafka: Kafka, name: str, patience_s: float = _REPEATED_S) -> None:
        self._kafka, self._name = kafka, name
        self._patience_s = patience_s
        self._worn = float("inf")
        self._given_up = False
        self._producer = client(Producer, producer_options(kafka, name))
        self._due = float("inf")
        self._calls = threading.Lock()

    def busy(self) -> bool:
        """Whether a call is under way (one that hangs, say)."""
        return self._calls.locked()

    def overdue(self) -> bool:
        """Whether a call has not returned in the time that it was given, and some more, or has
        been repeated for too long.
        """
        return time.monotonic() > self._due

    def replaced(self) -> Transactions:
        """A fresh producer in place of this one, still to be opened; this one repeats nothing."""
        self._given_up = True
        return Transactions(self._kafka, self._name, 2 * self._patience_s)

    def open(self, deadline: float) -> None:
        """Fence whoever used the name before, and settle what was left open.

        Raises `ClaimLost`, `Unavailable("kafka.transaction")`, `Halt("kafka.denied")`.
        """
        with self._calls:
            self._worn = time.monotonic() + self._patience_s
            self._settled(self._producer.init_transactions, deadline)

    def run(
        self,
        records: Sequence[Record],
        offsets: Sequence[TopicPartition],
        group: Any,
        deadline: float,
    ) -> Attempt | None:
        """Send records and move the group's offsets (if any), all or nothing; None: done.

        Otherwise the transaction is aborted and may be tried again; the attempt says which records
        the broker refused for their size. Raises `ClaimLost`, `Unavailable("kafka.transaction")`,
        `Unavailable("kafka.clock")`, `Halt("kafka.denied")`.
        """
        with self._calls:
            if self._given_up:
                raise ClaimLost(f"{self._name}: replaced")
            began = time.monotonic()
            self._worn = began + self._patience_s
            attempt = self._run(records, offsets, group, deadline)
            self._patience_s = max(_REPEATED_S, 3 * (time.monotonic() - began))
            return attempt

    def _run(
        self,
        records: Sequence[Record],
        offsets: Sequence[TopicPartition],
        group: Any,
        deadline: float,
    ) -> Attempt | None:
        attempt = Attempt()
        try:
            self._producer.begin_transaction()
            self._deliver(records, attempt, deadline)
            if offsets:
                self._settled(
                    lambda left: self._producer.send_offsets_to_transaction(
                        list(offsets), group, left
                    ),
                    deadline,
                )
            self._settled(self._producer.commit_transaction, deadline)
        except KafkaException as error:
            refuse_denied(error.args[0])
            self._recover(error.args[0], deadline)
            return attempt
        return None

    def drop(self) -> None:
        """Forget the producer; an open transaction is settled by the next owner."""
        self._given_up = True
        self._producer.purge()

    def _deliver(self, records: Sequence[Record], attempt: Attempt, deadline: float) -> None:
        for record in records:
            self._send(record, attempt, deadline)
        while self._flush() and attempt.error is None:
            _check(deadline)
        if attempt.error is not None:
            raise KafkaException(attempt.error)

    def _send(self, record: Record, attempt: Attempt, deadline: float) -> None:
        report = attempt.report(record.index)
        while True:
            try:
                self._producer.produce(
                    record.topic, record.value, record.key, record.partition,
                    headers=record.headers, on_delivery=report,
                )  # fmt: skip
            except BufferError:
                self._producer.poll(0.1)
                _check(deadline)
            except KafkaException as error:
                report(error.args[0], None)
                raise
            else:
                self._producer.poll(0)
                return

    def _flush(self) -> int:
        return int(self._timed(lambda: self._producer.flush(0.5), 0.5))

    def _timed(self, call: Callable[[], Any], seconds: float) -> Any:
        """What the call returns. Where a fatal error comes while it waits, the library sets the
        exception beside a result (`SystemError`): the error is its cause.
        """
        self._due = min(time.monotonic() + seconds, self._worn) + _GRACE_S
        try:
            return call()
        except SystemError as error:
            if isinstance(error.__cause__, KafkaException):
                raise error.__cause__ from None
            raise
        finally:
            self._due = float("inf")

    def _settled(self, call: Callable[[float], Any], deadline: float) -> None:
        """Call until it is settled: a retriable error or a timeout asks for the same call again."""
        while True:
            left = max(0.1, min(_CALL_S, deadline - time.monotonic()))
            try:
                self._timed(lambda: call(left), left)  # noqa: B023 - called at once
            except KafkaException as error:
                refuse_denied(error.args[0])
                if _lost(error.args[0]):
                    raise ClaimLost(error.args[0].name()) from None
                if not error.args[0].retriable():
                    raise
                if self._given_up:
                    raise ClaimLost(f"{self._name}: replaced") from None
                _check(deadline, error.args[0])
                time.sleep(0.05)
            else:
                return

    def _recover(self, error: KafkaError, deadline: float) -> None:
        """Abort, so that the transaction can be tried again; or say why it can't."""
        if _lost(error):
            raise ClaimLost(error.name())
        _check(deadline, error)
        try:
            self._producer.purge(in_flight=False)
            self._settled(self._producer.abort_transaction, deadline)
            time.sleep(0.1)  # what failed is seldom better at once
        except KafkaException as failed:
            raise unavailable(failed.args[0]) from None
        if error.code() in _OF_THE_CLOCK:
            raise Unavailable("kafka.clock", _CLOCK)


def unavailable(error: KafkaError | None) -> Unavailable:
    """The error of a transaction that could not be settled in time."""
    reason = error.name() if error is not None else "no answer"
    return Unavailable("kafka.transaction", f"the transaction could not be settled: {reason}")


def _lost(error: KafkaError) -> bool:
    return error.code() in _FENCED or error.fatal()


def _check(deadline: float, error: KafkaError | None = None) -> None:
    if time.monotonic() > deadline:
        raise unavailable(error)
