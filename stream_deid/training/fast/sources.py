"""Texts to mine: marked corpora, plain files, and messages as the service takes them.

A source is `READER:LANGUAGE:PATH`: the readers of `training.data.corpora` (marked, jsonl, brat,
i2b2), `plain:LANGUAGE:PATH:COLUMN` (CSV or JSON lines), or `messages:LANGUAGE:PATH` (JSON lines
with `note_id`, `patient_id` and `text`). `corpora/...` lies in the project, anything else in
`$STREAM_DEID_DATA` or where an absolute path says. A note without a patient has one to itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from stream_deid.errors import Halt
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import PROJECT, AnnotatedNote, LabelSpan


@dataclass(frozen=True, slots=True)
class Mined:
    """One note to mine; `spans`: what is marked in it, if anything."""

    note: str
    patient: str
    text: str = field(repr=False)
    language: str
    spans: tuple[LabelSpan, ...] = field(default=(), repr=False)

    def annotated(self) -> AnnotatedNote:
        """The same, as systems read it."""
        return AnnotatedNote(self.note, self.text, self.spans, self.language)


def read(source: str, data: Path) -> Iterator[Mined]:
    """The notes of one source: of the project (`corpora/`), of `data`, or from where we are.

    Raises `Halt("source.unknown")` for one that can't be read.
    """
    reader, _, rest = source.partition(":")
    language, _, where = rest.partition(":")
    there = (data / where.partition(":")[0]).exists()
    root = PROJECT if where.startswith("corpora/") else data if there else Path()
    try:
        if reader == "messages":
            yield from _messages(root / where, language)
        elif reader == "plain":
            for name, text in corpora.plain(where, root):
                yield Mined(name, name, corpora.with_breaks(text), language)
        else:
            for note in corpora.load(source, root):
                yield Mined(note.id, note.id, note.text, language, note.spans)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise Halt("source.unknown", f"{source}: {type(error).__name__}") from None


def _messages(path: Path, language: str) -> Iterator[Mined]:
    with path.open(encoding="utf-8-sig") as handle:
        for line in handle:
            if line.strip():
                row = json.loads(line)
                note = str(row["note_id"])
                yield Mined(note, str(row.get("patient_id") or note), row["text"], language)
