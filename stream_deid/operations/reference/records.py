"""What stands on topics and at `/metrics`: headers, keys, schemas, series."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from prometheus_client import CollectorRegistry, Counter, Histogram

import stream_deid
from stream_deid import seal
from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.mllp import claim
from stream_deid.mllp.metrics import ListenerMetrics, SenderMetrics
from stream_deid.operations.reference.markdown import code, table
from stream_deid.outcome import AnyProcessor, Dead, Outcome, Released, Source
from stream_deid.streaming.delivery import Parcel, records
from stream_deid.streaming.observability import traces
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.releasing.watch import ReleaseHealth
from stream_deid.streaming.replay.sending import HEADER

SCHEMAS = Path(stream_deid.__file__).parent / "schemas"
HEADERS = {
    "source": "`TOPIC/PARTITION/OFFSET` of the message that it was made of",
    "release": "the release that made it",
    seal.HEADER: "that a worker wrote it: HMAC-SHA-256 of what it is, its key and its value, "
    "32 bytes; `stream-deid release` lets nothing out without (docs/security.md)",
    HEADER: "id of the replay, only where `stream-deid replay` wrote it",
    traces.HEADER: "the trace of the note (W3C Trace Context), only where `traces.endpoint` is set",
    "format": "the format that the listener took it as: `hl7v2`",
    "mllp-id": "keyed id of the message among those of its sender",
}
"""What each header holds; those that the code writes and this lacks are a failing test."""


class _Keyed:
    """As much of a processor as records need."""

    release = "release"

    def mac(self, _: bytes) -> str:
        return ""

    def seal(self, *_: object) -> bytes:
        return b""


def headers() -> dict[str, list[str]]:
    """The headers on each kind of topic, as the code writes them."""
    kafka = Kafka()
    source = Source(kafka.topic_in, 0, 0)
    outcomes: list[Outcome] = [Released(b"", b"", b""), Dead("note.failed", "")]
    found: dict[str, list[str]] = {kafka.topic_in: list(claim.HEADERS)}
    for outcome in outcomes:
        parcel = Parcel(source, outcome, b"", traces.trace_of(None, source, 1.0))
        for record in records(0, parcel, kafka, cast(AnyProcessor, _Keyed()), [(HEADER, b"")]):
            found[record.topic] = [name for name, _ in record.headers]
    return found


def headers_part() -> str:
    """Keys and headers by topic, and what the headers hold."""
    kafka, keys = Kafka(), _keys()
    rows = [(code(topic), keys[topic], ", ".join(code(n) for n in names))
            for topic, names in headers().items()]  # fmt: skip
    others = (
        ("released.notes, released.audit", "id of the patient", "none"),
        ("notes.seen", "keyed id of the sender", "none"),
    )
    rows += [(", ".join(code(n) for n in names.split(", ")), k, h) for names, k, h in others]
    meanings = table(("header", "holds"), ((code(n), told) for n, told in HEADERS.items()))
    told = table(("topic (by default)", "key", "headers"), rows)
    return (
        f"{told}\nTopics with `.replay` are like those without. On `{kafka.topic_in}` other "
        f"senders may write any key and headers: only the value is looked at, headers "
        f"that a map of JSON names (docs/json.md), and `traceparent` where traces are on."
        f"\n\n{meanings}"
    )


def _keys() -> Mapping[str, str]:
    kafka = Kafka()
    return {
        kafka.topic_in: "from `mllp`: keyed hash of the patient's id; else the sender's",
        kafka.topic_out: "pseudonym of the patient",
        kafka.topic_audit: "pseudonym of the patient",
        kafka.topic_dead: "`TOPIC/PARTITION/OFFSET` of the message",
    }


def schema_names() -> list[str]:
    """The schemas that are shipped."""
    return sorted(path.stem for path in SCHEMAS.glob("*.json"))


def schema(name: str) -> dict[str, Any]:
    """A schema by name. Raises `Halt("reference.schema")`."""
    if name not in schema_names():
        raise Halt("reference.schema", f"there are {', '.join(schema_names())}")
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def schemas_part() -> str:
    """Every schema as a table of its fields."""
    pieces = []
    for name in schema_names():
        body = schema(name)
        rows = list(_fields(body, ""))
        more = body.get("additionalProperties")
        if isinstance(more, dict):
            rows.append(("(others)", "", "", more["description"]))
        told = table(("field", "type", "always", "meaning"), rows)
        pieces.append(
            f"### {body['title']}\n\n`stream-deid reference --schema {name}` prints it as JSON "
            f"Schema.\n\n{told}"
        )
    return "\n".join(pieces)


def _fields(body: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str, str, str]]:
    for name, field in body.get("properties", {}).items():
        path, always = f"{prefix}{name}", "yes" if name in body.get("required", ()) else ""
        yield code(path), _type(field), always, field.get("description", "")
        yield from _fields(field, f"{path}.")
        if isinstance(field.get("items"), dict):
            yield from _fields(field["items"], f"{path}[].")


def _type(field: Mapping[str, Any]) -> str:
    if "const" in field:
        return code(str(field["const"]))
    kinds = field.get("type", "any")
    return " or ".join(kinds) if isinstance(kinds, list) else str(kinds)


def metrics_part() -> str:
    """Every series by program."""
    pieces = []
    for title, registry in (
        ("worker", Metrics().registry),
        ("release", ReleaseHealth().registry),
        ("mllp", ListenerMetrics().registry),
        ("mllp-out", SenderMetrics().registry),
    ):
        head = ("series", "type", "labels", "meaning")
        pieces.append(f"### `stream-deid {title}`\n\n{table(head, _series(registry))}")
    return "\n".join(pieces)


def _series(registry: CollectorRegistry) -> Iterator[tuple[str, str, str, str]]:
    seen = dict.fromkeys(registry._names_to_collectors.values())  # noqa: SLF001 - by the order of making
    for collector in cast(Any, seen):
        kind = type(collector).__name__.lower()
        suffix = "_total" if isinstance(collector, Counter) else ""
        if isinstance(collector, Histogram):
            suffix = "_bucket`, `_sum`, `_count"
        labels = ", ".join(code(name) for name in collector._labelnames)  # noqa: SLF001
        yield code(f"{collector._name}{suffix}"), kind, labels, collector._documentation  # noqa: SLF001
