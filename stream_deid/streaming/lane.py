"""One partition's notes in hand: processed side by side, committed in order as they get done.

Partitions don't wait for one another: each has a lane. Within a lane the notes at its head that
are done go out in one transaction while the ones behind are still being processed, so a slow note
holds back only what comes after it in its own partition. What is in hand over all lanes is bounded
by notes and by bytes (`Room`); a single note that is larger than all room goes alone.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any

from stream_deid.streaming.delivery import Claim, Parcel
from stream_deid.streaming.observability.metrics import Metrics

Examine = Callable[[Claim, Any], Awaitable[Parcel]]
Commit = Callable[[Claim, Sequence[Parcel]], Awaitable[None]]
Acknowledge = Callable[[Any], Awaitable[None]]


class Room:
    """What may be in hand at once, in notes and in bytes."""

    def __init__(self, notes: int, size: int) -> None:
        self._notes, self._size = notes, size
        self.notes = self.size = 0
        self._changed = asyncio.Condition()

    async def take(self, size: int) -> None:
        """Wait until a note of `size` bytes fits, or nothing else is in hand."""
        async with self._changed:
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


@dataclass(slots=True)
class _InHand:
    event: Any
    size: int
    task: asyncio.Future[Parcel]
    taken: float


class Lane:
    """The notes of one claim, from intake to commit.

    `run` is the lane's task; it ends when the lane was closed and is empty, and raises what a note
    or a commit raised. `put` takes the next message of the partition, in order.
    """

    def __init__(
        self,
        claim: Claim,
        *,
        examine: Examine,
        commit: Commit,
        acknowledge: Acknowledge,
        room: Room,
        metrics: Metrics,
        batch: int,
    ) -> None:
        self.claim = claim
        self._examine, self._commit, self._acknowledge = examine, commit, acknowledge
        self._room, self._metrics, self._batch = room, metrics, batch
        self._hand: deque[_InHand] = deque()
        self._coming = asyncio.Event()
        self._closed = False

    def __len__(self) -> int:
        return len(self._hand)

    def put(self, event: Any) -> None:
        """Begin with a message for which there is room."""
        message = event.message
        task = asyncio.ensure_future(self._examine(self.claim, message))
        self._hand.append(_InHand(event, len(message.value or b""), task, time.time()))
        self._coming.set()

    def close(self) -> None:
        """Take nothing more; `run` ends when what is in hand is committed."""
        self._closed = True
        self._coming.set()

    async def run(self) -> None:
        """Commit what gets done, in order."""
        try:
            while self._hand or not self._closed:
                if not self._hand:
                    self._coming.clear()
                    await self._coming.wait()
                    continue
                await asyncio.wait({self._hand[0].task})
                await self._deliver()
        finally:
            await self._abandon()

    async def _deliver(self) -> None:
        """One transaction of the notes at the head that are done."""
        done = list(islice(takewhile(lambda one: one.task.done(), self._hand), self._batch))
        processed = time.time()
        await self._commit(self.claim, [one.task.result() for one in done])
        committed = time.time()
        self._metrics.observe("commit", committed - processed)
        for one in done:
            self._hand.popleft()
            await self._room.give(one.size)
            stamp = one.event.message.timestamp
            self._metrics.observe("queue", max(0.0, one.taken - stamp))
            self._metrics.observe("total", max(0.0, committed - stamp))
            await self._acknowledge(one.event)

    async def _abandon(self) -> None:
        """What is left in hand is read again by the next owner."""
        left, self._hand = self._hand, deque()
        for one in left:
            one.task.cancel()
            await self._room.give(one.size)
        await asyncio.gather(*(one.task for one in left), return_exceptions=True)
