"""What bounds the lanes of a worker together: room for what is processed and for what waits, and
the turn of a note that is looked at alone.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


class Room:
    """What may be there at once, in notes and in bytes; first come, first served."""

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

    def share(self, notes: int, size: int) -> float:
        """How much of it so much takes, by notes or by bytes, whichever is more."""
        return max(notes / self._notes, size / self._size)


class Turn:
    """Whose turn it is to be looked at alone, and until when (`time.monotonic()`) it has time."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.until = 0.0


@dataclass(frozen=True, slots=True)
class LaneBounds:
    """The same for all lanes: `hand` for what is processed, `ahead` for what has been read and
    waits, `turn` of notes that are looked at alone, and how many notes one `batch` commits.
    """

    hand: Room
    ahead: Room
    batch: int
    turn: Turn = field(default_factory=Turn)
