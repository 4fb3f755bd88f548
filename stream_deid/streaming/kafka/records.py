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
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from confluent_kafka import KafkaException

from stream_deid.config import Settings
from stream_deid.errors import DeidError, Halt, Unavailable
from stream_deid.outcome import PatientRecord
from stream_deid.streaming.kafka.record_log import BEHIND, Log
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics

_IDLE_S = 1.0

_log = logs.get("records")


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


class TopicRecords:
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


async def records_of(settings: Settings, metrics: Metrics | None = None) -> dict[str, TopicRecords]:
    """What a processor is opened with beside its settings: `records`, read to their end, where
    there are any. Raises `Unavailable`, `Halt`.
    """
    if not settings.kafka.topic_records:
        return {}
    records = TopicRecords(settings, metrics)
    await asyncio.to_thread(records.open)
    return {"records": records}
