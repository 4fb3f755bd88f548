"""What a note is examined with: detectors first, then models, asked for what rules leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from stream_deid.budget import check
from stream_deid.detect.fast.paths import FastPaths, Settled
from stream_deid.detect.neural.decoding import check_pool, decode
from stream_deid.detect.neural.ensemble import Ensemble
from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.detect.neural.passages import Chunk, Decoder, Passage, Reader, passages
from stream_deid.note import Detection, Note, Part
from stream_deid.text.memo import Memo
from stream_deid.text.readings import Plain, both, plain_of

FIELD_DETECTOR = "field@1"


class Detector(Protocol):
    """A fast-path detector: no model, no state. Its detections carry its name and version."""

    def detect(self, text: str, note: Note) -> list[Detection]: ...


@dataclass(frozen=True, slots=True)
class Language:
    """What a language is examined with: every one of `models` and of `readers`, which are models
    in this process and vote each for itself, must see every character.

    `pooled`: the models give one opinion, the mean of theirs; otherwise each votes for itself
    and one vote is enough (nference 2021). `fast`: the reviewed lists that settle sentences
    without the models, if any. `ensemble`: the models are read as models by entity, in place of
    either. Raises `Halt("pool...")` where models can't be pooled.
    """

    detectors: tuple[Detector, ...]
    models: tuple[ModelSpec, ...]
    pooled: bool = True
    fast: FastPaths | None = None
    ensemble: Ensemble | None = None
    readers: tuple[Reader, ...] = ()

    def __post_init__(self) -> None:
        if self.pooled and not self.ensemble:
            check_pool(self.models)

    @property
    def required(self) -> list[str]:
        """`name@version` of each that must see every character."""
        return [*(one.detector for one in self.models), *(one.detector for one in self.readers)]

    @property
    def electorates(self) -> list[tuple[ModelSpec, ...]]:
        """The models that are decoded together, and those that are after them."""
        together = self.pooled or self.ensemble
        return [self.models] if together else [(one,) for one in self.models]

    @property
    def decoder(self) -> Decoder:
        """What makes detections of what an electorate says."""
        return self.ensemble.decode if self.ensemble else decode


@dataclass(frozen=True, slots=True)
class Pending:
    """A note whose fast paths have run; it waits for what models say of each of `chunks`.

    `note.language` is decided: whatever looks at the note from here on goes by it. `settled`: what
    reviewed rules answer for, by part. `memo`: what was found out about pieces of its text, for
    what follows.
    """

    note: Note
    detections: tuple[tuple[Detection, ...], ...] = field(repr=False)
    chunks: tuple[Chunk, ...] = ()
    settled: tuple[tuple[Settled, ...], ...] = ()
    memo: Memo = field(default_factory=Memo, repr=False, compare=False)

    def settled_in(self, part: int) -> tuple[Settled, ...]:
        """What reviewed rules answer for in one part."""
        return self.settled[part] if self.settled else ()

    @property
    def texts(self) -> list[str]:
        """What windows are cut from, by their `part`."""
        return [passage.text for chunk in self.chunks for passage in chunk.passages]


def without_models(
    part: Part, reading: Plain | None, note: Note, setup: Language
) -> list[Detection]:
    check()
    declared = [Detection(s.start, s.end, s.type, FIELD_DETECTOR) for s in part.declared]
    if not part.examine:
        return declared
    return declared + [
        found for one in setup.detectors for found in both(one, part.text, reading, note)
    ]


def settle(
    note: Note,
    fast: FastPaths | None,
    detections: Sequence[list[Detection]],
    plains: Mapping[int, Plain],
) -> tuple[tuple[tuple[Settled, ...], ...], dict[int, list[tuple[int, int]]]]:
    """What reviewed rules answer for by part, and what models need not be shown of it.

    Adds what templates detect to `detections`. A part that has a plain reading is read in full.
    """
    if fast is None:
        return (), {}
    settled, unread = [], {}
    for index, part in enumerate(note.parts):
        mine: tuple[Settled, ...] = ()
        if part.examine and index not in plains:
            found, mine = fast.look(part.text, detections[index])
            detections[index] += found
            unread[index] = fast.unread(part.text, mine)
        settled.append(mine)
    return tuple(settled), unread


def plain_readings(note: Note) -> dict[int, Plain]:
    """Plain readings by part, of those that are read a second time without their marks."""
    read = ((index, plain_of(part.text)) for index, part in enumerate(note.parts) if part.examine)
    return {index: reading for index, reading in read if reading is not None and reading.text}


def passages_of(
    note: Note,
    plains: Mapping[int, Plain],
    settled: Sequence[Sequence[Settled]] = (),
    unread: Mapping[int, Sequence[tuple[int, int]]] = MappingProxyType({}),
) -> Iterator[Passage]:
    """Every part that is examined, then every plain reading."""
    for index, part in enumerate(note.parts):
        if part.examine:
            ruled = settled[index] if settled else ()
            yield from passages(index, part.text, settled=ruled, unread=unread.get(index, ()))
    for index, reading in plains.items():
        yield from passages(index, reading.text, plain=reading)
