"""One self-contained HTML page to look at a system's errors: every mistake in its context.

Of marked notes that may be read; never of live ones. The page filters by type, by kind of error
and by text; it loads nothing from elsewhere.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise

from stream_deid.labels import label_type
from stream_deid.training.scores.metrics import Mark

CONTEXT = 90
KINDS = {
    "missed": "missed: nothing was predicted here",
    "partial": "partial: some of it is left, or too much is taken",
    "type": "type: right place, other type",
    "alarm": "alarm: predicted, and nothing is there",
}


@dataclass(frozen=True, slots=True)
class NotePage:
    """One note: its text, its gold and what was predicted."""

    name: str
    text: str = field(repr=False)
    gold: Sequence[Mark] = field(repr=False)
    said: Sequence[Mark] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: what the gold says, what was predicted, and the stretch that shows both."""

    kind: str
    label: str
    said: str
    start: int
    end: int


def mistakes(page: NotePage) -> list[Mistake]:
    """The mistakes of a note in order; right entities and neutral gold give none."""
    gold = [g for g in page.gold if label_type(g.label) is not None]
    neutral = [g for g in page.gold if label_type(g.label) is None]
    exact = set(gold) & set(page.said)
    out = [_of_gold(g, page.said) for g in gold if g not in exact]
    alarms = [p for p in page.said if not _touching(p, [*gold, *neutral])]
    out += [Mistake("alarm", p.label, p.label, p.start, p.end) for p in alarms]
    return sorted(out, key=lambda m: (m.start, m.end))


def _of_gold(gold: Mark, said: Sequence[Mark]) -> Mistake:
    near = _touching(gold, said)
    if not near:
        return Mistake("missed", gold.label, "", gold.start, gold.end)
    names = " ".join(dict.fromkeys(p.label for p in near))
    if any((p.start, p.end) == gold[:2] for p in near):
        return Mistake("type", gold.label, names, gold.start, gold.end)
    start, end = min(p.start for p in near), max(p.end for p in near)
    return Mistake("partial", gold.label, names, min(start, gold.start), max(end, gold.end))


def _touching(mark: Mark, others: Iterable[Mark]) -> list[Mark]:
    return [o for o in others if o.start < mark.end and mark.start < o.end]


def render(title: str, pages: Sequence[NotePage]) -> str:
    """The page as HTML text."""
    found = [(page, m) for page in pages for m in mistakes(page)]
    kinds = Counter(m.kind for _, m in found)
    labels = Counter(m.label for _, m in found)
    template = files(__package__).joinpath("browser.html").read_text("utf-8")
    parts = {
        "TITLE": html.escape(title),
        "SUMMARY": f"{len(found)} mistakes in {len(pages)} notes",
        "KINDS": "".join(_choice("kind", k, KINDS[k], kinds[k]) for k in KINDS),
        "TYPES": "".join(_choice("label", k, k, n) for k, n in sorted(labels.items())),
        "ROWS": "\n".join(_row(page, m) for page, m in found),
    }
    for name, value in parts.items():
        template = template.replace(f"<!--{name}-->", value)
    return template


def _choice(group: str, value: str, text: str, count: int) -> str:
    safe = html.escape(value)
    box = f'<input type="checkbox" data-group="{group}" value="{safe}" checked>'
    return f"<label>{box} {html.escape(text)} <b>{count}</b></label>"


def _row(page: NotePage, m: Mistake) -> str:
    said = f" &rarr; {html.escape(m.said)}" if m.kind in {"type", "partial"} else ""
    head = f'<b class="{m.kind}">{m.kind}</b> {html.escape(m.label)}{said}'
    return (
        f'<article data-kind="{m.kind}" data-label="{html.escape(m.label)}"><header>{head}'
        f"<i>{html.escape(page.name)} @ {m.start}</i></header><pre>{_context(page, m)}</pre>"
        "</article>"
    )


def _context(page: NotePage, m: Mistake) -> str:
    """The text around a mistake: gold underlined, predictions shaded."""
    first, last = max(0, m.start - CONTEXT), min(len(page.text), m.end + CONTEXT)
    edges = {first, last}
    for mark in (*page.gold, *page.said):
        edges.update(e for e in mark[:2] if first < e < last)
    cuts = sorted(edges)
    out = []
    for start, end in pairwise(cuts):
        gold = next((g.label for g in page.gold if g.start <= start and end <= g.end), "")
        said = next((p.label for p in page.said if p.start <= start and end <= p.end), "")
        classes = " ".join(c for c, on in (("gold", gold), ("said", said)) if on)
        text = html.escape(page.text[start:end])
        title = html.escape(f"gold: {gold or '-'}, predicted: {said or '-'}")
        out.append(f'<span class="{classes}" title="{title}">{text}</span>' if classes else text)
    return (
        ("&hellip;" if first else "") + "".join(out) + ("&hellip;" if last < len(page.text) else "")
    )
