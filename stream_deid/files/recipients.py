"""Who gets the outputs of a file: those who may see originals, or recipients."""

from __future__ import annotations

from collections.abc import Callable

from stream_deid.config import Settings
from stream_deid.outcome import Released
from stream_deid.streaming.releasing.outside import Outside

Shown = Callable[[Released], tuple[bytes, bytes]]
"""What of a released note goes out: the clean note and its audit record."""


def inner(released: Released) -> tuple[bytes, bytes]:
    """All of it."""
    return released.note, released.audit


def outer(settings: Settings) -> Shown:
    """As `stream-deid release` does it; ids that are drawn are those of one run."""
    outside = Outside(settings)
    ids = outside.ids()

    def shown(released: Released) -> tuple[bytes, bytes]:
        note = outside.note(released.note, released.key)
        audit = outside.audit(released.audit, released.key)
        return ids(note).value, ids(audit).value

    return shown
