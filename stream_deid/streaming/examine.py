"""One note through the processor: rejects become dead letters, absences are waited out."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from stream_deid.errors import DeidError, NoteRejected, Unavailable
from stream_deid.outcome import (
    ABSENT,
    BESIDE_MODELS,
    BYTES_A_SECOND,
    FAILED,
    AnyProcessor,
    Dead,
    Outcome,
    Source,
    headers_of,
)
from stream_deid.streaming import suspects
from stream_deid.streaming.delivery import Parcel, PartitionClaim
from stream_deid.streaming.kafka.headers import MISNAMED, misnamed
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.observability.traces import Tracer

TOO_SLOW = Dead("note.too_slow", "it can't be examined in the time that a note of its size has")

NO_VALUE = Dead("message.no_value", "the message has no value")

OF_THE_PROCESS = asyncio.CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit
"""What is raised around a note and doesn't concern it; all else does, no `Exception` or not (a
panic of a library in Rust).
"""

_log = logs.get("examine")


class Interrupted(Exception):
    """Partitions are being given up while a note waits for a service that is away."""


class Crashed(Exception):
    """The processor raised what it may not raise; only the type of it is kept."""

    def __init__(self, claim: PartitionClaim, offset: int, kind: str) -> None:
        super().__init__(kind)
        self.claim = claim
        self.offset = offset
        self.kind = kind


class Examiner:
    """Runs the processor for single notes; `leaving` is set while partitions are given up.

    A note has `deadline_s` seconds, and a second more for each `BYTES_A_SECOND` bytes of it.
    """

    def __init__(
        self,
        processor: AnyProcessor,
        metrics: Metrics,
        leaving: asyncio.Event,
        *,
        deadline_s: float,
        tracer: Tracer | None = None,
    ) -> None:
        self._tracer = tracer
        self._deadline_s = deadline_s
        self._processor = processor
        self._metrics = metrics
        self._leaving = leaving

    def time_of(self, size: int) -> float:
        """Seconds that a note of `size` bytes has."""
        return self._deadline_s + size / BYTES_A_SECOND

    async def parcel(self, claim: PartitionClaim, message: Any) -> Parcel:
        """The outcome of a Faust message.

        Raises `Unavailable` once its time has passed and the models don't answer (where they do,
        it is the note that can't be done in its time), `Halt`, `Crashed`, `Interrupted`.
        """
        headers = headers_of(message.headers)
        source = Source(message.topic, message.partition, message.offset, headers)
        trace = self._tracer.trace(message.headers, source) if self._tracer else None
        if message.value is None:
            return Parcel(source, NO_VALUE, b"", trace)
        raw = bytes(message.value)
        if misnamed(message.headers):
            return Parcel(source, MISNAMED, raw, trace)
        if claim.condemned(source.offset):
            return Parcel(source, suspects.DEAD, raw, trace)
        started = time.perf_counter()
        with self._metrics.in_flight.track_inprogress():
            try:
                outcome = await self.outcome(raw, source)
            except (DeidError, Interrupted):
                raise
            except OF_THE_PROCESS:
                raise
            except BaseException as error:  # noqa: BLE001 - whatever a defect raises
                # its words may quote the note: only its type goes on
                _log.critical("note_crashes", partition=source.partition,
                              offset=source.offset, exc_info=error)  # fmt: skip
                kind = type(error).__qualname__
                raise Crashed(claim, source.offset, kind) from None
        self._metrics.observe("process", time.perf_counter() - started)
        return Parcel(source, outcome, raw, trace)

    async def outcome(self, raw: bytes, source: Source) -> Outcome:
        """What becomes of a message; whatever is away is waited for.

        Raises as `parcel`, and whatever a defect of the processor raises.
        """
        deadline = time.monotonic() + self.time_of(len(raw))
        pause = 0.1
        while True:
            try:
                return await self._processor.process(raw, source)
            except NoteRejected as error:
                if error.code == FAILED:
                    _log.error("note_failed", partition=source.partition, offset=source.offset,
                               detail=error.detail)  # fmt: skip
                return Dead(error.code, error.detail)
            except Unavailable as error:
                self._metrics.retries.labels(error.code).inc()
                if time.monotonic() + pause > deadline:
                    if error.code == ABSENT:
                        return Dead(error.code, error.detail)
                    beside = error.code.startswith(BESIDE_MODELS)
                    if not beside and await self._is_slow(len(raw)):
                        return TOO_SLOW
                    raise
                _log.warning("note_waits", code=error.code, pause_s=round(pause, 2))
                await self._pause(pause)
                pause = min(2 * pause, 5.0)

    async def _is_slow(self, size: int) -> bool:
        """Whether it is the note that can't be done: the models answer, or have answered in the
        time that it has for its size; they may be too busy with it to answer now.
        """
        if await self._processor.answers():
            return True
        return (await self._processor.contact()).silent_s < size / BYTES_A_SECOND

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._leaving.wait(), seconds)
        except TimeoutError:
            return
        raise Interrupted
