"""Liveness and readiness of a worker, judged by whether the input moves.

Faust can believe itself ready and read nothing for good. So liveness does not ask Faust: it
looks at the broker. A partition with unread notes whose committed offset has not moved for
`stall_s` seconds makes a worker fail its liveness if it owns the partition and is not at work on
a note that still has time, or if nobody in the group owns it; long before that it has it read
again, for what Faust fetched and lost does not come by itself. So does an event loop that does
not turn, or a group that gives no assignment. A worker that fails for `grace_s` without being
restarted ends itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stream_deid.config import Kafka
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka import membership
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics

SILENT_S = 10.0
"""So long what notes need may be silent before a worker is not ready, and says so."""

_log = logs.get("health")


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


class Pulse:
    """When the event loop last ran; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._beat = time.monotonic()

    def beat(self) -> None:
        """The event loop is running."""
        with self._lock:
            self._beat = time.monotonic()


class Health(Pulse):
    """The state that `/healthz` and `/readyz` show; safe to use from several threads."""

    def __init__(self, *, beat_s: float = 30.0, settle_s: float = 180.0) -> None:
        super().__init__()
        self._beat_s = beat_s
        self._settle_s = settle_s
        self._stalled: tuple[str, ...] = ()
        self._unsettled: float | None = time.monotonic()
        self._stopping = False
        self._silent_s = 0.0

    def assigned(self, *, settled: bool) -> None:
        """The group has given this worker its share (or is about to do so anew)."""
        with self._lock:
            self._unsettled = None if settled else time.monotonic()

    def silent(self, seconds: float) -> None:
        """Since when what notes need has not answered."""
        with self._lock:
            self._silent_s = seconds

    @property
    def ending(self) -> bool:
        """Whether the process was told to end."""
        with self._lock:
            return self._stopping

    def stopping(self) -> None:
        with self._lock:
            self._stopping = True

    def stalled(self, reasons: Sequence[str]) -> None:
        with self._lock:
            self._stalled = tuple(reasons)

    def live(self) -> list[str]:
        """Reasons to restart this process; none if it is live."""
        with self._lock:
            reasons = list(self._stalled)
            silent = time.monotonic() - self._beat
            outside = 0.0 if self._unsettled is None else time.monotonic() - self._unsettled
        if silent > self._beat_s:
            reasons.append(f"the event loop has been blocked for {silent:.0f} s")
        if outside > self._settle_s:
            reasons.append(f"the group has given no assignment for {outside:.0f} s")
        return reasons

    def ready(self) -> list[str]:
        """Reasons why this worker is not processing yet; none if it is."""
        with self._lock:
            reasons = []
            if self._stopping:
                reasons.append("stopping")
            if self._unsettled is not None:
                reasons.append("waiting for the group's assignment")
            if self._silent_s > SILENT_S:
                reasons.append(f"the models have not answered for {self._silent_s:.0f} s")
        return reasons + self.live()


class LagWatch(threading.Thread):
    """Looks at lag and progress every few seconds, and tells `Health` and `Metrics`."""

    def __init__(
        self,
        kafka: Kafka,
        *,
        health: Health,
        metrics: Metrics,
        owned: Callable[[], set[int]],
        patience: Callable[[int], float] = lambda _: 0.0,
        end: Callable[[BaseException], None],
        read_again: Callable[[int], object] = lambda _: None,
        stall_s: float,
        again_s: float = 15.0,
        every_s: float = 3.0,
        grace_s: float = 20.0,
    ) -> None:
        super().__init__(name="watch", daemon=True)
        self._kafka = kafka
        self._health = health
        self._metrics = metrics
        self._owned = owned
        self._patience = patience
        self._progress = PartitionProgress(stall_s)
        self._read_again = read_again
        self._lost = PartitionProgress(again_s)
        self._every_s = every_s
        self._grace_s = grace_s
        self._end_process = end
        self._ended = threading.Event()
        self._failing_since: float | None = None
        self._empty: dict[int, tuple[int, int]] = {}

    def start(self) -> None:
        """What the start took is not held against the loop, which begins now."""
        self._health.beat()
        super().start()

    def run(self) -> None:
        offsets = Offsets(self._kafka)
        while not self._ended.wait(self._every_s):
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
        elif now - self._failing_since > self._grace_s:
            self._end_process(Halt("stream.stalled", "; ".join(reasons)))

    def _look(self, offsets: Offsets) -> list[str]:
        reasons = []
        owners: set[int] | None = None
        owned, behind = self._owned(), dict[int, int]()
        partitions = offsets.partitions()
        self._metrics.partitions.set(partitions)
        for partition, (position, end) in offsets.lag(range(partitions)).items():
            empty = self._empty.get(partition) == (position, end)
            if partition in owned:
                behind[partition] = 0 if empty else max(0, end - position)
                if self._lost.note(partition, position, end, time.monotonic()) and not empty:
                    self._lost.forgive(partition, time.monotonic())
                    self._read_again(partition)
            if not self._progress.note(partition, position, end, time.monotonic()):
                continue
            if offsets.peek(partition, position, timeout_s=2.0) is None:
                # markers of transactions: a transactional sender leaves one behind its last record
                self._empty[partition] = (position, end)
                self._progress.forgive(partition, time.monotonic())
                continue
            self._empty.pop(partition, None)
            if partition in self._owned():
                if self._patience(partition) > time.monotonic():
                    self._progress.forgive(partition, time.monotonic())
                    continue  # a large note is at work, within its time
                reasons.append(f"partition {partition} is owned and stands at {position}")
                continue
            if owners is None:
                owners = membership.owned(self._kafka) or set()
            if partition not in owners:
                reasons.append(f"partition {partition} has no owner and stands at {position}")
        self._metrics.lagging(behind)
        return reasons
