"""Scores as Markdown tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stream_deid.training.scores.counts import Counts, Score, total
from stream_deid.training.scores.damage import HIT, KINDS

MEDDOCAN_QUESTIONS = ("ner", "span", "span.merged", "token.typed", "token.all")
ENGLISH_QUESTIONS = ("ner", "ner.relaxed", "token.typed", "token.A", "token.B", "token.C")
FEW_NOTES = 3
"""Of a type of note with fewer a figure would say nothing."""

NAMES = {
    "ner": "NER",
    "ner.relaxed": "NER relaxed",
    "span": "strict spans",
    "span.merged": "merged spans",
    "token.typed": "tokens, typed",
    "token.all": "tokens, binary",
    "token.A": "tokens, group A",
    "token.B": "tokens, group B",
    "token.C": "tokens, group C",
}


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column is left-aligned, the others right."""
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return "".join(f"| {' | '.join(row)} |\n" for row in (header, rule, *rows))


def systems_table(
    systems: Mapping[str, Score], questions: Sequence[str], *, group: str = "all"
) -> str:
    """One row a system: precision / recall / F1 of each question, whole notes, leaks, alarms."""
    header = ["system", *(f"{NAMES.get(q, q)} P / R / F1" for q in questions)]
    header += [
        "whole notes",
        "whole and undamaged",
        "leaks per 1,000 notes",
        "false alarms per 1,000 words",
    ]
    rows = [
        [
            name,
            *(_triple(score[q]) for q in questions),
            f"{score.rate(f'whole.{group}', 'notes', 100):.1f} %",
            f"{score.rate(f'sound.{group}', 'notes', 100):.1f} %",
            f"{score.rate(f'leaks.{group}', 'notes', 1000):.0f}",
            f"{_alarms(score, group):.2f}",
        ]
        for name, score in systems.items()
    ]
    return markdown(header, rows)


def note_types_table(types: Sequence[str], scores: Sequence[Score], *, group: str) -> str:
    """One row for each type of note (nference 2021, table 6) of which there are a few, and one
    for all the others; empty where no type is that frequent.
    """
    often = {kind for kind, count in Counter(types).items() if count >= FEW_NOTES and kind}
    if not often:
        return ""
    by_type: dict[str, list[Score]] = {}
    for kind, score in zip(types, scores, strict=True):
        by_type.setdefault(kind if kind in often else "(others)", []).append(score)
    rows = [
        [
            kind,
            str(len(mine)),
            _triple(whole[f"token.{group}"]),
            f"{whole.rate(f'whole.{group}', 'notes', 100):.0f} %",
        ]
        for kind, mine in sorted(by_type.items())
        for whole in [total(mine)]
    ]
    return markdown(["type of note", "notes", "tokens P / R / F1", "whole notes"], rows)


def damage_table(score: Score) -> str:
    """One row for each kind of thing that was replaced and is no identifier."""
    words = score.sums.get("plain_tokens", 0)
    rows = []
    for kind in KINDS:
        count = score.sums.get(HIT + kind, 0)
        rate = f"{1000 * count / words:.2f}" if words else "–"
        rows.append([kind, str(count), rate, f"{score.rate(HIT + kind, 'notes', 1):.2f}"])
    return markdown(["replaced, and no identifier", "spans", "in 1,000 words", "in a note"], rows)


def types_table(score: Score) -> str:
    """One row a label: gold entities, entity precision, recall and F1, and token recall."""
    labels = sorted(q.removeprefix("type.") for q in score.counts if q.startswith("type."))
    rows = []
    for label in labels:
        entity, tokens = score[f"type.{label}"], score[f"tokens.{label}"]
        rows.append([label, str(entity.tp + entity.fn), *_cells(entity), f"{tokens.recall:.3f}"])
    return markdown(["type", "gold", "precision", "recall", "F1", "token recall"], rows)


def _cells(counts: Counts) -> list[str]:
    return [f"{v:.3f}" for v in (counts.precision, counts.recall, counts.f1)]


def _triple(counts: Counts) -> str:
    return " / ".join(cell.lstrip("0") if cell != "1.000" else cell for cell in _cells(counts))


def _alarms(score: Score, group: str) -> float:
    plain = score.sums.get("plain_tokens", 0)
    return 1000 * score[f"token.{group}"].fp / plain if plain else 0.0
