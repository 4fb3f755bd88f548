"""Notes made of spans, for the tests of the surrogates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from stream_deid.labels import PhiType
from stream_deid.note import Edit, Finding, Known, Note, Part
from stream_deid.surrogate import Policy, Surrogates, rewrite

KEY = bytes(range(32))
DATA = Path(__file__).parents[1] / "data" / "surrogates"


def examples(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def surrogates(
    policy: str = "expert-determination", key: bytes = KEY, **overrides: Any
) -> Surrogates:
    return Surrogates(Policy.named(policy, overrides), key)


def note_of(
    spans: Iterable[tuple[str, str]],
    *,
    language: str = "en",
    patient: str = "patient-1",
    note_id: str = "note-1",
    known: Sequence[Known] = (),
    written_on: date | None = date(2019, 6, 10),
) -> tuple[Note, list[Finding]]:
    """A note whose text is the values of `spans` (type, value), each found."""
    text = ""
    found: list[Finding] = []
    for phi, value in spans:
        found.append(Finding(len(text), len(text) + len(value), PhiType[phi], ("test@1",)))
        text += value + " ; "
    part = Part(text)
    note = Note(note_id, patient, (part,), language, tuple(known), written_on=written_on)
    return note, found


def replaced(maker: Surrogates, spans: Sequence[tuple[str, str]], **options: Any) -> list[str]:
    """The replacements of `spans`, in order, checked against the rewritten text."""
    return [e.replacement for e in edits_of(maker, spans, **options)]


def edits_of(
    maker: Surrogates, spans: Sequence[tuple[str, str]], **options: Any
) -> tuple[Edit, ...]:
    note, found = note_of(spans, **options)
    (edits,) = maker.edits(note, [found])
    text = rewrite(note.parts[0].text, edits)
    for edit in edits:
        assert text[edit.out_start : edit.out_end] == edit.replacement
    return edits
