"""What all connections of a listener share, and a bound for what they hold together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from stream_deid.config import Mllp
from stream_deid.mllp.arrival import Registrar
from stream_deid.mllp.intake import Intake
from stream_deid.mllp.metrics import ListenerMetrics


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
