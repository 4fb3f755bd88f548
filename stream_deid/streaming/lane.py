"""One partition's notes: taken in order, processed side by side, committed in order.

Partitions don't wait for one another: each has a lane. Within a lane the notes at its head that
are done go out in one transaction while the ones behind are still being processed, so a slow note
holds back only what comes after it in its own partition.

What is being processed over all lanes is bounded by notes and by bytes (`bounds`), and what waits
for that in the lanes (`backlog`) likewise, more widely: so large notes of one partition hold up
another only when they fill all of that. A small note that is alone in its lane needs no room. Where
nothing more may wait for some seconds, the lane in which most waits drops that (`shed`), and its
partition is read on when what it has in hand is done.

Notes that may have ended processes (`suspects`) are taken one at a time over all lanes (`Turn`).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from stream_deid.streaming.backlog import Backlog, offset_of, size_of
from stream_deid.streaming.bounds import LaneBounds
from stream_deid.streaming.claims import Claims
from stream_deid.streaming.consumer import InputConsumer
from stream_deid.streaming.delivery import Parcel, PartitionClaim
from stream_deid.streaming.examine import Examiner
from stream_deid.streaming.observability.telemetry import Telemetry
from stream_deid.streaming.observability.traces import Times
from stream_deid.streaming.unbroken import Unbroken


@dataclass(frozen=True, slots=True)
class Partners:
    """Whom a lane works with: who hands it messages, examines and commits them, and is told."""

    consumer: InputConsumer
    examiner: Examiner
    claims: Claims
    telemetry: Telemetry


@dataclass(slots=True)
class _InHand:
    event: Any
    size: int
    task: asyncio.Future[Parcel]
    taken: float
    until: float
    counted: bool


_AGAIN_S = 1.0  # for a record that is read again

_SMALL = 200_000
"""Bytes of a note that, alone in its lane, needs no room."""


class PartitionLane:
    """The notes of one claim, from intake to commit.

    `run` is the lane's task; it ends when the lane was closed and is empty, and raises what a note
    or a commit raised. `put` takes the next message of the partition, in order.
    """

    def __init__(self, claim: PartitionClaim, partners: Partners, bounds: LaneBounds) -> None:
        self.claim = claim
        self._partners, self._bounds = partners, bounds
        self._unbroken = Unbroken(claim, partners.claims.skipped)
        self._backlog = Backlog(bounds.ahead, partners.consumer.acknowledge)
        self._hand: deque[_InHand] = deque()
        self._news, self._empty = asyncio.Event(), asyncio.Event()
        self._empty.set()
        self._closed = self._queues = False
        self.shedding = False

    def __len__(self) -> int:
        return len(self._hand)

    @property
    def patience(self) -> float:
        """Until when (`time.monotonic()`) the note at the head has time, or the one of another
        lane that it waits for; 0 where there is none.
        """
        waited_for = self._bounds.turn.until if self._queues else 0.0
        return self._hand[0].until if self._hand else waited_for

    @property
    def waiting(self) -> int:
        """How many notes wait in it."""
        return len(self._backlog)

    @property
    def share(self) -> float:
        """How much of what may wait in all lanes does so in this one."""
        return self._bounds.ahead.share(len(self._backlog), self._backlog.size)

    async def shed(self) -> int:
        """Drop what waits behind the next note, to be read again; how many those were. Until it is
        all that comes is to be dropped (`shedding`).
        """
        self.shedding = True
        dropped = 0
        while len(self._backlog) > 1:
            await self._backlog.pass_over(-1)
            dropped += 1
        return dropped

    def put(self, event: Any) -> None:
        """Take the next message of the partition, for which `ahead` has been taken."""
        self._backlog.put(event)

    def close(self) -> None:
        """Begin nothing more; `run` ends when what is in hand is committed."""
        self._closed = True
        self._news.set()
        self._backlog.arrived.set()

    async def run(self) -> None:
        """Begin what fits, and commit what gets done, in order."""
        beginning = asyncio.ensure_future(self._begin())
        beginning.add_done_callback(lambda _: self._news.set())
        try:
            while self._hand or not self._closed:
                if beginning.done() and not self._closed:
                    beginning.result()
                if self._hand:
                    await asyncio.wait({self._hand[0].task})
                    await self._deliver()
                    await self._go_on()
                else:
                    self._news.clear()
                    await self._news.wait()
        finally:
            beginning.cancel()
            await asyncio.gather(beginning, return_exceptions=True)
            await self._abandon()

    async def _begin(self) -> None:
        """Start the notes that wait, in order, each once there is room."""
        await self._backlog.arrived.wait()
        if not self._closed:
            await self._partners.claims.begin(self.claim)
        while not self._closed:
            if not self._backlog:
                self._backlog.arrived.clear()
                await self._backlog.arrived.wait()
            elif self._is_passed(offset := offset_of(self._backlog[0])):
                await self._backlog.pass_over(0)
                await self._go_on()
            elif (missing := await self._unbroken.missing(offset)) is not None:
                await self._go_back(missing)
            elif self.claim.alone(offset):
                await self._take_alone()
            else:
                await self._take()

    def _is_passed(self, offset: int) -> bool:
        """Whether a record has been taken, or will be read again."""
        return self._unbroken.came(offset) or (self.shedding and offset != self._unbroken.expected)

    async def _go_on(self) -> None:
        """Read what was shed, once nothing else is left."""
        if self.shedding and not (self._hand or self._backlog or self._closed):
            self.shedding = False
            await self._partners.consumer.read_on(self.claim.partition)

    async def _go_back(self, missing: int) -> None:
        """Have the consumer read `missing` again, and pass over what was on the way. Where it
        doesn't come, what stood at the head is looked at again.
        """
        await self._partners.consumer.read_again()
        until = time.monotonic() + _AGAIN_S
        while not self._closed and (left := until - time.monotonic()) > 0:
            while len(self._backlog) > 1 and offset_of(self._backlog[1]) != missing:
                await self._backlog.pass_over(1)
            if len(self._backlog) > 1:
                await self._backlog.pass_over(0)
                return
            self._backlog.arrived.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._backlog.arrived.wait(), left)

    async def _take(self) -> None:
        size = size_of(self._backlog[0])
        counted = await self._admitted(size)
        if not self._closed:
            await self._start(counted=counted)
        elif counted:  # closed meanwhile
            await self._bounds.hand.give(size)

    async def _take_alone(self) -> None:
        self._queues = True
        async with self._bounds.turn.lock:
            await self._empty.wait()
            if not self._closed:
                await self._partners.claims.attempt(self.claim, offset_of(self._backlog[0]))
            if not self._closed:
                await self._start(counted=False)
                self._bounds.turn.until = self._hand[-1].until
                self._queues = False
                await self._empty.wait()

    async def _start(self, *, counted: bool) -> None:
        event, examiner = self._backlog.pop(), self._partners.examiner
        self._unbroken.taken(offset_of(event))
        size = size_of(event)
        task = asyncio.ensure_future(examiner.parcel(self.claim, event.message))
        until = time.monotonic() + examiner.time_of(size)
        self._hand.append(_InHand(event, size, task, time.time(), until, counted))
        self._empty.clear()
        self._news.set()
        await self._backlog.left(event)

    async def _admitted(self, size: int) -> bool:
        """Wait until a note of `size` may begin; whether it has taken room for that."""
        if size > _SMALL:
            await self._bounds.hand.take(size)
            return True
        taken = asyncio.ensure_future(self._bounds.hand.take(size))
        alone = asyncio.ensure_future(self._empty.wait())
        try:
            await asyncio.wait({taken, alone}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            if taken.done():
                await self._bounds.hand.give(size)
            raise
        finally:
            alone.cancel()
            if not taken.done():
                taken.cancel()
        return taken.done()

    async def _deliver(self) -> None:
        """One transaction of the notes at the head that are done."""
        claims, telemetry = self._partners.claims, self._partners.telemetry
        done = list(islice(takewhile(lambda one: one.task.done(), self._hand), self._bounds.batch))
        processed, began = time.time(), time.monotonic()
        parcels = [one.task.result() for one in done]
        await claims.commit(self.claim, parcels)
        committed = time.time()
        telemetry.metrics.observe("commit", time.monotonic() - began)  # the day's clock may step
        for one, parcel in zip(done, parcels, strict=True):
            self._hand.popleft()
            if not self._hand:
                self._empty.set()
            await self._leave(one)
            times = Times(one.event.message.timestamp, one.taken, processed, committed)
            telemetry.committed(parcel.outcome, parcel.source, parcel.trace, times)
            await self._partners.consumer.acknowledge(one.event)

    async def _abandon(self) -> None:
        """What is left in hand is read again by the next owner."""
        await self._backlog.drop()
        left, self._hand = self._hand, deque()
        for one in left:
            one.task.cancel()
            await self._leave(one)
        await asyncio.gather(*(one.task for one in left), return_exceptions=True)

    async def _leave(self, one: _InHand) -> None:
        if one.counted:
            await self._bounds.hand.give(one.size)
