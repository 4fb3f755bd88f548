"""What a replay is asked to do, and where it does it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from stream_deid.config import Kafka
from stream_deid.streaming.replay.order import ReplayOrder
from stream_deid.streaming.replay.reading import BrokerView


@dataclass(frozen=True, slots=True)
class ReplayJob:
    """An order, and how it is carried out.

    `name`: of the replay; the same name goes on where it stopped. `rate`: notes a second, 0 for no
    bound; `most_lag`: none begin while the workers are further behind. `dry`: only say what would
    be done. `verify`: compare byte by byte; `differences`: a folder for what is different.
    """

    order: ReplayOrder = field(default_factory=ReplayOrder)
    name: str = ""
    rate: float = 0.0
    most_lag: int | None = None
    dry: bool = False
    verify: bool = False
    differences: Path | None = None

    @property
    def compares(self) -> bool:
        """Whether outputs are compared with what was released, and nothing is written."""
        return self.verify or self.differences is not None

    @property
    def settled(self) -> bool:
        """Whether nothing is taken that the workers have not done yet."""
        return self.order.live or self.compares


@dataclass(frozen=True, slots=True)
class Errand:
    """One carrying out of a job under a name: `live`: the topics and the group of the workers,
    `mine`: those of this replay, seen through `broker`.
    """

    job: ReplayJob
    name: str
    live: Kafka
    mine: Kafka
    broker: BrokerView
