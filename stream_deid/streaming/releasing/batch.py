"""What goes out together, in which order, and what of the audit goes with it; no I/O.

A clean note's place among others and its time of record tell when it was written, and that less
its shifted dates tells the patient's offset (docs/attacks.md). So notes go out in batches, each
in an order drawn by the key, with one time for all of a batch. What remains is the batch itself:
a recipient learns that a note was recorded before its batch went out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

PLACES, COUNTS, NONE = "places", "counts", "none"
_RECORD_FIELDS = ("note_id", "release", "language", "outcome", "subject")
_SPAN_FIELDS = ("type", "out_start", "out_end", "strategy", "path")
_NUMBERS = frozenset({"out_start", "out_end"})
"""All other fields are words."""


@dataclass(frozen=True, slots=True)
class OutgoingRecord:
    """One record on its way out: to `topic` under `key` (the patient's pseudonym)."""

    topic: str
    key: bytes | None
    value: bytes = field(repr=False)


def drawn(value: bytes, key: bytes) -> bytes:
    """Where a record stands in its batch: the keyed hash of what is released (HMAC-SHA-256).

    Nobody without the key can tell it, and no clock decides it: the same batch goes out in the
    same order.
    """
    return hmac.digest(key, b"release-order\x00" + value, "sha256")


def pass_of(place: bytes, passes: int) -> int:
    """The pass, of so many over one batch, in which the record at a place goes out."""
    return int.from_bytes(place[:8], "big") * passes >> 64


def releasable(audit: bytes, told: str = PLACES) -> bytes:
    """The audit record without what undoes the release: no lengths or places in the original, no
    detectors, scores, coverage, source or keyed hashes of messages.

    Kept: whose it is (pseudonyms), which release made it, and as it is `told` type, place in the
    output and strategy of each span, or how many there are of each type, or nothing of them: who
    has the places reads off what was missed (docs/attacks.md). Raises `ValueError` for what is no
    audit record: what stands where a word or a number belongs may hold anything.
    """
    body = orjson.loads(audit)
    slim = _picked(body, _RECORD_FIELDS)
    spans = [_picked(span, _SPAN_FIELDS) for span in _of(list, body.get("spans", []))]
    if told == PLACES:
        slim["spans"] = spans
    elif told == COUNTS:
        slim["counts"] = dict(sorted(Counter(str(span["type"]) for span in spans).items()))
    return orjson.dumps(slim)


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"not a {kind.__name__}")  # noqa: TRY004 - as for what is no JSON
    return value


def _picked(body: Any, names: Iterable[str]) -> dict[str, Any]:
    found: Mapping[str, Any] = _of(dict, body)
    return {
        name: _of(int if name in _NUMBERS else str, found[name]) for name in names if name in found
    }


@dataclass(frozen=True, slots=True)
class BatchSchedule:
    """Periods of `period_s` seconds since the epoch; a batch is what was recorded before the end of
    one and after the batch before it, and has at least `least` notes.
    """

    period_s: float
    least: int

    def closed(self, now: float) -> float:
        """The end of the last period that is over, in seconds since the epoch."""
        return now // self.period_s * self.period_s

    def next(self, now: float) -> float:
        """Seconds until the next period is over."""
        return self.closed(now) + self.period_s - now


def form_of(*settings: Any) -> str:
    """What decides, beside the records, which pass of a batch each goes out in: short, and another
    where another record of the batch could go out twice, or never.
    """
    told = orjson.dumps([_RECORD_FIELDS, _SPAN_FIELDS, *settings])
    return hashlib.sha256(told).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """What the group's offsets remember of a batch under way: up to where it goes in one partition,
    its time (milliseconds), how many of its passes are done, by what its records are shared among
    these (`lot`, drawn by chance; none: the key), and `form_of` the settings that it began under.
    """

    until: int
    stamp: int
    passes: int
    done: int
    lot: str = field(default="", repr=False)
    form: str = ""

    def dump(self) -> str:
        """As metadata of a committed offset."""
        told = [self.until, self.stamp, self.passes, self.done, self.lot, self.form]
        return orjson.dumps(told).decode()

    @staticmethod
    def load(metadata: str | None) -> BatchProgress | None:
        """From metadata; None where no batch is under way."""
        return BatchProgress(*orjson.loads(metadata)) if metadata else None
