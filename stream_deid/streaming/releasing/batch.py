"""What goes out together, in which order, and what of the audit goes with it; no I/O.

A clean note's place among others and its time of record tell when it was written, and that less
its shifted dates tells the patient's offset (docs/attacks.md). So notes go out in batches, each
in an order drawn by the key, with one time for all of a batch. What remains is the batch itself:
a recipient learns that a note was recorded before its batch went out.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

_RECORD_FIELDS = ("note_id", "release", "language", "outcome", "subject", "withheld")
_SPAN_FIELDS = ("type", "out_start", "out_end", "strategy", "path")


@dataclass(frozen=True, slots=True)
class Item:
    """One record on its way out: to `topic` under `key` (the patient's pseudonym)."""

    topic: str
    key: bytes | None
    value: bytes = field(repr=False)


def shuffled(items: Iterable[Item], key: bytes) -> list[Item]:
    """The items in an order that nobody without the key can tell, and that no clock decides.

    The keyed hash of what is released (HMAC-SHA-256) is drawn anew for each batch by its members
    alone, so the same batch goes out in the same order.
    """
    return sorted(
        items, key=lambda item: hmac.digest(key, b"release-order\x00" + item.value, "sha256")
    )


def releasable(audit: bytes) -> bytes:
    """The audit record without what undoes the release: no lengths or places in the original, no
    detectors, scores, coverage, source or keyed hashes of messages.

    Kept: whose it is (pseudonyms), which release made it, and type, place in the output and
    strategy of each span. Raises `ValueError` for what is no audit record.
    """
    body = orjson.loads(audit)
    slim = _picked(body, _RECORD_FIELDS)
    slim["spans"] = [_picked(span, _SPAN_FIELDS) for span in _of(list, body.get("spans", []))]
    return orjson.dumps(slim)


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise ValueError(f"not a {kind.__name__}")  # noqa: TRY004 - as for what is no JSON
    return value


def _picked(body: Any, names: Iterable[str]) -> dict[str, Any]:
    found: Mapping[str, Any] = _of(dict, body)
    return {name: found[name] for name in names if name in found}


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a batch is closed. Times are seconds since the epoch.

    Batches close at multiples of `period_s`, if at least `least` notes are in hand, else a period
    later; and whenever `most` are.
    """

    period_s: float
    least: int
    most: int

    def closes(self, opened: float) -> float:
        """The end of the period that `opened` lies in."""
        return (opened // self.period_s + 1) * self.period_s

    def is_due(self, notes: int, opened: float, now: float) -> bool:
        """Whether a batch of so many notes, of which the first came at `opened`, goes out now."""
        return notes >= self.most or (notes >= self.least and now >= self.closes(opened))

    def stamp(self, now: float) -> int:
        """The time, in milliseconds, that all records of a batch that goes out now bear."""
        return int(now // self.period_s * self.period_s * 1000)
