"""What models read of a note: passages, and chunks of them that are scored and decoded in one go.

A passage is a part, the plain reading of one, or a stretch of these where they are long. A chunk
is as many passages as fit; an ordinary note is one chunk. What models say of a chunk comes to a
few detections before the next one is cut into windows, so the memory that a note takes beside its
text doesn't grow with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stream_deid.budget import check
from stream_deid.detect.coverage import Covered, prove
from stream_deid.detect.fast.paths import Settled, beyond
from stream_deid.detect.neural.decoding import Reading, decode
from stream_deid.detect.neural.model_windows import ModelSpec, windows
from stream_deid.errors import Halt
from stream_deid.note import Detection, Hearing, Window
from stream_deid.text.readings import Plain
from stream_deid.text.tokens import Tokens

Scores = NDArray[np.float32]
Decoder = Callable[[str, Sequence[Reading]], list[Detection]]

LONGEST = 100_000
"""Characters of a passage, and of a chunk: about 100 MB while it is scored and decoded."""

_BREAKS = "\n\n", "\n", " "


class Reader(Protocol):
    """A model in this process, which no server scores for."""

    @property
    def detector(self) -> str: ...

    def read(
        self, text: str, unread: Sequence[tuple[int, int]] = ()
    ) -> tuple[list[Detection], Tokens]:
        """What it finds, and the tokens that it was shown: all but those of `unread` stretches."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch that models read as one text; `offset`: where it begins in its part or reading.

    `number`: its place among the passages of the note, which its windows carry as their `part`.
    `settled` and `unread` (`detect.fast`) are in its own characters. `plain`: the reading that it
    is a stretch of, None where it is of the part itself.
    """

    part: int
    text: str = field(repr=False)
    offset: int = 0
    settled: tuple[Settled, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
    plain: Plain | None = field(default=None, repr=False)
    number: int = 0

    def moved(self, found: Detection) -> Detection:
        """What was found in the passage, in its place in the part."""
        placed = found
        if self.offset:
            placed = replace(found, start=found.start + self.offset, end=found.end + self.offset)
        return self.plain.moved(placed) if self.plain else placed


@dataclass(frozen=True, slots=True)
class Chunk:
    """Passages that are scored and decoded together."""

    passages: tuple[Passage, ...]

    def windows(self, models: Sequence[ModelSpec]) -> tuple[Window, ...]:
        """What the models must score: they own every character of every passage."""
        return tuple(
            window
            for passage in self.passages
            for model in models
            for window in windows(model, passage.number, passage.text, passage.unread)
        )


@dataclass(frozen=True, slots=True)
class Heard:
    """What models said of a chunk: detections by part, and the proof of what they were shown.

    `covered`: part, first character and `Covered` of each passage that is no plain reading.
    """

    detections: tuple[tuple[int, Detection], ...]
    covered: tuple[tuple[int, int, Covered], ...]


def hear(
    chunk: Chunk,
    electorates: Sequence[Sequence[ModelSpec]],
    cut: Sequence[Window],
    scores: Sequence[Scores],
    decoder: Decoder = decode,
    *,
    readers: Sequence[Reader] = (),
) -> Heard:
    """Decode one array [n, labels] for each window of a chunk, and let the `readers` read it.

    The models of an electorate are decoded together, each reader votes for itself. Raises
    `Halt("scores....")` where scores don't fit, `Halt("coverage....")` where a character went
    unexamined by a model.
    """
    if len(scores) != len(cut):
        raise Halt("scores.count", "each window needs exactly one array of scores")
    places = _places(cut)
    detections: list[tuple[int, Detection]] = []
    covered = []
    for passage in chunk.passages:
        by_model = {
            model.name: places.get((passage.number, model.name), [])
            for electorate in electorates
            for model in electorate
        }
        votes, shown = _read(passage, readers)
        if passage.plain is None:
            owners = shown | {
                name: [cut[i] for i in at if cut[i].hearing is Hearing.WRITTEN]
                for name, at in by_model.items()
            }
            proof = prove(passage.text, f"part {passage.part}", owners, passage.settled)
            covered.append((passage.part, passage.offset, proof))
        for electorate in electorates:
            check()
            readings = [
                Reading(model, [cut[i] for i in at], [scores[i] for i in at])
                for model in electorate
                for at in [by_model[model.name]]
            ]
            votes += decoder(passage.text, readings)
        found = beyond(votes, passage.settled)
        detections += [(passage.part, passage.moved(one)) for one in found]
    return Heard(tuple(detections), tuple(covered))


def _read(
    passage: Passage, readers: Sequence[Reader]
) -> tuple[list[Detection], dict[str, list[Window]]]:
    """What readers find in a passage, and for the proof what each was shown: all in one window."""
    votes, shown = [], {}
    for reader in readers:
        check()
        found, tokens = reader.read(passage.text, passage.unread)
        votes += found
        window = Window(
            reader.detector, passage.number, {}, tokens.starts, tokens.ends, 0, len(passage.text)
        )
        shown[reader.detector] = [window]
    return votes, shown


def _places(cut: Sequence[Window]) -> dict[tuple[int, str], list[int]]:
    """Which windows belong to a passage and a model, in order."""
    places: dict[tuple[int, str], list[int]] = {}
    for i, window in enumerate(cut):
        places.setdefault((window.part, window.model), []).append(i)
    return places


def passages(
    part: int,
    text: str,
    *,
    settled: Sequence[Settled] = (),
    unread: Sequence[tuple[int, int]] = (),
    plain: Plain | None = None,
) -> Iterator[Passage]:
    """The passages of a part, or of its plain reading; none of an empty one."""
    for start, end in _stretches(text):
        yield Passage(
            part,
            text[start:end],
            start,
            tuple(
                replace(one, start=a, end=b)
                for one in settled
                for a, b in _within(one.start, one.end, start, end)
            ),
            tuple(inner for a, b in unread for inner in _within(a, b, start, end)),
            plain,
        )


def chunks(found: Iterable[Passage]) -> tuple[Chunk, ...]:
    """Passages in their order, numbered, as many in a chunk as fit."""
    groups: list[list[Passage]] = []
    room = 0
    for number, passage in enumerate(found):
        if not groups or len(passage.text) > room:
            groups.append([])
            room = LONGEST
        groups[-1].append(replace(passage, number=number))
        room -= len(passage.text)
    return tuple(Chunk(tuple(group)) for group in groups)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Cut at an empty line, else at a line, else at a space, in the last fifth of what fits."""
    start = 0
    while len(text) - start > LONGEST:
        least, most = start + LONGEST * 4 // 5, start + LONGEST
        ends = (text.rfind(mark, least, most) + len(mark) for mark in _BREAKS)
        end = next((end for end in ends if end > least), most)
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _within(start: int, end: int, first: int, last: int) -> Iterator[tuple[int, int]]:
    """What of `[start, end)` lies in `[first, last)`, counted from `first`."""
    if start < last and end > first:
        yield max(start, first) - first, min(end, last) - first
