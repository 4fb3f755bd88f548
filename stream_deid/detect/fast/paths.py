"""Which stretches of a text are settled without a model, and by which reviewed rule.

A sentence is settled where it is an entry of the inclusion list or a template, unless any other
detector (pattern, known value, structured field) found something in it beyond the template's own
slots: then the models read it like any other. So a hit never overrides what somebody else knows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stream_deid.detect.fast.inclusion import Inclusion
from stream_deid.detect.fast.reviewed import (
    INCLUSION,
    KINDS,
    TEMPLATES,
    Reviewed,
    among,
    shipped,
)
from stream_deid.detect.fast.templates import Templates
from stream_deid.detect.fast.units import whole
from stream_deid.note import Detection
from stream_deid.text.edges import has_text

OFF, INCLUSION_ONLY, WITH_TEMPLATES = CHOICES = ("off", "inclusion", "inclusion+templates")
AUTO = "auto"
"""What `fast_paths` may be, beside `CHOICES`: what belongs to the profile."""

CONTEXT = 2
"""By measurement (docs/fast-paths.md): with fewer, open sentences are read worse."""


@dataclass(frozen=True, slots=True, order=True)
class Settled:
    """A stretch `[start, end)` that `rule` (`inclusion@1a2b3c4d`) answers for."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class FastPaths:
    """The lists of one language. `context`: so many settled sentences on either side of an open
    one are still shown to the models, as its surroundings.
    """

    inclusion: Inclusion
    templates: Templates
    context: int = CONTEXT

    def look(
        self, text: str, others: Sequence[Detection]
    ) -> tuple[list[Detection], tuple[Settled, ...]]:
        """What the templates detect in `text`, and what is settled: ordered, disjoint.

        `others`: what every other detector without a model found in the same text.
        """
        found: list[Detection] = []
        settled: list[Settled] = []
        sentences = list(whole(text))
        theirs, taken = _marked(text, others), bytearray(len(text))
        for one in self.templates.matched(text, sentences):
            found += one.slots
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            rest = theirs[one.start : one.end]
            for slot in one.slots:
                rest[slot.start - one.start : slot.end - one.start] = bytes(slot.end - slot.start)
            if not any(rest):
                settled.append(Settled(one.start, one.end, self.templates.rule))
        for start, end in self.inclusion.settled(text, sentences):
            if not any(theirs[start:end]) and not any(taken[start:end]):
                settled.append(Settled(start, end, self.inclusion.rule))
        return found, tuple(sorted(settled))

    def unread(self, text: str, settled: Sequence[Settled]) -> list[tuple[int, int]]:
        """The stretches that models need not be shown: settled, and no neighbour of an open one."""
        out: list[tuple[int, int]] = []
        read = [i for i, char in enumerate(text) if char.isalnum()] if settled else []
        for run in _runs(text, settled):
            before = self.context if read and read[0] < run[0].start else 0
            after = self.context if read and read[-1] >= run[-1].end else 0
            out += [(one.start, one.end) for one in run[before : len(run) - after]]
        return out


def beyond(found: Iterable[Detection], settled: Sequence[Settled]) -> list[Detection]:
    """What models found, without what lies wholly in settled stretches: those are answered for."""
    starts = [one.start for one in settled]
    return [
        one
        for one in found
        if not (place := bisect_right(starts, one.start)) or settled[place - 1].end < one.end
    ]


def _marked(text: str, found: Iterable[Detection]) -> bytearray:
    """One byte a character: 1 where it is a letter or digit of a detection."""
    marks = bytearray(len(text))
    for one in found:
        piece = text[one.start : one.end]
        marks[one.start : one.start + len(piece)] = bytes(c.isalnum() for c in piece)
    return marks


def _runs(text: str, settled: Sequence[Settled]) -> list[list[Settled]]:
    """Settled stretches with nothing to read between them."""
    runs: list[list[Settled]] = []
    for one in settled:
        if runs and not has_text(text, runs[-1][-1].end, one.start):
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def chosen(choice: str, language: str, texts: Mapping[str, str] | None = None) -> FastPaths | None:
    """The fast paths of a language by the setting `fast_paths`; none where it is "off".

    `texts`: compiled files by name, in place of those that the project ships.
    """
    if choice == OFF:
        return None
    mine: dict[str, Reviewed] = {
        kind: shipped(kind, language) if texts is None else among(texts, kind, language)
        for kind in KINDS
    }
    if choice != WITH_TEMPLATES:
        mine[TEMPLATES] = Reviewed(TEMPLATES, language)
    return FastPaths(Inclusion(mine[INCLUSION]), Templates(mine[TEMPLATES]))
