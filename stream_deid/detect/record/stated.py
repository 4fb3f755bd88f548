"""Who states and does not guess: the record, and fields that declare what they hold."""

from __future__ import annotations

from stream_deid.detect.examination import FIELD_DETECTOR
from stream_deid.detect.record.known import KnownIdentifiers

_STATING = frozenset({FIELD_DETECTOR.partition("@")[0], KnownIdentifiers.name})


def states(detector: str) -> bool:
    """Whether a detector, with its version or without, tells what the message itself states."""
    return detector.partition("@")[0] in _STATING
