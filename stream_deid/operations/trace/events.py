"""What can happen to a note, told from the records of the topics; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from stream_deid.outcome import Source

_PLACE = re.compile(r"(?:(?P<topic>.+)/)?(?P<partition>\d+)/(?P<offset>\d+)")


class TraceEventKind(StrEnum):
    """RECEIVED: in the input; RELEASED: an audit record; CLEAN: the note itself; DEAD: a letter."""

    RECEIVED = "received"
    RELEASED = "released"
    CLEAN = "clean"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One record. `time_ms` as the broker has it; `facts` hold names, numbers, types, codes."""

    kind: TraceEventKind
    source: Source
    at: Source
    time_ms: int
    facts: Mapping[str, Any] = field(default_factory=dict)


def place_of(text: str, topic_in: str) -> Source | None:
    """What `TOPIC/PARTITION/OFFSET` (or without the topic) means; None for anything else."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    return Source(found["topic"] or topic_in, int(found["partition"]), int(found["offset"]))


def of_audit(body: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an audit record: counts of its spans instead of the spans."""
    spans = [span for span in body.get("spans", ()) if isinstance(span, dict)]
    facts = {
        "note_id": body.get("note_id"),
        "release": body.get("release"),
        "language": body.get("language"),
        "spans": len(spans),
        "types": dict(sorted(Counter(str(span.get("type")) for span in spans).items())),
        "strategies": dict(sorted(Counter(str(span.get("strategy")) for span in spans).items())),
        "detectors": dict(
            sorted(Counter(str(d) for span in spans for d in span.get("detectors", ())).items())
        ),
        "withheld": len(body.get("withheld", ())),
    }
    return {name: value for name, value in facts.items() if value not in (None, {})}


def of_letter(body: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a dead letter."""
    names = ("code", "detail", "release", "input_bytes")
    return {name: body[name] for name in names if name in body}


def moment(time_ms: int) -> str:
    """A time of a record, to the millisecond, in UTC."""
    told = datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds")
    return told.replace("+00:00", "Z")


def place(source: Source) -> str:
    """Coordinates as the headers of outputs write them."""
    return f"{source.topic}/{source.partition}/{source.offset}"


def line(event: TraceEvent, received_ms: int | None) -> str:
    """An event in words; `received_ms`: when the note came, where that is known."""
    facts, said = event.facts, ""
    if event.kind is TraceEventKind.RECEIVED:
        said = f"received, {facts['bytes']} bytes"
    elif event.kind is TraceEventKind.CLEAN:
        said = f"clean note, {facts['bytes']} bytes"
    elif event.kind is TraceEventKind.RELEASED:
        said = f"released by {facts.get('release', '?')}, {_spans(facts)}"
    else:
        said = f"dead letter {facts.get('code', '?')}: {facts.get('detail', '')}"
    if facts.get("replay"):
        said += f", replay {facts['replay']}"
    if event.kind in (TraceEventKind.RELEASED, TraceEventKind.DEAD) and received_ms is not None:
        said += f", {(event.time_ms - received_ms) / 1000:.1f} s after it came"
    if "unchanged" in facts:
        said += ", as the audit names it" if facts["unchanged"] else ", NOT WHAT THE AUDIT NAMES"
    return f"{moment(event.time_ms)}  {place(event.at):<32} {said}"


def _spans(facts: Mapping[str, Any]) -> str:
    types = facts.get("types", {})
    told = ", ".join(f"{name} {count}" for name, count in types.items())
    said = [facts["language"]] if "language" in facts else []
    said.append(f"{facts.get('spans', 0)} spans" + (f" ({told})" if told else ""))
    if facts.get("withheld"):
        said.append(f"{facts['withheld']} parts withheld")
    return ", ".join(said)
