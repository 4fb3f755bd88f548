"""The feed of a run: messages of all kinds without end, and where each of them went."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

import orjson
from confluent_kafka import KafkaError, Producer

from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.rig.chaos.placing import Sent, held, placed
from stream_deid.rig.chaos.plan import ChaosPlan
from stream_deid.rig.synthetic import feed, poison
from stream_deid.rig.synthetic.poison import SENTENCE
from stream_deid.streaming.kafka.clients import base_options

_FLUSH_S = 120.0
_SHOWN_S = 30.0
"""So long at the most until a loaded broker shows all that it took."""


@dataclass(frozen=True, slots=True)
class FedMessage:
    """Bytes to send; `good`: a note that may not become a dead letter."""

    raw: bytes
    good: bool


def messages(plan: ChaosPlan) -> Iterator[FedMessage]:
    """JSON and HL7 notes for ever, poison and giants among them; the same for the same seed."""
    dice = random.Random(f"feed {plan.seed}")
    good = feed(sys.maxsize, plan.seed)
    bad = [message.value for _, message in poison(plan.seed) if len(message.value) < 100_000]
    for number in count():
        draw = dice.random()
        if draw < plan.poison:
            yield FedMessage(dice.choice(bad), good=False)
        elif draw < plan.poison + plan.giants:
            yield FedMessage(_giant(number, plan.giant_bytes), good=True)
        else:
            yield FedMessage(next(good).value, good=True)


def _giant(number: int, size: int) -> bytes:
    text = SENTENCE * (1 + size // len(SENTENCE))
    note = {"note_id": f"giant-{number}", "patient_id": "giant", "language": "en", "text": text}
    return orjson.dumps(note)


class Feeder:
    """A thread that publishes round robin at a rate, whatever becomes of the broker meanwhile.

    `sent`, once it has stopped: every message that the broker took, by `topic/partition/offset`.
    """

    def __init__(
        self, kafka: Kafka, plan: ChaosPlan, partitions: int, mac: Callable[[bytes], str]
    ) -> None:
        self.sent: dict[str, Sent] = {}
        self.published = self.forgotten = 0
        self.error: str = ""
        self._taken: list[tuple[int, Sent]] = []
        self._kafka, self._plan, self._partitions, self._mac = kafka, plan, partitions, mac
        self._producer = Producer(
            {
                **base_options(kafka),
                "enable.idempotence": True,
                "linger.ms": 5,
                "message.timeout.ms": 0,  # it outlives every absence of the broker
                "message.max.bytes": kafka.max_message_bytes,
                "reconnect.backoff.max.ms": 500,
            }
        )
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feeder", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the feed, wait until all of it is with the broker, and learn where.

        What a broker that was struck acknowledged and does not hold was never an input: it counts
        as `forgotten`, not as published. Raises `Unavailable("kafka.publish")` where messages were
        not taken, or the broker holds what nobody sent.
        """
        self._end.set()
        self._thread.join(_FLUSH_S)
        left = self._producer.flush(_FLUSH_S)
        if left or self.error or len(self._taken) != self.published:
            raise Unavailable("kafka.publish", f"{left} messages were not taken {self.error}")
        self.sent = self._places(time.monotonic() + _SHOWN_S)
        self.forgotten = self.published - len(self.sent)
        self.published = len(self.sent)

    def _places(self, until: float) -> dict[str, Sent]:
        while True:
            records = held(self._kafka, self._partitions, self._mac)
            late = time.monotonic() > until
            try:
                return placed(self._kafka.topic_in, self._taken, records, whole=not late)
            except Unavailable:
                if late:
                    raise
            time.sleep(0.5)

    def _run(self) -> None:
        began = time.monotonic()
        for number, message in enumerate(messages(self._plan)):
            ahead = began + number / self._plan.rate - time.monotonic()
            if self._end.wait(max(0.0, ahead)):
                return
            self._publish(number, message)

    def _publish(self, number: int, message: FedMessage) -> None:
        partition = number % self._partitions

        def taken(error: KafkaError | None, _: object) -> None:
            if error is not None:
                self.error = error.name()
                return
            size, now = len(message.raw), time.monotonic()
            self._taken.append((partition, Sent(self._mac(message.raw), size, message.good, now)))

        while not self._end.is_set():
            try:
                self._producer.produce(
                    self._kafka.topic_in, message.raw, partition=partition, on_delivery=taken
                )
            except BufferError:
                self._producer.poll(0.1)
            else:
                self.published += 1
                break
        self._producer.poll(0)
