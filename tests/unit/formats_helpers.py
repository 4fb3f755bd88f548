"""Release a parsed note without the pipeline: replace given strings, or mask what was declared."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.note import CleanPart, Deidentified, Edit, Finding, Note, Part

HL7_SAMPLES = Path(__file__).parents[1] / "data" / "hl7"
Spot = tuple[int, int, str, str]  # start, end, type, replacement


def released(note: Note, spots_of: Callable[[Part], Iterable[Spot]]) -> Deidentified:
    return Deidentified(
        "note-x", "patient-x", tuple(_clean(p, spots_of(p)) for p in note.parts), "r1"
    )


def _clean(part: Part, spots: Iterable[Spot]) -> CleanPart:
    edits: list[Edit] = []
    out, done = "", 0
    for start, end, kind, new in sorted(spots):
        out += part.text[done:start]
        finding = Finding(start, end, kind, ("test@1",))
        edits.append(Edit(finding, new, "test", len(out), len(out) + len(new)))
        out += new
        done = end
    return CleanPart(out + part.text[done:], tuple(edits))


def untouched(note: Note) -> Deidentified:
    return released(note, lambda _: ())


def swapped(note: Note, table: Mapping[str, str]) -> Deidentified:
    """Every occurrence of the keys, in every part, becomes its value."""

    def spots(part: Part) -> Iterable[Spot]:
        for old, new in table.items():
            at = part.text.find(old)
            while at >= 0:
                yield (at, at + len(old), "OTHER", new)
                at = part.text.find(old, at + len(old))

    return released(note, spots)


def masked(note: Note) -> Deidentified:
    """Declared stretches become `<TYPE>` or `<TYPE=role>`, lines of free text `{...}`."""

    def spots(part: Part) -> Iterable[Spot]:
        for span in part.declared:
            role = f"={part.role}" if part.role else ""
            yield (span.start, span.end, span.type, f"<{span.type}{role}>")
        start = 0
        for end in (*part.seams, len(part.text)) if part.examine else ():
            if end > start:
                yield (start, end, "OTHER", "{...}")
            start = end + 1

    return released(note, spots)


def golden(raw: bytes) -> str:
    """What the golden files hold: the masked message, then what is withheld and known."""
    note = hl7v2.parse(raw)
    known = [f"{k.type} {k.person} {k.role or '-'} {k.sex or '-'}: {k.value}" for k in note.known]
    lines = [
        *hl7v2.render(note, masked(note)).decode("utf-8").splitlines(),
        f"-- note {note.note_id}, patient {note.patient_id}, {note.note_type}, {note.written_on}",
        f"-- withheld: {', '.join(note.withheld) or 'nothing'}",
        *known,
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":  # writes the golden files anew, to be read before they are committed
    for sample in sorted(HL7_SAMPLES.glob("*.hl7")):
        sample.with_suffix(".golden").write_text(golden(sample.read_bytes()), encoding="utf-8")
        sys.stdout.write(f"{sample.name}\n")
