"""The audit record: what was done to a note, span by span, without a single value of it.

One JSON object a note. Offsets are code points, half-open; `start`, `end` in the text as it was
parsed, `out_start`, `out_end` in the text as released. `input_mac` and `output_mac` are keyed
hashes (HMAC-SHA-256) of the message's bytes: they prove to a holder of the key which message
was meant, and tell nobody else anything. The record holds no clock reading, so that a note
processed again has the same record; time spent is a metric.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from stream_deid.note import AuditRecord, CleanPart, Deidentified, Edit, Note
from stream_deid.outcome import PatientRecord


def span_entry(edit: Edit, path: str) -> dict[str, Any]:
    """One span of the record; `label` only where the guideline's own name is finer."""
    finding = edit.finding
    entry: dict[str, Any] = {
        "start": finding.start,
        "end": finding.end,
        "type": finding.type.value,
        "detectors": list(finding.detectors),
        "score": round(finding.score, 4),
        "out_start": edit.out_start,
        "out_end": edit.out_end,
        "strategy": edit.strategy,
        "path": path,
    }
    if finding.label and finding.label != finding.type.value:
        entry["label"] = finding.label
    return entry


def paths(note: Note) -> list[str]:
    """The path of each part; where parts share one (the pieces of a document, of an address), the
    second is called `path#2`, so that offsets are those of one text.
    """
    seen: Counter[str] = Counter()
    named: list[str] = []
    for part in note.parts:
        seen[part.path] += 1
        many = seen[part.path]
        named.append(part.path if many == 1 else f"{part.path}#{many}")
    return named


def record(
    note: Note,
    clean: Deidentified,
    *,
    language: str,
    coverage: Mapping[str, Any],
    fast_path: Mapping[str, Any],
) -> AuditRecord:
    """The record of a released note, still without its source and keyed hashes."""
    spans = [
        span_entry(edit, path)
        for path, done in zip(paths(note), clean.parts, strict=True)
        for edit in done.edits
    ]
    body: dict[str, Any] = {
        "note_id": clean.note_id,
        "release": clean.release,
        "language": language,
        "outcome": "released",
        "spans": spans,
        "coverage": dict(coverage),
        "fast_path": dict(fast_path),
    }
    if not note.patient_id:
        body["subject"] = "note"
    if note.withheld:
        body["withheld"] = list(note.withheld)
    return AuditRecord(body)


def mac_key(key: bytes, tenant: str) -> bytes:
    """The key of a tenant's hashes: two tenants of one key don't learn that they hold the same
    message.
    """
    return hmac.digest(key, b"audit-tenant\x00" + tenant.encode(), "sha256") if tenant else key


def keyed_mac(key: bytes, data: bytes) -> str:
    """HMAC-SHA-256 of a message under a `mac_key`, hexadecimal."""
    return hmac.new(key, b"audit-mac\x00" + data, hashlib.sha256).hexdigest()


def render(
    audit: AuditRecord,
    source: Mapping[str, Any],
    key: bytes,
    raw: bytes,
    out: bytes,
    *,
    records: Sequence[PatientRecord] | None = None,
) -> bytes:
    """The record as JSON, with its source coordinates, the keyed hashes of both messages, and
    where the `records` of its patients were read, if they were looked for.
    """
    places = {} if records is None else {"records": [dict(one.place) for one in records]}
    body = {
        "note_id": audit.body["note_id"],
        "source": dict(source),
        **places,
        **{k: v for k, v in audit.body.items() if k != "note_id"},
        "input_mac": keyed_mac(key, raw),
        "output_mac": keyed_mac(key, out),
    }
    return orjson.dumps(body)


def types_released(parts: Sequence[CleanPart]) -> dict[str, int]:
    """How many spans of each type were edited: for metrics."""
    counts: dict[str, int] = {}
    for part in parts:
        for edit in part.edits:
            counts[edit.finding.type.value] = counts.get(edit.finding.type.value, 0) + 1
    return counts
