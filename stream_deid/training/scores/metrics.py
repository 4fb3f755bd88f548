"""Scores of one note by the published definitions.

* Entities (i2b2 2014 track 1, Stubbs et al. 2015): `ner` counts exact offsets and type;
  `ner.relaxed` lets the end differ by up to 2 characters, as the challenge's script does.
  `ner` is also MEDDOCAN's sub-track 1, `span` its sub-track 2 strict (offsets only), `span.merged`
  its merged variant, where spans that only non-alphanumeric characters part count as one
  (Marimon et al. 2019 and the task's script).
* Tokens: runs of letters and runs of digits. `token.typed` asks for the right type;
  `token.all|A|B|C` are binary, for all types or the nference groups: a gold token is found where
  each of its gold characters is covered by a prediction of whatever type (what is replaced can't
  leak); a token is a false positive where a prediction of the group's types touches it and no
  gold span does.
* `type.<LABEL>` entities by label, `tokens.<LABEL>` recall of a label's tokens (its `fp` is 0),
  `false.<LABEL>` tokens of nobody's that were taken for one.
* Sums beside these: `hit.KIND` spans that hit no identifier (`damage`), `sound.GROUP` notes without
  a leak and without such a span.
* `unseen` recall of entities whose value does not occur in training.

Neutral gold (`labels.AUTHORED` to None: AGE_U90, YEAR, TIME, WEEKDAY) is no PHI, and predicted
tokens or entities inside it are no false positives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from stream_deid.labels import GROUP_A, GROUP_B, GROUP_C, TO_MEDDOCAN, PhiType, label_type
from stream_deid.note import Detection, Finding
from stream_deid.training.scores.counts import Counts, Score
from stream_deid.training.scores.damage import damage

GROUPS = {"all": frozenset(PhiType), "A": GROUP_A, "B": GROUP_B, "C": GROUP_C}
RELAXED_END = 2

_TOKEN = re.compile(r"[^\W\d_]+|\d+")


def words_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The tokens of scores (runs of letters, runs of digits) of a stretch of text."""
    for match in _TOKEN.finditer(text, start, end):
        yield match.span()


class Mark(NamedTuple):
    """A labelled stretch `[start, end)` of code points, gold or predicted."""

    start: int
    end: int
    label: str


def marks(found: Iterable[Detection | Finding], *, meddocan: bool = False) -> list[Mark]:
    """Detections or findings as marks: types for English, MEDDOCAN's labels for Spanish."""
    if not meddocan:
        return [Mark(f.start, f.end, f.type.value) for f in found]
    return [Mark(f.start, f.end, f.label or TO_MEDDOCAN.get(f.type, f.type.value)) for f in found]


def score_note(
    text: str, gold: Sequence[Mark], predicted: Sequence[Mark], *, seen: Collection[str] = ()
) -> Score:
    """All scores of one note.

    `gold` labels are those of `labels.AUTHORED` or `labels.MEDDOCAN`, predicted ones likewise;
    predictions should be disjoint. `seen`: casefolded values of the training entities.
    Raises `KeyError` for an unknown label.
    """
    neutral = [g for g in gold if label_type(g.label) is None]
    phi = sorted({_plain(g) for g in gold if label_type(g.label) is not None})
    said = sorted({_plain(p) for p in predicted if label_type(p.label) is not None})
    counts = _entity_counts(text, phi, said, neutral)
    if seen:
        counts["unseen"] = _unseen(text, phi, said, seen)
    tokens = _Tokens(text, phi, said, neutral)
    counts.update(tokens.counts())
    sums = {"notes": 1}
    sums.update(tokens.sums(phi))
    hits = damage(text, said, gold)
    sums.update(hits)
    for group in GROUPS:
        sums[f"sound.{group}"] = int(sums[f"whole.{group}"] and not hits)
    return Score(counts, sums)


def leaked(text: str, gold: Sequence[Mark], said: Sequence[Mark], group: str) -> list[Mark]:
    """The identifiers of a group of which a word isn't covered, whatever the prediction's type."""
    phi = [g for g in sorted({_plain(g) for g in gold}) if label_type(g.label) is not None]
    return _Tokens(text, phi, said, ()).leaks(phi, GROUPS[group])


def _plain(mark: Mark) -> Mark:
    """PAGER and PHONE are one type; MEDDOCAN's labels stay as they are."""
    return Mark(mark.start, mark.end, "PHONE") if mark.label == "PAGER" else mark


def _inside(mark: Mark, holders: Iterable[Mark]) -> bool:
    return any(h.start <= mark.start and mark.end <= h.end for h in holders)


def _count(gold: set[Mark], said: set[Mark], neutral: Sequence[Mark]) -> Counts:
    wrong = sum(1 for p in said - gold if not _inside(p, neutral))
    return Counts(len(gold & said), wrong, len(gold - said))


def _entity_counts(
    text: str, gold: Sequence[Mark], said: Sequence[Mark], neutral: Sequence[Mark]
) -> dict[str, Counts]:
    counts = {
        "ner": _count(set(gold), set(said), neutral),
        "ner.relaxed": _relaxed(gold, said, neutral),
        "span": _count(_untyped(gold), _untyped(said), neutral),
        "span.merged": _merged_counts(text, gold, said, neutral),
    }
    for label in sorted({m.label for m in (*gold, *said)}):
        counts[f"type.{label}"] = _count(
            {g for g in gold if g.label == label}, {p for p in said if p.label == label}, neutral
        )
    return counts


def _relaxed(gold: Sequence[Mark], said: Sequence[Mark], neutral: Sequence[Mark]) -> Counts:
    ends: dict[tuple[int, str], list[int]] = {}
    for g in gold:
        ends.setdefault((g.start, g.label), []).append(g.end)
    tp = fp = 0
    for p in said:
        candidates = ends.get((p.start, p.label), [])
        near = [e for e in candidates if abs(e - p.end) <= RELAXED_END]
        if near:
            candidates.remove(min(near, key=lambda e: abs(e - p.end)))
            tp += 1
        else:
            fp += not _inside(p, neutral)
    return Counts(tp, fp, len(gold) - tp)


def _untyped(found: Iterable[Mark]) -> set[Mark]:
    return {Mark(m.start, m.end, "") for m in found}


def _merge(text: str, spans: Iterable[Mark]) -> set[Mark]:
    merged: list[Mark] = []
    for span in sorted(spans):
        if merged and not any(c.isalnum() for c in text[merged[-1].end : span.start]):
            merged[-1] = Mark(merged[-1].start, span.end, "")
        else:
            merged.append(span)
    return set(merged)


def _merged_counts(
    text: str, gold: Sequence[Mark], said: Sequence[Mark], neutral: Sequence[Mark]
) -> Counts:
    strict_gold, strict_said = _untyped(gold), _untyped(said)
    right = (strict_gold & strict_said) | (_merge(text, strict_gold) & _merge(text, strict_said))
    wrong = [
        p for p in strict_said - strict_gold if not _inside(p, right) and not _inside(p, neutral)
    ]
    missed = [g for g in strict_gold - strict_said if not _inside(g, right)]
    return Counts(len(right), len(wrong), len(missed))


def _unseen(text: str, gold: Sequence[Mark], said: Sequence[Mark], seen: Collection[str]) -> Counts:
    new = [g for g in gold if text[g.start : g.end].casefold() not in seen]
    found = sum(1 for g in new if g in said)
    return Counts(found, 0, len(new) - found)


class _Tokens:
    """Who covers which character and token of one note."""

    def __init__(
        self, text: str, gold: Sequence[Mark], said: Sequence[Mark], neutral: Sequence[Mark]
    ) -> None:
        self.spans = [m.span() for m in _TOKEN.finditer(text)]
        self.gold = _paint(text, gold)
        self.said = _paint(text, said)
        self.neutral = _paint(text, neutral)

    def counts(self) -> dict[str, Counts]:
        tallies: dict[str, Counter[str]] = {f"token.{g}": Counter() for g in GROUPS}
        tallies["token.typed"] = Counter()
        for start, end in self.spans:
            gold = next((g for g in self.gold[start:end] if g), "")
            if gold:
                self._count_gold(gold, start, end, tallies)
            else:
                self._count_plain(start, end, tallies)
        return {name: Counts(t["tp"], t["fp"], t["fn"]) for name, t in tallies.items()}

    def _count_gold(
        self, gold: str, start: int, end: int, tallies: dict[str, Counter[str]]
    ) -> None:
        covered = self._covered(start, end)
        outcome = "tp" if covered else "fn"
        for group, types in GROUPS.items():
            if label_type(gold) in types:
                tallies[f"token.{group}"][outcome] += 1
        tallies.setdefault(f"tokens.{gold}", Counter())[outcome] += 1
        said = next((p for p in self.said[start:end] if p), "")
        right = covered and said == gold
        tallies["token.typed"]["tp" if right else "fn"] += 1
        tallies["token.typed"]["fp"] += bool(said) and not right

    def _count_plain(self, start: int, end: int, tallies: dict[str, Counter[str]]) -> None:
        said = next((p for p in self.said[start:end] if p), "")
        if not said or any(self.neutral[start:end]):
            return
        for group, types in GROUPS.items():
            tallies[f"token.{group}"]["fp"] += label_type(said) in types
        tallies["token.typed"]["fp"] += 1
        tallies.setdefault(f"false.{said}", Counter())["fp"] += 1

    def _covered(self, start: int, end: int) -> bool:
        return all(
            bool(p) or not g
            for g, p in zip(self.gold[start:end], self.said[start:end], strict=True)
        )

    def sums(self, gold: Sequence[Mark]) -> dict[str, int]:
        """Leaked spans and whole notes by group, and the number of tokens outside gold."""
        sums = {"plain_tokens": sum(1 for s, e in self.spans if not any(self.gold[s:e]))}
        for group, types in GROUPS.items():
            leaks = len(self.leaks(gold, types))
            sums[f"leaks.{group}"] = leaks
            sums[f"whole.{group}"] = int(leaks == 0)
        return sums

    def leaks(self, gold: Sequence[Mark], types: Collection[PhiType]) -> list[Mark]:
        """The spans of these types that have an uncovered word."""
        return [g for g in gold if label_type(g.label) in types and self._leaks(g)]

    def _leaks(self, mark: Mark) -> bool:
        return any(
            start < mark.end and mark.start < end and not self._covered(start, end)
            for start, end in self.spans
        )


def _paint(text: str, found: Sequence[Mark]) -> list[str]:
    """The label at each character, empty where there is none; the earlier mark wins."""
    painted = [""] * len(text)
    for mark in reversed(found):
        painted[mark.start : mark.end] = [mark.label] * (mark.end - mark.start)
    return painted
