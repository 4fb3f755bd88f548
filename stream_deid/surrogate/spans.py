"""The findings of a note, each with its part and its text, as all rooms read them."""

from __future__ import annotations

from collections.abc import Sequence

from stream_deid.labels import PERSONS, PhiType
from stream_deid.note import Finding, Note, Part
from stream_deid.text.readings import as_read

Spans = Sequence[tuple[Part, Finding, str]]


def spans_of(note: Note, findings: Sequence[Sequence[Finding]]) -> Spans:
    """All findings of a note in order; `findings[i]` are those of `note.parts[i]`."""
    return [
        (part, finding, _shown(part.text[finding.start : finding.end], finding.type))
        for part, found in zip(note.parts, findings, strict=True)
        for finding in found
    ]


def _shown(text: str, kind: PhiType) -> str:
    """A name without escapes and ends of lines in it; whatever else as it is written."""
    marked = kind in PERSONS and ("%" in text or "\n" in text)
    return as_read(text) if marked else text
