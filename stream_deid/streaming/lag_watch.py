"""A worker's lag and progress, looked at from outside of Faust.

Faust can believe itself ready and read nothing for good. So liveness does not ask Faust: it
looks at the broker. A partition with unread notes whose committed offset has not moved for
`stall_s` seconds makes a worker fail its liveness if it owns the partition and is not at work on
a note that still has time, or if nobody in the group owns it; long before that it has it read
again, for what Faust fetched and lost does not come by itself. A worker that is not live for
`grace_s` without being restarted ends itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from stream_deid.config import Kafka
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.health import Health
from stream_deid.streaming.kafka import membership
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics

_PEEK_S = 2.0

_log = logs.get("health")


@dataclass(frozen=True, slots=True)
class WatchTimes:
    """In seconds: a partition that stands still is read again after `again_s`, and held against
    the worker after `stall_s`; looked at `every_s`; a worker that fails ends after `grace_s`.
    """

    stall_s: float
    again_s: float = 15.0
    every_s: float = 3.0
    grace_s: float = 20.0


@dataclass(frozen=True, slots=True)
class Watched:
    """A worker as the watch sees it, from another thread: the partitions `owned`, until when it has
    `patience` with what is in hand of one, and what it can be told: to `end`, to `read_again`.
    """

    owned: Callable[[], set[int]]
    end: Callable[[BaseException], None]
    patience: Callable[[int], float] = lambda _: 0.0
    read_again: Callable[[int], object] = lambda _: None


@dataclass(slots=True)
class _Seen:
    position: int
    since: float


class PartitionProgress:
    """Judges from offsets over time which partitions stand still; no I/O, time is given."""

    def __init__(self, stall_s: float) -> None:
        self._stall_s = stall_s
        self._seen: dict[int, _Seen] = {}

    def note(self, partition: int, position: int, end: int, now: float) -> bool:
        """Record where a partition stands; True when it has stood still for too long."""
        seen = self._seen.get(partition)
        if seen is None or seen.position != position or position >= end:
            self._seen[partition] = _Seen(position, now)
            return False
        return now - seen.since > self._stall_s

    def forgive(self, partition: int, now: float) -> None:
        """Start the clock of a partition anew (it had nothing to read after all)."""
        self._seen[partition].since = now


class LagWatch(threading.Thread):
    """Looks at lag and progress every few seconds, and tells `Health` and `Metrics`."""

    def __init__(
        self, kafka: Kafka, watched: Watched, times: WatchTimes, health: Health, metrics: Metrics
    ) -> None:
        super().__init__(name="watch", daemon=True)
        self._kafka, self._watched, self._times = kafka, watched, times
        self._health, self._metrics = health, metrics
        self._progress = PartitionProgress(times.stall_s)
        self._lost = PartitionProgress(times.again_s)
        self._empty: dict[int, tuple[int, int]] = {}
        self._failing_since: float | None = None
        self._ended = threading.Event()

    def start(self) -> None:
        """What the start took is not held against the loop, which begins now."""
        self._health.beat()
        super().start()

    def run(self) -> None:
        offsets = Offsets(self._kafka)
        while not self._ended.wait(self._times.every_s):
            try:
                self._health.stalled(self._look(offsets))
            except Exception as error:  # noqa: BLE001 - a broker that is away must not end the watch
                _log.warning("watch_failed", error=logs.describe(error)[0]["type"])
                if isinstance(error, Unavailable):  # a call hangs: that client answers no more
                    offsets = Offsets(self._kafka)
            self._judge()
        offsets.close()

    def stop(self) -> None:
        self._ended.set()

    def _judge(self) -> None:
        reasons = self._health.live()
        self._metrics.live.set(0 if reasons else 1)
        now = time.monotonic()
        if not reasons:
            self._failing_since = None
        elif self._failing_since is None:
            self._failing_since = now
            _log.error("not_live", reasons=reasons)
        elif now - self._failing_since > self._times.grace_s:
            self._watched.end(Halt("stream.stalled", "; ".join(reasons)))

    def _look(self, offsets: Offsets) -> list[str]:
        """Which partitions stand still, and whose that is: reasons to restart this process."""
        reasons = []
        owners = cache(lambda: membership.owned(self._kafka) or set())
        owned, behind = self._watched.owned(), dict[int, int]()
        partitions = offsets.partitions()
        self._metrics.partitions.set(partitions)
        for partition, place in offsets.lag(range(partitions)).items():
            if partition in owned:
                behind[partition] = self._behind(partition, place)
            if self._stands_still(partition, place, offsets) and (
                whose := self._whose_fault(partition, owners)
            ):
                reasons.append(f"partition {partition} {whose} and stands at {place[0]}")
        self._metrics.lagging(behind)
        return reasons

    def _behind(self, partition: int, place: tuple[int, int]) -> int:
        """How much of an owned partition is unread; where that stays so, it is read again."""
        position, end = place
        empty = self._empty.get(partition) == place
        if self._lost.note(partition, position, end, time.monotonic()) and not empty:
            self._lost.forgive(partition, time.monotonic())
            self._watched.read_again(partition)
        return 0 if empty else max(0, end - position)

    def _stands_still(self, partition: int, place: tuple[int, int], offsets: Offsets) -> bool:
        """Whether a partition that holds a record has not moved for too long."""
        if not self._progress.note(partition, *place, time.monotonic()):
            return False
        if offsets.peek(partition, place[0], timeout_s=_PEEK_S) is None:
            # markers of transactions: a transactional sender leaves one behind its last record
            self._empty[partition] = place
            self._progress.forgive(partition, time.monotonic())
            return False
        self._empty.pop(partition, None)
        return True

    def _whose_fault(self, partition: int, owners: Callable[[], set[int]]) -> str:
        """What is wrong where a partition stands still; nothing where another worker has it, or a
        large note is at work here, within its time.
        """
        if partition not in self._watched.owned():
            return "" if partition in owners() else "has no owner"
        if self._watched.patience(partition) > time.monotonic():
            self._progress.forgive(partition, time.monotonic())
            return ""
        return "is owned"
