"""Deadlines of requests to models."""

from __future__ import annotations

import time


def soon(seconds: float = 20.0) -> float:
    """So many seconds from now, on the clock that requests are measured by."""
    return time.monotonic() + seconds
