"""What `stream-deid release` tells of itself: health, and how far behind its periods it is."""

from __future__ import annotations

import time
from collections.abc import Callable

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    generate_latest,
)

from stream_deid.streaming.health import Pulse


class ReleaseHealth(Pulse):
    """Live while it goes on (`silent_s`: the longest that one call to the broker may take), ready
    once it holds its transactional id. For several threads.
    """

    def __init__(self, silent_s: float = 180.0, *, now: Callable[[], float] = time.time) -> None:
        super().__init__()
        self._silent_s, self._now = silent_s, now
        self._due: float | None = None
        self._holds = False
        self.registry = CollectorRegistry()
        self._moved = Counter(
            "stream_deid_release_records", "Records moved to the outer topics", ["kind"],
            registry=self.registry,
        )  # fmt: skip
        for kind in ("note", "audit"):
            self._moved.labels(kind)
        self._passes = Counter(
            "stream_deid_release_passes", "Passes over a batch that are done",
            registry=self.registry,
        )  # fmt: skip
        self._waiting = Gauge(
            "stream_deid_release_waiting",
            "Offsets of inner notes that have not gone out; markers of transactions count too",
            registry=self.registry,
        )
        self._behind = Gauge(
            "stream_deid_release_behind_seconds",
            "Since when a batch has been due that is not out yet; 0: none is",
            registry=self.registry,
        )
        self._behind.set_function(self.behind)

    def holds(self) -> None:
        """It is the one process that releases."""
        with self._lock:
            self._holds = True

    def looked(self, waiting: int, due: float | None) -> None:
        """So many notes wait; the batch that was `due` at a time (seconds) is not out."""
        self._waiting.set(waiting)
        with self._lock:
            self._due = due

    def moved(self, notes: int, audits: int) -> None:
        """A pass is done."""
        self._moved.labels("note").inc(notes)
        self._moved.labels("audit").inc(audits)
        self._passes.inc()

    def behind(self) -> float:
        """Seconds since a batch was due; 0 where none is."""
        with self._lock:
            return 0.0 if self._due is None else max(0.0, self._now() - self._due)

    def live(self) -> list[str]:
        """Reasons to restart this process."""
        with self._lock:
            silent = time.monotonic() - self._beat
        return [f"nothing has moved for {silent:.0f} s"] if silent > self._silent_s else []

    def ready(self) -> list[str]:
        """Reasons not to count on it."""
        with self._lock:
            holds = self._holds
        return ([] if holds else ["starting"]) + self.live()

    def page(self, _: str) -> tuple[str, bytes]:
        """Kind and text of the metrics; there is one kind."""
        return CONTENT_TYPE_LATEST, generate_latest(self.registry)
