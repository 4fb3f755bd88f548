"""What reads the input, as those see it who take its messages."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol


class InputConsumer(Protocol):
    """Faust's consumer of the input topic (`app.ClaimingApp`)."""

    def acknowledge(self, event: Any, /) -> Awaitable[Any]:
        """A message is done with, committed or not."""

    async def read_again(self) -> None:
        """Read every claimed partition from where its claim stands."""

    async def read_on(self, partition: int) -> None:
        """Read a partition that was paused, from where its claim stands."""

    def pause(self, partition: int) -> None:
        """Read no more of a partition; what is on the way still comes, or is lost."""
