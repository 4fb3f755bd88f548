"""Spans of the texts of examples: marked in place, or told by what they say."""

from __future__ import annotations

from collections.abc import Iterable

from stream_deid.labels import PhiType
from stream_deid.note import Detection, Finding
from stream_deid.training.data.corpora import AnnotatedNote


def split(marked: str) -> tuple[str, int, int]:
    """A text and the place of what stands between "<" and ">" in it."""
    before, _, rest = marked.partition("<")
    word, _, after = rest.partition(">")
    return before + word + after, len(before), len(before) + len(word)


def marked_values(note: AnnotatedNote) -> list[tuple[str, str]]:
    """What is marked in a note, in order: (value, label)."""
    return [(note.text[start:end], label) for start, end, label in note.spans]


def place(text: str, value: str, after: int = 0) -> tuple[int, int]:
    """Where `value` stands first in `text`, from a place on."""
    start = text.index(value, after)
    return start, start + len(value)


def vote_for(
    text: str, value: str, kind: PhiType, score: float = 1.0, detector: str = "model@1"
) -> Detection:
    """A detector's vote for the first `value`."""
    return Detection(*place(text, value), kind, detector, score)


def finding(
    text: str,
    value: str,
    kind: PhiType,
    score: float = 1.0,
    detector: str = "m@1",
    *,
    after: int = 0,
) -> Finding:
    """The first `value`, found."""
    return Finding(*place(text, value, after), kind, (detector,), score)


def in_order(
    text: str, spans: Iterable[tuple[str, str]], score: float = 1.0, detector: str = "test@1"
) -> list[Finding]:
    """`spans` (type, value) found, each at its first place behind the last."""
    found: list[Finding] = []
    for phi, value in spans:
        after = found[-1].end if found else 0
        found.append(finding(text, value, PhiType[phi], score, detector, after=after))
    return found
