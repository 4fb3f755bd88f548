"""A note and its answer as rows: what stood where, what became of it, who decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from stream_deid.formats.hl7.render import Hl7Envelope, untouched
from stream_deid.labels import PhiType
from stream_deid.note import Deidentified, Edit, Note, Part

KEPT, TEXT, WITHHELD, REPLACED = "kept", "text", "withheld", "replaced"


@dataclass(frozen=True, slots=True)
class ExplainedRow:
    """One leaf (`kept`, `withheld`, `text`), or one identifier in it (`replaced`).

    `why`: the type and the detectors with their score, the reason of a withheld leaf. `before`,
    `after`: values, empty for `text` and `withheld`.
    """

    path: str
    what: str
    why: str = ""
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)


def rows(note: Note, clean: Deidentified) -> Iterator[ExplainedRow]:
    """Everything that `clean` did to `note`, part by part.

    What goes out as it came and was not examined is listed for HL7 messages only.
    """
    for part, done in zip(note.parts, clean.parts, strict=True):
        if part.examine:
            count = len(done.edits)
            why = f"{len(part.text)} characters examined, {count} replaced"
            yield ExplainedRow(part.path, TEXT, why)
        elif not done.edits:
            yield ExplainedRow(part.path, KEPT, _declared(part), part.text, part.text)
        for edit in done.edits:
            before = part.text[edit.finding.start : edit.finding.end]
            yield ExplainedRow(part.path, REPLACED, _why(edit), before, edit.replacement)
    for path in note.withheld:
        place, _, reason = path.partition(" (")
        yield ExplainedRow(place, WITHHELD, reason.removesuffix(")") or "no rule lets it pass")
    if isinstance(note.envelope, Hl7Envelope):
        for path, value in untouched(note.envelope):
            yield ExplainedRow(path, KEPT, "by the map", value, value)


def _declared(part: Part) -> str:
    types = sorted({span.type.value for span in part.declared})
    return f"{', '.join(types) or PhiType.OTHER.value}, by policy"


def _why(edit: Edit) -> str:
    finding = edit.finding
    voters = ", ".join(finding.detectors)
    return f"{finding.type.value} by {voters} ({finding.score:.2f}), {edit.strategy}"
