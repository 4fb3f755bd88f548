"""The figures of `transfer` as Markdown."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from stream_deid.attack.twins import ORIGINALS, SURROGATES, VERSIONS
from stream_deid.training.scores.counts import Counts, Score
from stream_deid.training.scores.tables import NAMES, markdown

Scores = Mapping[tuple[str, str], Score]
"""By (trained on, scored on), each one of `VERSIONS`."""

QUESTIONS = ("ner", "span", "token.all")
_TYPE = "type."


def transfer(scores: Scores, generalised: Collection[str]) -> str:
    """What is lost by training on the other kind of text, in points of F1, and where.

    `generalised`: labels whose values the policy makes less exact instead of replacing them by
    others of their kind; the NER figure is given without them as well.
    """
    labels = _labels(scores)
    left_out = sorted(labels & frozenset(generalised))
    rows = [row for title, counts in _asked(scores, labels, left_out).items()
            for row in _rows(title, counts)]  # fmt: skip
    header = ["F1 %", "trained on", *(f"scored on {version}" for version in VERSIONS)]
    note = f"Generalised by the policy: {', '.join(left_out)}.\n\n" if left_out else ""
    return f"{markdown(header, rows)}\n{note}{_types(scores, labels)}"


def _asked(
    scores: Scores, labels: Collection[str], left_out: Collection[str]
) -> dict[str, Mapping[tuple[str, str], Counts]]:
    """The counts of each question, by its title."""
    asked: dict[str, Mapping[tuple[str, str], Counts]] = {
        NAMES[question]: {way: score[question] for way, score in scores.items()}
        for question in QUESTIONS
    }
    if left_out:
        kept = sorted(set(labels) - set(left_out))
        asked["NER, generalised labels left out"] = {
            way: sum((score[_TYPE + label] for label in kept), Counts())
            for way, score in scores.items()
        }
    return asked


def _rows(title: str, counts: Mapping[tuple[str, str], Counts]) -> list[list[str]]:
    trained = [
        [title, learnt, *(_percent(counts[learnt, judged].f1) for judged in VERSIONS)]
        for learnt in VERSIONS
    ]
    lost = [f"{100 * (counts[v, v].f1 - counts[_other(v), v].f1):.2f}" for v in VERSIONS]
    return [*trained, [title, "points lost by the other", *lost]]


def _types(scores: Scores, labels: Collection[str]) -> str:
    """A row a label, those that lose most to the other kind of training first."""
    by_label = {
        label: {way: score[_TYPE + label] for way, score in scores.items()} for label in labels
    }
    more = {
        label: [_errors(c[_other(v), v]) - _errors(c[v, v]) for v in VERSIONS]
        for label, c in by_label.items()
    }
    header = ["label", "gold"]
    for version in VERSIONS:
        header += [f"{version}: F1 %", "by the other", "more errors"]
    rows = []
    for label in sorted(labels, key=lambda label: (-sum(more[label]), label)):
        counts = by_label[label]
        own = counts[ORIGINALS, ORIGINALS]
        row = [label, str(own.tp + own.fn)]
        for version, extra in zip(VERSIONS, more[label], strict=True):
            other = counts[_other(version), version]
            row += [_percent(counts[version, version].f1), _percent(other.f1), f"{extra:+d}"]
        rows.append(row)
    return markdown(header, rows)


def _labels(scores: Scores) -> frozenset[str]:
    questions = {question for score in scores.values() for question in score.counts}
    return frozenset(q.removeprefix(_TYPE) for q in questions if q.startswith(_TYPE))


def _other(version: str) -> str:
    return SURROGATES if version == ORIGINALS else ORIGINALS


def _errors(counts: Counts) -> int:
    return counts.fp + counts.fn


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
