"""What has been read of one partition and waits to be begun."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from stream_deid.streaming.bounds import Room

Acknowledge = Callable[[Any], Awaitable[None]]


class Backlog:
    """Messages in the order in which they came. All of them have taken `ahead`, and give it back
    when they leave; those that are passed over are acknowledged as well.
    """

    def __init__(self, ahead: Room, acknowledge: Acknowledge) -> None:
        self._ahead, self._acknowledge = ahead, acknowledge
        self._events: deque[Any] = deque()
        self.arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._events)

    def __getitem__(self, place: int) -> Any:
        return self._events[place]

    @property
    def size(self) -> int:
        """Bytes of all that waits."""
        return sum(map(size_of, self._events))

    def put(self, event: Any) -> None:
        """Take the next message, for which `ahead` has been taken."""
        self._events.append(event)
        self.arrived.set()

    def pop(self) -> Any:
        """The first message, which begins; `left` is to be called for it."""
        return self._events.popleft()

    async def left(self, event: Any) -> None:
        """A message waits no more."""
        await self._ahead.give(size_of(event))

    async def pass_over(self, place: int) -> None:
        """Let a message go: it has been taken, or will be read again."""
        event = self._events[place]
        del self._events[place]
        await self.left(event)
        await self._acknowledge(event)

    async def drop(self) -> None:
        """Let all go that is left, unacknowledged."""
        while self._events:
            await self.left(self._events.popleft())


def offset_of(event: Any) -> int:
    """Where a message stands in its partition."""
    return int(event.message.offset)


def size_of(event: Any) -> int:
    """Bytes of a message."""
    return len(event.message.value or b"")
