"""OpenTelemetry traces of notes, through Kafka's headers: off unless `traces.endpoint` is set.

A note that comes with a `traceparent` (W3C Trace Context) goes on with that trace, any other begins
one; its outputs carry the `traceparent` of the span of this note. The ids of what begins here are
computed from the note's place, so that a note that is processed again has the same headers. Spans
are made at the commit, from times that were taken anyway. They hold places, codes, pseudonyms and
times; `tracestate` and `baggage`, which may hold words, end here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from stream_deid.outcome import Outcome, Source

HEADER = "traceparent"
STAGES = ("parse", "begin", "score", "finish", "render")
_FORM = re.compile(rb"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?")
_SAMPLED = 1


@dataclass(frozen=True, slots=True)
class Trace:
    """The trace of a note, the span that it came from (0: none), and the one of its own."""

    trace: int
    parent: int
    span: int
    sampled: bool

    @property
    def header(self) -> bytes:
        """`traceparent` of what comes of the note."""
        return f"00-{self.trace:032x}-{self.span:016x}-{int(self.sampled):02x}".encode()


@dataclass(frozen=True, slots=True)
class Times:
    """Of a note, in seconds since 1970: sent, taken up, processed, committed."""

    sent: float
    taken: float
    processed: float
    committed: float


def trace_of(headers: Iterable[tuple[str, bytes]] | None, source: Source, share: float) -> Trace:
    """The trace of a message; where it brings none, `share` of all places are sampled."""
    place = f"{source.topic}/{source.partition}/{source.offset}".encode()
    given = next((v for k, v in headers or () if k == HEADER and isinstance(v, bytes)), b"")
    found = _FORM.fullmatch(given)
    trace, parent = (int(found[1], 16), int(found[2], 16)) if found else (0, 0)
    if found and trace and parent:
        sampled = bool(int(found[3], 16) & _SAMPLED)
    else:
        trace, parent = _id(place, 16), 0
        sampled = trace % 1_000_000 < share * 1_000_000
    return Trace(trace, parent, _id(trace.to_bytes(16, "big") + place, 8), sampled)


def _id(seed: bytes, size: int) -> int:
    return int.from_bytes(hashlib.blake2b(seed, digest_size=size).digest(), "big") or 1


def stages(times: Times, seconds: Mapping[str, float]) -> Iterator[tuple[str, float, float]]:
    """(stage, from, to); stages of the processing in their order from when the note was taken."""
    yield "queue", min(times.sent, times.taken), times.taken
    at = times.taken
    for stage in STAGES:
        if stage in seconds:
            yield stage, at, at + seconds[stage]
            at += seconds[stage]
    yield "commit", times.processed, times.committed


class Tracer(Protocol):
    """Makes spans of notes and hands them on (`tracer.Exporting`)."""

    def trace(self, headers: Iterable[tuple[str, bytes]] | None, source: Source) -> Trace:
        """The trace of a message."""

    def note(self, trace: Trace, source: Source, outcome: Outcome, times: Times) -> None:
        """Make the spans of a note that was committed; call it from one thread."""

    def close(self) -> None:
        """Hand over what is left, for a short while."""
