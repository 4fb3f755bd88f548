"""What `/healthz` and `/readyz` say of the listener and of the sender."""

from __future__ import annotations

import time

from stream_deid.streaming.health import Pulse

_BEAT_S = 30.0


class MllpHealth(Pulse):
    """Live while the loop beats; ready while nothing stands in the way. For several threads."""

    def __init__(self) -> None:
        super().__init__()
        self._obstacles: dict[str, str] = {"start": "starting"}

    def hinder(self, name: str, reason: str) -> None:
        """From now on not ready, for a reason; an empty one takes it away."""
        with self._lock:
            self._obstacles[name] = reason

    def live(self) -> list[str]:
        """Reasons to restart this process."""
        with self._lock:
            silent = time.monotonic() - self._beat
        return [f"the loop has been blocked for {silent:.0f} s"] if silent > _BEAT_S else []

    def ready(self) -> list[str]:
        """Reasons to send nothing here."""
        with self._lock:
            reasons = [reason for reason in self._obstacles.values() if reason]
        return reasons + self.live()
