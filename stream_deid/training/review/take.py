"""Corrections taken back: checked against what was given out, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stream_deid.errors import Halt
from stream_deid.labels import AUTHORED, MEDDOCAN
from stream_deid.training.data.corpora import AnnotatedNote, LabelSpan

TODO, DONE = "review", "reviewed"
"""What stands in the head of a sentence before and after a person has looked at it."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What reviewers did: sentences taken, left, and given out but no longer in the sheet; spans
    that stayed, were added, removed, or have another type.
    """

    reviewed: int
    left: int
    gone: int
    same: int
    added: int
    removed: int
    retyped: int


def take(
    given: Sequence[AnnotatedNote], back: Sequence[AnnotatedNote]
) -> tuple[list[AnnotatedNote], Changes]:
    """The sentences that were reviewed, and what changed; those still to do are left out.

    Raises `Halt`: `review.unknown` (a sentence that was not given out), `review.text` (words were
    changed, not only marks), `review.label` (a label of no guideline).
    """
    before = {note.id: note for note in given}
    done = [note for note in back if note.note_type == DONE]
    for note in done:
        if note.id not in before:
            raise Halt("review.unknown", f"{note.id} was not given out")
        if note.text != before[note.id].text:
            raise Halt("review.text", f"{note.id}: only marks may change, not the text")
        if wrong := sorted({label for *_, label in note.spans} - AUTHORED.keys() - MEDDOCAN.keys()):
            raise Halt("review.label", f"{note.id}: no such label: {', '.join(wrong)}")
    counts = [_compared(before[note.id].spans, note.spans) for note in done]
    sums = [sum(column) for column in zip(*counts, strict=True)] or [0, 0, 0, 0]
    gone = len(before.keys() - {note.id for note in back})
    return done, Changes(len(done), len(back) - len(done), gone, *sums)


def _compared(before: Sequence[LabelSpan], after: Sequence[LabelSpan]) -> tuple[int, int, int, int]:
    old, new = ({(a, b): label for a, b, label in spans} for spans in (before, after))
    both = old.keys() & new.keys()
    same = sum(old[at] == new[at] for at in both)
    return same, len(new.keys() - both), len(old.keys() - both), len(both) - same


def marked_text(notes: Sequence[AnnotatedNote], reasons: Sequence[str]) -> str:
    """Notes as marked text, as `corpora.marked` reads it; `reasons` stand in the heads."""
    blocks = []
    for note, reason in zip(notes, reasons, strict=True):
        body, at = [], 0
        for start, end, label in note.spans:
            body += [note.text[at:start], f"[[{label}|{note.text[start:end]}]]"]
            at = end
        head = f"=== {note.id} | {note.note_type or TODO} | {reason}"
        blocks.append(f"{head}\n{''.join(body)}{note.text[at:]}\n")
    return "\n".join(blocks)
