"""Liveness and readiness of a worker, judged by whether the input moves (`lag_watch`), the event
loop turns and the group gives an assignment.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

SILENT_S = 10.0
"""So long what notes need may be silent before a worker is not ready, and says so."""


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
