"""Notes side by side, outcomes in the order of reading; no faster than live traffic allows."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from confluent_kafka import Message

from stream_deid.errors import DeidError
from stream_deid.outcome import (
    AnyProcessor,
    Dead,
    Released,
    Source,
    headers_of,
)
from stream_deid.streaming import suspects
from stream_deid.streaming.delivery import Parcel
from stream_deid.streaming.examine import NO_VALUE, OF_THE_PROCESS, Examiner
from stream_deid.streaming.kafka.clients import known
from stream_deid.streaming.kafka.headers import MISNAMED, headers_in
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.replay.plan import ReplayPlan
from stream_deid.streaming.replay.reading import Stream

ANOTHER = Dead("replay.another", "the message at these coordinates is not the one that was named")
"""Told in the summary; nothing is written for it."""

_MOST_BYTES = 8_000_000
_PAUSE_S = 0.2
_log = logs.get("replay")


class Crash(Exception):
    """The processor raised what it may not raise, at this place of the input."""

    def __init__(self, source: Source, kind: str) -> None:
        super().__init__(kind)
        self.source, self.kind = source, kind


class Courtesy:
    """How many notes may begin now: `rate` a second (0: any number), none while the workers' lag is
    above `most_lag`. `lag` is asked for every `look_s` seconds, in a thread.
    """

    def __init__(
        self,
        rate: float = 0.0,
        most_lag: int | None = None,
        lag: Callable[[], int] | None = None,
        *,
        look_s: float = 2.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate, self._most_lag, self._lag = rate, most_lag, lag
        self._look_s, self._now = look_s, now
        self._credit, self._counted = 1.0, now()
        self._looked, self._busy = -look_s, False

    async def allows(self) -> float:
        """Infinite where nothing bounds it."""
        now = self._now()
        if self._lag is not None and self._most_lag is not None:
            if now - self._looked >= self._look_s:
                self._busy = await asyncio.to_thread(self._lag) > self._most_lag
                self._looked = now
            if self._busy:
                return 0
        if not self._rate:
            return float("inf")
        self._credit += (now - self._counted) * self._rate
        self._credit = min(self._credit, max(1.0, self._rate))
        self._counted = now
        return self._credit

    def begun(self, count: int) -> None:
        """So many were begun."""
        self._credit -= count


@dataclass(frozen=True, slots=True)
class ReplayPace:
    """The `deadline_s` of a note; at most `most` notes (and 8 MB) at once, as `courtesy` allows."""

    deadline_s: float
    most: int
    courtesy: Courtesy


@dataclass(slots=True)
class ReplayTally:
    """What became of the notes of this run; `missing`: how many that were named hold no record."""

    released: int = 0
    missing: int = 0
    dead: Counter[str] = field(default_factory=Counter)

    def count(self, parcels: list[Parcel]) -> None:
        for parcel in parcels:
            if isinstance(parcel.outcome, Released):
                self.released += 1
            else:
                self.dead[parcel.outcome.code] += 1

    @property
    def done(self) -> int:
        return self.released + self.dead.total()


class Examination:
    """Examines what a stream reads of a plan, at its pace; ends when `stopped`."""

    def __init__(
        self,
        processor: AnyProcessor,
        stream: Stream,
        plan: ReplayPlan,
        pace: ReplayPace,
    ) -> None:
        self.stopped = asyncio.Event()
        self._processor, self._stream = processor, stream
        self._plan, self._pace = plan, pace
        self._examiner = Examiner(processor, Metrics(), asyncio.Event(), deadline_s=pace.deadline_s)
        self._window: deque[tuple[int, asyncio.Task[Parcel]]] = deque()
        self._ended = False

    async def parcels(self) -> AsyncGenerator[list[Parcel], None]:
        """Outcomes in order, as many at a time as are done.

        Raises `Unavailable`, `Halt`, `Crash`; notes that were begun are given up then.
        """
        try:
            while True:
                await self._begin()
                if not self._window:
                    if self._ended or self.stopped.is_set():
                        return
                    await asyncio.sleep(_PAUSE_S)
                    continue
                done = [await self._window[0][1]]
                self._window.popleft()
                while self._window and self._window[0][1].done():
                    done.append(self._window.popleft()[1].result())
                yield done
        finally:
            for _, task in self._window:
                task.cancel()

    async def _begin(self) -> None:
        """Begin as many as there is room and leave for."""
        allowed = await self._pace.courtesy.allows()
        while not self._ended and not self.stopped.is_set():
            room = int(min(self._pace.most - len(self._window), allowed))
            if room < 1 or sum(size for size, _ in self._window) >= _MOST_BYTES:
                return
            messages = await asyncio.to_thread(self._stream.take, min(room, 16))
            self._ended = not messages
            self._pace.courtesy.begun(len(messages))
            allowed -= len(messages)
            for message in messages:
                task = asyncio.create_task(self._parcel(message))
                self._window.append((len(message.value() or b""), task))

    async def _parcel(self, message: Message) -> Parcel:
        at = str(message.topic()), known(message.partition()), known(message.offset())
        stated = headers_in(message)
        source = Source(*at, headers_of(stated))
        raw = message.value()
        if raw is None:
            return Parcel(source, NO_VALUE, b"")
        tries = self._plan.progress[source.topic, source.partition].tries
        if tries.get(source.offset, 0) >= suspects.LIMIT:
            return Parcel(source, suspects.DEAD, raw)
        named = self._plan.macs.get((source.partition, source.offset))
        if named and named != self._processor.mac(raw):
            return Parcel(source, ANOTHER, b"")
        if stated is None:
            return Parcel(source, MISNAMED, raw)
        try:
            return Parcel(source, await self._examiner.outcome(raw, source), raw)
        except DeidError:
            raise
        except OF_THE_PROCESS:
            raise
        except BaseException as error:  # noqa: BLE001 - its words may quote the note
            _log.critical("note_crashes", partition=source.partition, offset=source.offset,
                          exc_info=error)  # fmt: skip
            raise Crash(source, type(error).__qualname__) from None
