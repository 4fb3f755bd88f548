"""One connection: blocks in, answers out, one after the other in the order in which they came.

Nothing more is read while a message waits for its answer, so a sender that does not wait for ACKs
is slowed down by TCP, not by memory.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from stream_deid.config import Mllp
from stream_deid.errors import DeidError, NoteRejected
from stream_deid.mllp import answer, header
from stream_deid.mllp.arrival import Arrival, Registrar
from stream_deid.mllp.framing import Block, Blocks, wrap
from stream_deid.mllp.intake import Intake
from stream_deid.mllp.metrics import ListenerMetrics
from stream_deid.streaming.observability import logs

_READ = 65_536
_NOISE = 4096
_LARGE = 65_536  # from this size on a message is parsed in a thread

_log = logs.get("mllp")


class Budget:
    """Bounds the bytes of all messages in hand: beyond it nobody reads on."""

    def __init__(self, limit: int, metrics: ListenerMetrics) -> None:
        self._limit, self._held, self._metrics = limit, 0, metrics
        self._changed = asyncio.Condition()

    async def room(self) -> None:
        """Wait until something may be read."""
        if self._held < self._limit:
            return
        async with self._changed:
            await self._changed.wait_for(lambda: self._held < self._limit)

    async def change(self, by: int) -> None:
        self._held += by
        self._metrics.held.set(self._held)
        if by < 0:
            async with self._changed:
                self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class House:
    """What all connections share."""

    settings: Mllp
    registrar: Registrar
    intake: Intake
    metrics: ListenerMetrics
    budget: Budget


class Connection:
    """`run` until the peer leaves, breaks a limit, or `leave` was called and nothing is in hand."""

    def __init__(
        self, house: House, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._house, self._reader, self._writer = house, reader, writer
        settings = house.settings
        self._blocks = Blocks(settings.max_message_bytes, lenient=settings.lenient_end)
        self._counted = 0
        self._began: float | None = None  # when the block in hand did
        self._leaving = False
        self._reading: asyncio.Task[bytes] | None = None

    def leave(self) -> None:
        """Finish the message in hand, and take no other."""
        self._leaving = True
        if self._reading is not None:
            self._reading.cancel()

    async def run(self) -> str:
        """Why it ended: `peer`, `idle`, `slow`, `noise`, `unanswered`, `stopping`, `broken`."""
        try:
            return await self._serve()
        except (ConnectionError, TimeoutError):
            return "broken"
        finally:
            await self._hold(0)
            cut = self._blocks.cut + self._blocks.inside
            self._house.metrics.cut.inc(cut)

    async def _serve(self) -> str:
        reason = ""
        while not reason:
            data, reason = await self._read()
            if not reason:
                reason = await self._take(data)
        return reason

    async def _take(self, data: bytes) -> str:
        """Answer the blocks that end in `data`; why the connection is to end, or nothing."""
        for block in self._blocks.feed(data):
            self._began = None
            await self._hold(self._blocks.size + len(block.body))
            if not await self._answer(block):
                return "unanswered"
            if self._leaving:
                return "stopping"
        await self._hold(self._blocks.size)
        if not self._blocks.inside:
            self._began = None
        elif self._began is None:
            self._began = time.monotonic()
        return "noise" if self._blocks.noise > _NOISE else ""

    async def _read(self) -> tuple[bytes, str]:
        """What comes next, or why nothing does."""
        settings = self._house.settings
        left, late = settings.idle_s, "idle"
        if self._began is not None:
            left, late = self._began + settings.frame_s - time.monotonic(), "slow"
        if self._leaving:
            return b"", "stopping"
        self._reading = asyncio.ensure_future(self._next())
        try:
            data = await asyncio.wait_for(self._reading, max(0.0, left))
        except TimeoutError:
            return b"", late
        except asyncio.CancelledError:
            if self._leaving:
                return b"", "stopping"
            raise
        finally:
            self._reading = None
        return data, "" if data else "peer"

    async def _next(self) -> bytes:
        await self._house.budget.room()
        return await self._reader.read(_READ)

    async def _hold(self, size: int) -> None:
        by, self._counted = size - self._counted, size
        if by:
            await self._house.budget.change(by)

    async def _answer(self, block: Block) -> bool:
        """Take a message and answer it; false where it isn't taken and no answer is wanted, so
        that the end of the connection has to say so.
        """
        started = time.perf_counter()
        metrics, head, wrong = self._house.metrics, header.NO_HEADER, None
        try:
            head = header.read(block.body)
            arrival = await self._arrival(head, block)
            kind = await self._house.intake.take(arrival)
            metrics.messages.labels(kind).inc()
            metrics.bytes.inc(len(block.body))
        except DeidError as error:
            wrong = answer.problem(error.code)
            _log.warning("not_taken", code=error.code, bytes=len(block.body))
        code, message = answer.answer(head, wrong)
        metrics.answers.labels(code, wrong.code if wrong else "").inc()
        metrics.seconds.observe(time.perf_counter() - started)
        metrics.senders.set(self._house.intake.senders)
        if message:
            self._writer.write(wrap(message))
            await asyncio.wait_for(self._writer.drain(), self._house.settings.frame_s)
        return bool(message) or wrong is None

    async def _arrival(self, head: header.Header, block: Block) -> Arrival:
        if not block.whole:
            raise NoteRejected("mllp.too_large", "longer than mllp.max_message_bytes")
        register = self._house.registrar.arrival
        if len(block.body) > _LARGE:
            return await asyncio.to_thread(register, head, block.body)
        return register(head, block.body)
