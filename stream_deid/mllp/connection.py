"""One connection: blocks in, answers out, one after the other in the order in which they came.

Nothing more is read while a message waits for its answer, so a sender that does not wait for ACKs
is slowed down by TCP, not by memory.
"""

from __future__ import annotations

import asyncio
import time

from stream_deid.mllp.desk import Desk
from stream_deid.mllp.door import Visitor
from stream_deid.mllp.framing import Block, Blocks, wrap
from stream_deid.mllp.house import House
from stream_deid.streaming.observability import logs

_READ = 65_536
_NOISE = 4096
_WELL = ("peer", "stopping")

_log = logs.get("mllp")


class Connection:
    """`run` until the peer leaves, breaks a limit, or `leave` was called and nothing is in hand."""

    def __init__(
        self,
        house: House,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        visitor: Visitor,
    ) -> None:
        self._house, self._reader, self._writer = house, reader, writer
        self._desk = Desk(house)
        self._visitor = visitor
        settings = house.settings
        self._blocks = Blocks(settings.max_message_bytes, lenient=settings.lenient_end)
        self._counted, self._told = 0, (0, 0)
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
        reason = "failed"
        try:
            reason = await self._serve()
        except (ConnectionError, TimeoutError):
            reason = "broken"
        finally:
            await self._hold(0)
            self._tell_lost(ended=self._blocks.inside)
            if reason not in _WELL or self._blocks.inside:
                held, half = self._blocks.size, self._blocks.half_ended
                _log.warning(
                    "connection_ended", reason=reason, bytes=held, only_return_missing=half
                )
        return reason

    def _tell_lost(self, *, ended: bool = False) -> None:
        """Count and log what was dropped since this was called last."""
        cut, noise = self._blocks.cut + ended, self._blocks.dropped
        if (cut, noise) != self._told:
            more_cut, more_noise = cut - self._told[0], noise - self._told[1]
            _log.warning("dropped", blocks=more_cut, bytes_between=more_noise)
            self._house.metrics.cut.inc(more_cut)
            self._house.metrics.noise.inc(more_noise)
            self._told = cut, noise

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
            self._began, self._visitor.silent = None, False
            self._tell_lost()
            await self._hold(self._blocks.size + len(block.body))
            if not await self._answer(block):
                return "unanswered"
            if self._leaving:
                return "stopping"
        self._tell_lost()
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
        """Take what is in a block and answer it; false where it isn't taken and no answer is
        wanted, so that the end of the connection has to say so.
        """
        reply = await self._desk.take(block)
        if reply.message:
            self._writer.write(wrap(reply.message))
            await asyncio.wait_for(self._writer.drain(), self._house.settings.frame_s)
        return not reply.unsaid
