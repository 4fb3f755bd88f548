"""Two audits of one note side by side: what one release hid and the other didn't; no I/O.

Spans are told by their place in the note as it was parsed, which both releases read alike. What
comes out holds types, places, detectors and counts, never a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

FOUND, LOST, RETYPED, MOVED, SURROGATE = "found", "lost", "retyped", "moved", "surrogate"
KINDS = (FOUND, LOST, RETYPED, MOVED, SURROGATE)
_WORD = re.compile(r"\w+")

Span = Mapping[str, Any]
"""A span of an audit record."""
Texts = Mapping[str, str]
"""Of a message: the text of each part by its path; paths that parts share are left out."""


@dataclass(frozen=True, slots=True)
class Change:
    """One span that came out otherwise. `found`: hidden now and not then; `lost`: the reverse;
    `retyped`, `moved` (other bounds) and `surrogate` (another replacement or strategy): in both.

    `type` and `detectors` are those of now, of a lost span those of then; `was`: the type then.
    """

    kind: str
    type: str
    was: str
    detectors: tuple[str, ...]
    path: str
    start: int
    end: int

    def entry(self) -> dict[str, Any]:
        """As a span of an audit-like record."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Difference:
    """All changes of one note; how many of its words are hidden only now, and were only then."""

    changes: tuple[Change, ...]
    hidden: int = 0
    freed: int = 0


def difference(
    then: Sequence[Span], now: Sequence[Span], raw: Texts, clean_then: Texts, clean_now: Texts
) -> Difference:
    """Compare the spans of two audits of one note.

    `raw`, `clean_then`, `clean_now`: the texts of the message and of both outputs; where a text is
    missing its words are not counted, and surrogates are told apart by strategy alone.
    """
    changes: list[Change] = []
    hidden = freed = 0
    for path in sorted({str(s["path"]) for s in (*then, *now)}):
        before = sorted((s for s in then if s["path"] == path), key=lambda s: s["start"])
        after = sorted((s for s in now if s["path"] == path), key=lambda s: s["start"])
        same_surrogate = _Surrogates(clean_then.get(path), clean_now.get(path))
        changes += _changes(before, after, same_surrogate)
        words = [match.span() for match in _WORD.finditer(raw.get(path, ""))]
        covered_then, covered_now = _covered(words, before), _covered(words, after)
        hidden += len(covered_now - covered_then)
        freed += len(covered_then - covered_now)
    return Difference(tuple(changes), hidden, freed)


@dataclass(frozen=True, slots=True)
class _Surrogates:
    then: str | None
    now: str | None

    def same(self, before: Span, after: Span) -> bool:
        if before["strategy"] != after["strategy"]:
            return False
        if self.then is None or self.now is None:
            return True
        return _cut(self.then, before) == _cut(self.now, after)


def _cut(text: str, span: Span) -> str:
    return text[span["out_start"] : span["out_end"]]


def _changes(
    before: Sequence[Span], after: Sequence[Span], surrogates: _Surrogates
) -> Iterator[Change]:
    """Spans of one part, each list in order and disjoint."""
    met: set[int] = set()
    at = 0
    for span in after:
        while at < len(before) and before[at]["end"] <= span["start"]:
            at += 1
        over = list(_overlapping(before, at, span))
        if not over:
            yield _change(FOUND, span, "")
            continue
        met.update(over)
        old = before[max(over, key=lambda i: _overlap(before[i], span))]
        if old["type"] != span["type"]:
            yield _change(RETYPED, span, old["type"])
        elif (old["start"], old["end"]) != (span["start"], span["end"]):
            yield _change(MOVED, span, old["type"])
        elif not surrogates.same(old, span):
            yield _change(SURROGATE, span, old["type"])
    for i, span in enumerate(before):
        if i not in met:
            yield _change(LOST, span, span["type"])


def _overlapping(before: Sequence[Span], at: int, span: Span) -> Iterator[int]:
    while at < len(before) and before[at]["start"] < span["end"]:
        if _overlap(before[at], span) > 0:
            yield at
        at += 1


def _overlap(one: Span, other: Span) -> int:
    return int(min(one["end"], other["end"]) - max(one["start"], other["start"]))


def _change(kind: str, span: Span, was: str) -> Change:
    return Change(
        kind, span["type"], was, tuple(span["detectors"]), span["path"], span["start"], span["end"]
    )


def _covered(words: Sequence[tuple[int, int]], spans: Sequence[Span]) -> set[int]:
    """Which words a span touches."""
    found: set[int] = set()
    at = 0
    for span in spans:
        while at < len(words) and words[at][1] <= span["start"]:
            at += 1
        i = at
        while i < len(words) and words[i][0] < span["end"]:
            found.add(i)
            i += 1
    return found
