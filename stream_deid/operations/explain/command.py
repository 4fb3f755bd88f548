"""Explains the messages of a file on the terminal or as JSON lines."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path

import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stream_deid import config, exits
from stream_deid.errors import NoteRejected
from stream_deid.files.reading import InputFile, opened
from stream_deid.operations.explain.rows import KEPT, REPLACED, ExplainedRow, rows
from stream_deid.processor import Processor
from stream_deid.streaming.kafka.records import records_of

_SHOWN = 40
_WHOSE = {
    "patient": "surrogates by patient",
    "note": "surrogates by note: no patient id, or one that says that there is none",
}
_COLOURS = {REPLACED: "green", KEPT: "dim", "withheld": "yellow"}


def main(settings: config.Settings, path: Path, form: str, *, values: bool, as_json: bool) -> int:
    """Print what becomes of each message of a file; 3 where one is rejected.

    `values`: as they are; else only their shapes are shown. Raises `Halt`, `Unavailable`.
    """
    if not settings.keys.file and not settings.keys.value:
        settings = config.with_a_key(settings)
    with opened(path, form) as source:
        return asyncio.run(_all(settings, source, values=values, as_json=as_json))


async def _all(settings: config.Settings, source: InputFile, *, values: bool, as_json: bool) -> int:
    processor = await Processor.open(settings, **await records_of(settings))
    status = exits.OK
    try:
        for number, raw in enumerate(source.messages(), 1):
            try:
                note, clean = await processor.explain(raw, source.format)
            except NoteRejected as rejected:
                status, subject = exits.REJECTS, ""
                found = [ExplainedRow("", "rejected", f"{rejected.code}: {rejected.detail}")]
            else:
                found = list(rows(note, clean))
                subject = "patient" if note.patient_id else "note"
            if not values:
                found = [_masked(row) for row in found]
            _print(number, found, subject, as_json=as_json)
    finally:
        await processor.close()
    return status


def _masked(row: ExplainedRow) -> ExplainedRow:
    return ExplainedRow(row.path, row.what, row.why, shape(row.before), shape(row.after))


def shape(value: str) -> str:
    """A value with its letters and digits hidden (`Xxxx 99`), at most `_SHOWN` characters of it."""
    hidden = "".join(
        "9" if c.isdecimal() else ("X" if c.isupper() else "x") if c.isalpha() else c
        for c in value[:_SHOWN]
    )
    return hidden + ("..." if len(value) > _SHOWN else "")


def _print(number: int, found: list[ExplainedRow], subject: str, *, as_json: bool) -> None:
    """`subject`: by which surrogates and dates hang together; `note`: no patient's id is one."""
    if as_json:
        body = {"message": number, "subject": subject, "leaves": [asdict(row) for row in found]}
        sys.stdout.write(orjson.dumps(body).decode() + "\n")
        return
    whose = f"message {number}, {_WHOSE[subject]}" if subject else f"message {number}"
    columns = "leaf", "what", "why", "before", "after"
    table = Table(*columns, title=whose, title_justify="left")
    for row in found:
        colour = _COLOURS.get(row.what, "")
        cells = (row.path, row.what, row.why, row.before, row.after if row.what == REPLACED else "")
        table.add_row(*(Text(cell, style=colour) for cell in cells))
    Console().print(table)
