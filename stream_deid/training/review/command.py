"""`stream-deid review pick|take|agree`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import systems
from stream_deid.training.review.agreement import Agreement, agreement
from stream_deid.training.review.pick import pick
from stream_deid.training.review.take import DONE, TODO, marked_text, take


def run_pick(source: str, named: Sequence[str], data: Path, out: Path, most: int) -> int:
    """Write the most doubtful sentences of `source` as marked text for a person to correct.

    Raises `Halt("review.exists")` rather than overwrite somebody's corrections.
    """
    if out.exists():
        raise Halt("review.exists", f"{out} is there: take it back first, or name another file")
    specs = systems.by_name(named)
    notes = [note for one in source.split(",") for note in corpora.load(one, Path())]
    said = {name: systems.run_system(spec, notes, data) for name, spec in specs.items()}
    chosen = pick(notes, said, most)
    language = notes[0].language if notes else "en"
    rows = [AnnotatedNote(one.id, one.text, one.spans, language, TODO) for one in chosen]
    text = marked_text(rows, [f"{one.reason} {one.doubt:.2f}" for one in chosen])
    atomic.write(out, text)
    atomic.write(out.with_suffix(f"{out.suffix}.given"), text)
    sys.stdout.write(
        f"{len(chosen)} sentences of {len(notes)} notes in {out}\n"
        f"Correct the marks [[LABEL|text]], write '{DONE}' for '{TODO}' in the head of each "
        f"sentence that is right, then: stream-deid review take {out} --out FILE\n"
    )
    return 0


def run_take(reviewed: Path, language: str, out: Path) -> int:
    """Write the reviewed sentences as a training file and tell what changed."""
    given = reviewed.with_suffix(f"{reviewed.suffix}.given")
    for path in (reviewed, given):
        if not path.is_file():
            raise Halt("review.missing", f"{path} is not there; `review pick` writes it")
    before = corpora.marked(given, language)
    done, changes = take(before, corpora.marked(reviewed, language))
    atomic.write(out, marked_text(done, ["taken"] * len(done)))
    by_id = {note.id: note for note in before}
    same = agreement([by_id[note.id] for note in done], done)
    gone = f", {changes.gone} no longer in the sheet" if changes.gone else ""
    sys.stdout.write(
        f"{changes.reviewed} sentences taken, {changes.left} still to review{gone}; spans: "
        f"{changes.same} as proposed, {changes.added} added, {changes.removed} removed, "
        f"{changes.retyped} of another type\n{_told(same)}"
        f"Train on them with marked:{language}:{out} among a recipe's [data] train\n"
    )
    return 0


def run_agree(one: str, other: str) -> int:
    """Print the agreement of two marked versions of the same notes."""
    first, second = (corpora.load(source, Path()) for source in (one, other))
    sys.stdout.write(_told(agreement(first, second)))
    return 0


def _told(found: Agreement) -> str:
    return (
        f"words: both {found.both}, first alone {found.first}, second alone {found.second}, "
        f"none {found.none}; agreement {found.observed:.4f}, Cohen's kappa {found.kappa:.4f}\n"
    )
