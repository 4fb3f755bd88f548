"""The smallest message that still shows a fault (Zeller and Hildebrandt 2002, "ddmin")."""

from __future__ import annotations

import time
from collections.abc import Callable


def shrunk(raw: bytes, shows: Callable[[bytes], bool], *, seconds: float = 20.0) -> bytes:
    """Leave out what can be left out while `shows` holds; characters stay whole where they are."""
    text = _text(raw)
    end = time.monotonic() + seconds
    step = max(1, len(text) // 2)
    while step:
        at = 0
        while at < len(text):
            if time.monotonic() > end:
                return _raw(text)
            shorter = text[:at] + text[at + step :]
            if shows(_raw(shorter)):
                text = shorter
            else:
                at += step
        step //= 2
    return _raw(text)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
