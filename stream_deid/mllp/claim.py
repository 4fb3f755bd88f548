"""The right to take messages of one sender: one transactional id, so one owner at a time.

Two listeners may get messages of the same sender, and one that was thought dead may wake up. So
the rules are those of `streaming.delivery`:

1. `open` fences whoever had the sender before and settles what it left open; only then is read
   what was taken. Nothing can be added behind our back afterwards.
2. A message and its id are written in one transaction; a claim that was fenced writes nothing.
3. After any error the claim is given up and a fresh one opened, which learns what became of the
   last transaction. Only then is a message answered or tried again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from confluent_kafka import TopicPartition

from stream_deid.config import Kafka, Mllp
from stream_deid.mllp import duplicates
from stream_deid.mllp.arrival import Arrival
from stream_deid.mllp.duplicates import LastMessages
from stream_deid.streaming.kafka.transactions import Attempt, Record, Transactions

FORMAT = b"hl7v2"
HEADERS = ("format", "mllp-id")
"""Of each message in the input topic: its format, and its keyed id among its sender's."""


class SenderClaim:
    """Blocking; for one thread, but for `overdue`."""

    def __init__(self, kafka: Kafka, settings: Mllp, sender: str, partitions: int) -> None:
        """`partitions`: of `topic_seen`."""
        self.window = LastMessages(settings.window)
        self._kafka, self._settings, self._sender = kafka, settings, sender
        self._place = TopicPartition(settings.topic_seen, int(sender, 16) % partitions)
        self._transactions = Transactions(kafka, f"{kafka.group}-mllp-{sender}")

    def open(self, deadline: float) -> None:
        """Rule 1. Raises `ClaimLost`, `Unavailable`, `Halt("kafka.denied")`, `KafkaException`."""
        self._transactions.open(deadline)
        since_s = time.time() - self._settings.window_s
        duplicates.load(
            self._kafka, self._place, self._sender, self.window, since_s=since_s, end=deadline
        )

    def overdue(self) -> bool:
        """Whether a call to the broker hangs; may be asked from any thread."""
        return self._transactions.overdue()

    def put(self, arrivals: Sequence[Arrival], deadline: float) -> Attempt | None:
        """Write messages and their ids, all or none; None where it is done (rule 2).

        Raises as `open` does.
        """
        records = [
            record for index, one in enumerate(arrivals) for record in self._records(index, one)
        ]
        failed = self._transactions.run(records, (), None, deadline)
        if failed is None:
            for one in arrivals:
                self.window.add(one.number, one.digest)
        return failed

    def drop(self) -> None:
        self._transactions.drop()

    def _records(self, index: int, one: Arrival) -> tuple[Record, Record]:
        headers: list[tuple[str, str | bytes | None]] = [
            (HEADERS[0], FORMAT), (HEADERS[1], one.number.hex()),
        ]  # fmt: skip
        place = self._place
        return (
            Record(index, self._kafka.topic_in, one.key, one.raw, headers),
            Record(
                index,
                place.topic,
                self._sender.encode(),
                duplicates.value_of(one),
                [],
                place.partition,
            ),
        )
