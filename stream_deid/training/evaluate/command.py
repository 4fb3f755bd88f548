"""`stream-deid evaluate`: the served configuration, through Triton, scored on marked notes.

Each note takes the whole path of a message (`Processor.handle`); what is scored is what the audit
says, so nothing that is lost between a model and the output goes unnoticed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.progress import Progress

from stream_deid import atomic, config
from stream_deid.labels import TO_MEDDOCAN, PhiType, label_type
from stream_deid.processor import Processor
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import leaks
from stream_deid.training.scores import tables
from stream_deid.training.scores.counts import total
from stream_deid.training.scores.metrics import Mark, score_note
from stream_deid.training.scores.offline import gold_marks

IN_FLIGHT = 8


def main(settings: config.Settings, gold: str, errors: Path | None, examples: int = 0) -> int:
    """Score `gold` (`jsonl:en:PATH`, `brat:es:FOLDER`, ...); `errors` gets a list of mistakes, the
    table of what leaks as many `examples` of each type.
    """
    notes = corpora.load(gold, Path())
    predicted = asyncio.run(_predict(config.with_a_key(settings), notes))
    scores = [
        score_note(note.text, gold_marks(note), marks)
        for note, marks in zip(notes, predicted, strict=True)
    ]
    spanish = notes[0].language == "es"
    questions = tables.MEDDOCAN_QUESTIONS if spanish else tables.ENGLISH_QUESTIONS
    group = "all" if spanish else "B"
    whole = total(scores)
    out = sys.stdout
    out.write(tables.systems_table({"served": whole}, questions, group=group))
    out.write("\n" + tables.types_table(whole) + "\n" + tables.damage_table(whole))
    types = [note.note_type for note in notes]
    out.write("\n" + tables.note_types_table(types, scores, group=group))
    left = leaks.leaks_of(notes, predicted, group)
    out.write("\n" + leaks.report(notes, left, whole, group, examples=examples))
    if errors is not None:
        lines = [line for n, m in zip(notes, predicted, strict=True) for line in _mistakes(n, m)]
        atomic.write(errors, "".join(f"{line}\n" for line in sorted(lines)))
    return 0


async def _predict(settings: config.Settings, notes: Sequence[AnnotatedNote]) -> list[list[Mark]]:
    processor = await Processor.open(settings)
    try:
        gate = asyncio.Semaphore(IN_FLIGHT)
        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task("scoring", total=len(notes))

            async def one(note: AnnotatedNote) -> list[Mark]:
                async with gate:
                    marks = await predict(processor, note)
                bar.advance(task)
                return marks

            return list(await asyncio.gather(*map(one, notes)))
    finally:
        await processor.close()


async def predict(processor: Processor, note: AnnotatedNote) -> list[Mark]:
    """What the audit of one note says, in the labels of its guideline."""
    message = {
        "note_id": note.id, "patient_id": note.id, "text": note.text, "language": note.language,
    }  # fmt: skip
    released = await processor.handle(orjson.dumps(message), {"gold": note.id}, "json")
    return audit_marks(orjson.loads(released.audit), spanish=note.language == "es")


def audit_marks(record: dict[str, Any], *, spanish: bool) -> list[Mark]:
    """The spans of an audit record in the labels of MEDDOCAN, or in the project's types."""
    return [
        Mark(
            span["start"],
            span["end"],
            (span.get("label") or TO_MEDDOCAN[PhiType(span["type"])]) if spanish else span["type"],
        )
        for span in record["spans"]
        if span["path"] == "text"
    ]


def _mistakes(note: AnnotatedNote, marks: Sequence[Mark]) -> list[str]:
    marked = gold_marks(note)
    gold = [mark for mark in marked if label_type(mark.label) is not None]
    missed = [
        ("MISSED", g) for g in gold if not any(m.start < g.end and g.start < m.end for m in marks)
    ]
    partly = [
        ("PARTLY", g)
        for g in gold
        if any(m.start < g.end and g.start < m.end for m in marks)
        and not all(
            any(m.start <= i < m.end for m in marks) or not note.text[i].isalnum()
            for i in range(g.start, g.end)
        )
    ]
    alarms = [
        ("ALARM", m) for m in marks if not any(m.start < g.end and g.start < m.end for g in marked)
    ]
    return [_line(kind, note, mark) for kind, mark in (*missed, *partly, *alarms)]


def _line(kind: str, note: AnnotatedNote, mark: Mark) -> str:
    shown = leaks.in_context(note.text, mark.start, mark.end)
    return f"{kind}\t{mark.label}\t{note.id}\t{shown}"
