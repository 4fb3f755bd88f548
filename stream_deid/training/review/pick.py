"""Which sentences a person should look at: those that systems disagree on or are unsure of.

nference 2021, supplementary figure 1: samples for the next round of fine-tuning come from the space
of errors of the versions before. Errors of unlabelled notes are not known; disagreement and low
scores stand in for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stream_deid.note import Finding
from stream_deid.text.sentences import sentences
from stream_deid.training.data.corpora import AnnotatedNote, LabelSpan
from stream_deid.training.scores.metrics import words_of

UNSURE = 0.75
"""A span with a lower score is worth a look."""
_MARKS = ("[[", "]]", "=== ")


@dataclass(frozen=True, slots=True)
class DoubtfulSentence:
    """One sentence with the systems' proposal; spans count from its own start.

    `reason`: `disagree` or `unsure`. `doubt`: in how many words they disagree, or how far the
    lowest score is below 1; the larger, the sooner it should be looked at.
    """

    id: str
    text: str = field(repr=False)
    spans: tuple[LabelSpan, ...] = field(repr=False)
    reason: str
    doubt: float


def pick(
    notes: Sequence[AnnotatedNote],
    opinions: Mapping[str, Sequence[Sequence[Finding]]],
    most: int,
) -> list[DoubtfulSentence]:
    """The most doubtful sentences, each text once; `opinions` has one list of findings a note."""
    seen: set[str] = set()
    found = (
        one
        for i, note in enumerate(notes)
        for one in _doubtful(note, [said[i] for said in opinions.values()])
    )
    chosen = []
    for one in sorted(found, key=lambda s: (s.reason != "disagree", -s.doubt, s.id)):
        if one.text not in seen:
            seen.add(one.text)
            chosen.append(one)
    return chosen[:most]


def _doubtful(note: AnnotatedNote, said: Sequence[Sequence[Finding]]) -> Iterator[DoubtfulSentence]:
    for start, end in sentences(note.text):
        text = note.text[start:end]
        inside = [[f for f in found if f.start < end and start < f.end] for found in said]
        if any(sign in text for sign in _MARKS) or not any(inside):
            continue
        votes = [
            sum(any(f.start < b and a < f.end for f in found) for found in inside)
            for a, b in words_of(note.text, start, end)
        ]
        split = sum(0 < n < len(said) for n in votes)
        lowest = min(f.score for found in inside for f in found)
        if not split and lowest >= UNSURE:
            continue
        yield DoubtfulSentence(
            id=f"{note.id}.{start}",
            text=text,
            spans=tuple(_proposal(inside, start, end)),
            reason="disagree" if split else "unsure",
            doubt=float(split or 1 - lowest),
        )


def _proposal(inside: Sequence[Sequence[Finding]], start: int, end: int) -> list[LabelSpan]:
    """The first system's spans, and what others have beside them."""
    taken: list[LabelSpan] = []
    for found in inside:
        for f in found:
            a, b = max(f.start, start) - start, min(f.end, end) - start
            if not any(a < y and x < b for x, y, _ in taken):
                taken.append((a, b, f.label or f.type.value))
    return sorted(taken)
