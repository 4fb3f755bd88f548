"""What a run of chaos does, and what it holds against what it sees."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

HASHING_WORKER = (sys.executable, "-m", "stream_deid.rig.hashing_worker")
PARTITIONS = 6

START, STEADY = "start", "no event"
KILL, TERM, STOP, CONT = "worker SIGKILL", "worker SIGTERM", "worker SIGSTOP", "worker SIGCONT"
BROKER_QUICK, BROKER_SLOW = "broker SIGKILL", "broker SIGKILL, long"
TRITON, TRITON_STOP = "Triton SIGKILL", "Triton SIGSTOP"

WEIGHTS: Mapping[str, float] = MappingProxyType(
    {KILL: 4, TERM: 3, STOP: 2, BROKER_QUICK: 1, BROKER_SLOW: 0.5, TRITON: 1, TRITON_STOP: 0.5}
)
"""How often each kind of event comes, in proportion."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Seconds within which each partition must release again.

    `worker`: of a worker's signal. `broker`, `triton`: of the moment it answers again. `steady`:
    of the release before, while nothing happens. `start`: of the first worker's start. Large notes
    have a second more for every `bytes_a_second` bytes.
    """

    worker: float = 10.0
    broker: float = 20.0
    triton: float = 20.0
    steady: float = 10.0
    start: float = 60.0
    bytes_a_second: float = 100_000.0

    def of(self, kind: str) -> float:
        """The bound of a kind of event."""
        named = {START: self.start, STEADY: self.steady, TRITON: self.triton}
        named |= {TRITON_STOP: self.triton}
        named |= {BROKER_QUICK: self.broker, BROKER_SLOW: self.broker}
        return named.get(kind, self.worker)


@dataclass(frozen=True, slots=True)
class ChaosPlan:
    """`duration_s` of feeding `rate` notes and striking `kill_rate` times a second on average.

    Afterwards what is left has `settle_s`. `poison` and `giants`: their shares of the feed; a
    giant has `giant_bytes`. `static`: workers have names that stay (KIP-345). `kinds`: the events
    to choose from (those that the broker and the models allow are taken).
    """

    seed: int = 1
    duration_s: float = 60.0
    kill_rate: float = 0.05
    workers: int = 2
    rate: float = 60.0
    poison: float = 0.02
    giants: float = 0.003
    giant_bytes: int = 300_000
    delay_s: float = 0.02
    settle_s: float = 180.0
    session_timeout_s: float = 7.0
    static: bool = False
    away_s: tuple[float, float] = (3.0, 30.0)
    kinds: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    bounds: Bounds = field(default_factory=Bounds)
