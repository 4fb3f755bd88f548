"""One partition's notes: taken in order, processed side by side, committed in order.

Partitions don't wait for one another: each has a lane. Within a lane the notes at its head that
are done go out in one transaction while the ones behind are still being processed, so a slow note
holds back only what comes after it in its own partition.

What is being processed over all lanes is bounded by notes and by bytes (`Room`), and what waits
for that in the lanes likewise, more widely: so large notes of one partition hold up another only
when they fill all of that. A small note that is alone in its lane needs no room. Where nothing more
may wait for some seconds, the lane in which most waits drops that (`shed`), and its partition is
read on when what it has in hand is done.

Notes that may have ended processes (`suspects`) are taken one at a time over all lanes (`Turn`).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from stream_deid.streaming.claims import Claims
from stream_deid.streaming.delivery import Parcel, PartitionClaim
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.observability.traces import Times, Tracer
from stream_deid.streaming.unbroken import Unbroken

Examine = Callable[[PartitionClaim, Any], Awaitable[Parcel]]
Acknowledge = Callable[[Any], Awaitable[None]]


class Room:
    """What may be processed at once, in notes and in bytes; first come, first served."""

    def __init__(self, notes: int, size: int) -> None:
        self._notes, self._size = notes, size
        self.notes = self.size = 0
        self._turn = asyncio.Lock()
        self._changed = asyncio.Condition()

    async def take(self, size: int) -> None:
        """Wait until a note of `size` bytes fits, or nothing else has room."""
        async with self._turn, self._changed:
            await self._changed.wait_for(
                lambda: (
                    not self.notes or (self.notes < self._notes and self.size + size <= self._size)
                )
            )
            self.notes, self.size = self.notes + 1, self.size + size

    async def give(self, size: int) -> None:
        """A note is done with."""
        async with self._changed:
            self.notes, self.size = self.notes - 1, self.size - size
            self._changed.notify_all()


class Turn:
    """Whose turn it is to be looked at alone, and until when (`time.monotonic()`) it has time."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.until = 0.0


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

    def __init__(
        self,
        claim: PartitionClaim,
        *,
        examine: Examine,
        claims: Claims,
        acknowledge: Acknowledge,
        read_again: Callable[[], Awaitable[None]],
        read_on: Callable[[int], Awaitable[None]],
        time_of: Callable[[int], float],
        room: Room,
        ahead: Room,
        turn: Turn,
        metrics: Metrics,
        batch: int,
        tracer: Tracer | None = None,
    ) -> None:
        self._tracer = tracer
        self.claim = claim
        self._examine, self._claims, self._acknowledge = examine, claims, acknowledge
        self._time_of, self._batch = time_of, batch
        self._room, self._ahead, self._turn, self._metrics = room, ahead, turn, metrics
        self._unbroken = Unbroken(claim, claims.skipped)
        self._read_again, self._read_on = read_again, read_on
        self.shedding = False
        self._waiting: deque[Any] = deque()
        self._hand: deque[_InHand] = deque()
        self._news, self._arrived, self._empty = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._empty.set()
        self._closed = self._queues = False

    def __len__(self) -> int:
        return len(self._hand)

    @property
    def patience(self) -> float:
        """Until when (`time.monotonic()`) the note at the head has time, or the one of another
        lane that it waits for; 0 where there is none.
        """
        waited_for = self._turn.until if self._queues else 0.0
        return self._hand[0].until if self._hand else waited_for

    @property
    def waiting(self) -> tuple[int, int]:
        """How many notes wait in it, and how many bytes they have."""
        return len(self._waiting), sum(map(_size, self._waiting))

    async def shed(self) -> int:
        """Drop what waits behind the next note, to be read again; how many those were. Until it is
        all that comes is to be dropped (`shedding`).
        """
        self.shedding = True
        dropped = 0
        while len(self._waiting) > 1:
            await self._pass_over(-1)
            dropped += 1
        return dropped

    def put(self, event: Any) -> None:
        """Take the next message of the partition, for which `ahead` has been taken."""
        self._waiting.append(event)
        self._arrived.set()

    def close(self) -> None:
        """Begin nothing more; `run` ends when what is in hand is committed."""
        self._closed = True
        self._news.set()
        self._arrived.set()

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
        await self._arrived.wait()
        if not self._closed:
            await self._claims.begin(self.claim)
        while not self._closed:
            if not self._waiting:
                self._arrived.clear()
                await self._arrived.wait()
            elif self._is_passed(offset := _offset(self._waiting[0])):
                await self._pass_over(0)
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

    async def _pass_over(self, place: int) -> None:
        event = self._waiting[place]
        del self._waiting[place]
        await self._ahead.give(_size(event))
        await self._acknowledge(event)

    async def _go_on(self) -> None:
        """Read what was shed, once nothing else is left."""
        if self.shedding and not (self._hand or self._waiting or self._closed):
            self.shedding = False
            await self._read_on(self.claim.partition)

    async def _go_back(self, missing: int) -> None:
        """Have the consumer read `missing` again, and pass over what was on the way. Where it
        doesn't come, what stood at the head is looked at again.
        """
        await self._read_again()
        until = time.monotonic() + _AGAIN_S
        while not self._closed and (left := until - time.monotonic()) > 0:
            while len(self._waiting) > 1 and _offset(self._waiting[1]) != missing:
                await self._pass_over(1)
            if len(self._waiting) > 1:
                await self._pass_over(0)
                return
            self._arrived.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), left)

    async def _take(self) -> None:
        size = _size(self._waiting[0])
        counted = await self._admitted(size)
        if not self._closed:
            await self._start(counted=counted)
        elif counted:  # closed meanwhile
            await self._room.give(size)

    async def _take_alone(self) -> None:
        self._queues = True
        async with self._turn.lock:
            await self._empty.wait()
            if not self._closed:
                await self._claims.attempt(self.claim, self._waiting[0].message.offset)
            if not self._closed:
                await self._start(counted=False)
                self._turn.until = self._hand[-1].until
                self._queues = False
                await self._empty.wait()

    async def _start(self, *, counted: bool) -> None:
        event = self._waiting.popleft()
        self._unbroken.taken(_offset(event))
        size = _size(event)
        task = asyncio.ensure_future(self._examine(self.claim, event.message))
        until = time.monotonic() + self._time_of(size)
        self._hand.append(_InHand(event, size, task, time.time(), until, counted))
        self._empty.clear()
        self._news.set()
        await self._ahead.give(size)

    async def _admitted(self, size: int) -> bool:
        """Wait until a note of `size` may begin; whether it has taken room for that."""
        if size > _SMALL:
            await self._room.take(size)
            return True
        taken = asyncio.ensure_future(self._room.take(size))
        alone = asyncio.ensure_future(self._empty.wait())
        try:
            await asyncio.wait({taken, alone}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            if taken.done():
                await self._room.give(size)
            raise
        finally:
            alone.cancel()
            if not taken.done():
                taken.cancel()
        return taken.done()

    async def _deliver(self) -> None:
        """One transaction of the notes at the head that are done."""
        done = list(islice(takewhile(lambda one: one.task.done(), self._hand), self._batch))
        processed, began = time.time(), time.monotonic()
        parcels = [one.task.result() for one in done]
        await self._claims.commit(self.claim, parcels)
        committed = time.time()
        self._metrics.observe("commit", time.monotonic() - began)  # the clock of the day may step
        for one, parcel in zip(done, parcels, strict=True):
            self._hand.popleft()
            if not self._hand:
                self._empty.set()
            await self._leave(one)
            stamp = one.event.message.timestamp
            note = parcel.outcome.stats.note
            self._metrics.observe("queue", max(0.0, one.taken - stamp), note)
            self._metrics.observe("total", max(0.0, committed - stamp), note)
            if self._tracer and parcel.trace:
                times = Times(stamp, one.taken, processed, committed)
                self._tracer.note(parcel.trace, parcel.source, parcel.outcome, times)
            await self._acknowledge(one.event)

    async def _abandon(self) -> None:
        """What is left in hand is read again by the next owner."""
        while self._waiting:
            await self._ahead.give(_size(self._waiting.popleft()))
        left, self._hand = self._hand, deque()
        for one in left:
            one.task.cancel()
            await self._leave(one)
        await asyncio.gather(*(one.task for one in left), return_exceptions=True)

    async def _leave(self, one: _InHand) -> None:
        if one.counted:
            await self._room.give(one.size)


def _offset(event: Any) -> int:
    return int(event.message.offset)


def _size(event: Any) -> int:
    return len(event.message.value or b"")
