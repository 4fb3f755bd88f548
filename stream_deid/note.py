"""The vocabulary of the project: what flows from the wire to the wire.

Frozen, slotted dataclasses that check their own invariants when they are made.
All offsets are code points, half-open, in the text of one `Part` as it was parsed.
Fields that hold text of a note are `repr=False`, so that no traceback or log shows them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, auto
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stream_deid.errors import Halt
from stream_deid.labels import PhiType

SHARED = "*"
"""The subject of what is no patient's own: servers, authorities, ids that many records share."""

Headers: TypeAlias = Mapping[str, bytes]
"""The headers of a message on its topic."""

NO_HEADERS: Headers = MappingProxyType({})

GIVEN = frozenset({"given", "middle", "nickname"})
"""The roles of `Known` that hold given names."""
CONTROL = "control"
"""The role of the number that a sender gave a message, by which an answer names it."""
WEEKDAY = "weekday"
"""The role of a day of the week that answers when something was, and moves with the dates."""
OF_LAST_FIGURES = ("-ends", "-final", "-last4")
"""How the patterns are called that find the last figures of a number."""
OF_MANY = "lot"
"""The role of a lot in a field that says it is a drug's or a vaccine's, and stays."""


def _check_bounds(start: int, end: int) -> None:
    if not 0 <= start < end:
        raise Halt("span.bounds", f"a span must satisfy 0 <= start < end, not [{start}, {end})")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A typed stretch of text, `[start, end)`."""

    start: int
    end: int
    type: PhiType

    def __post_init__(self) -> None:
        _check_bounds(self.start, self.end)


def ends_a_number(detectors: Iterable[str]) -> bool:
    """Whether any of the detectors finds the last figures of a number, by what stands before."""
    return any(one.partition("@")[0].endswith(OF_LAST_FIGURES) for one in detectors)


def disjoint(spans: Iterable[Span]) -> list[Span]:
    """Those that begin first, the longest of them, without what overlaps one of these."""
    taken: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not taken or span.start >= taken[-1].end:
            taken.append(span)
    return taken


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of text of a note with its place in the source message.

    `examine` parts are free text that every configured detector must see. The others are
    structured fields whose meaning the format knows: `declared` says what they hold.
    `seams` are offsets of characters (line joins of multi-segment reports) that no edit may
    swallow, so that the text can be cut again into the lines that it came from.
    `role` names the piece of a structured name or address (`family`, `given`, `middle`,
    `suffix`, `birth_date`, ...), empty for free text; `id` is what other records call this one.
    `coded`: a field for codes and words of vocabularies, in which only what is certain is replaced;
    what is declared in one is somebody's by a list of names alone, and may be the name of a test.
    `asked`: the names of the test or question whose answer it is.
    `subject`: whose surrogates and date offset hold for it, where a message speaks of several
    patients; empty for the note's own.
    """

    text: str = field(repr=False)
    path: str = ""
    examine: bool = True
    declared: tuple[Span, ...] = ()
    seams: tuple[int, ...] = ()
    role: str = ""
    subject: str = field(default="", repr=False)
    coded: bool = False
    asked: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        for span in self.declared:
            if span.end > len(self.text):
                raise Halt("part.declared", f"declared span ends beyond the text of {self.path}")


@dataclass(frozen=True, slots=True)
class Known:
    """An identifier that the message states in a structured field.

    `person` groups what belongs to one human being (`patient`, `kin:1`, `doctor:PV1-7`, ...);
    `role` is the piece (`full`, `family`, `given`, `middle`, `nickname`, `birth_date`, or
    empty for numbers and addresses); `sex` is `F`, `M` or empty; `subject` as in `Part`, empty
    for everybody's.
    """

    type: PhiType
    value: str = field(repr=False)
    person: str = "patient"
    role: str = ""
    sex: str = ""
    subject: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    """A message as parsed: its parts, what is known about its people, and its envelope.

    `patient_id` is the source system's id, used only as input to keyed derivation.
    `envelope` belongs to the format that made the note and is opaque to all others.
    `withheld` lists the places of segments or fields that the format will not release.
    """

    note_id: str = field(repr=False)
    patient_id: str = field(repr=False)
    parts: tuple[Part, ...]
    language: str
    known: tuple[Known, ...] = ()
    note_type: str = ""
    written_on: date | None = field(default=None, repr=False)
    envelope: Any = field(default=None, repr=False)
    withheld: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """Whom surrogates and the date offset belong to: the patient, or where the message names
        none this one note, so that strangers never share an offset.

        A note is known by its id and by what it says: counters of messages begin anew.
        """
        return self.patient_id or f"note:{self.note_id}:{_digest(self.parts)}"


def _digest(parts: Iterable[Part]) -> str:
    """SHA-256 of the texts of some parts."""
    made = hashlib.sha256()
    for part in parts:
        text = part.text.encode("utf-8", "surrogatepass")
        made.update(b"%d:" % len(text) + text)
    return made.hexdigest()


class Hearing(Enum):
    """How models read a text: as it is written, with a capital before each word where it has no
    case, or with words in capitals normalised (`text.case`).
    """

    WRITTEN = auto()
    CAPITALISED = auto()
    NORMALISED = auto()


@dataclass(frozen=True, slots=True)
class Window:
    """A run of tokens of one part as one model sees it.

    `inputs` holds the model's arrays without batch dimension; the first dimension of each is
    the token axis (length n). `starts`, `ends`: character offsets of the n tokens, int32;
    equal where a token has no text (special tokens). `[own_start, own_end)` is the stretch of
    characters for which this window's scores count; the windows of a part own all of it,
    each character once. `hearing`: how the text was read; each hearing owns all of it once more.
    """

    model: str
    part: int
    inputs: dict[str, NDArray[Any]] = field(repr=False)
    starts: NDArray[np.int32] = field(repr=False)
    ends: NDArray[np.int32] = field(repr=False)
    own_start: int
    own_end: int
    hearing: Hearing = Hearing.WRITTEN

    def __len__(self) -> int:
        return int(self.starts.shape[0])


@dataclass(frozen=True, slots=True)
class Detection:
    """One vote of one detector: `detector` is `name@version`, `score` in [0, 1].

    `label` is the type in the words of the detector's own guideline (MEDDOCAN, i2b2), where
    it is finer than `type`.
    """

    start: int
    end: int
    type: PhiType
    detector: str
    score: float = 1.0
    label: str = ""

    def __post_init__(self) -> None:
        _check_bounds(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the votes agreed on: disjoint within its part, with everyone who voted for it.

    `rivals`: what others took a part of it, or more than it, for; the best type first.
    """

    start: int
    end: int
    type: PhiType
    detectors: tuple[str, ...]
    score: float = 1.0
    label: str = ""
    rivals: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        _check_bounds(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Edit:
    """A finding with its replacement; `strategy` says how the replacement was made.

    `[out_start, out_end)` is its place in the rewritten text of the part.
    """

    finding: Finding
    replacement: str = field(repr=False)
    strategy: str
    out_start: int
    out_end: int

    def __post_init__(self) -> None:
        if self.out_end - self.out_start != len(self.replacement):
            raise Halt("edit.bounds", "an edit's output offsets must span its replacement")


@dataclass(frozen=True, slots=True)
class CleanPart:
    """A part after rewriting: the text to release and the ordered, disjoint edits in it."""

    text: str = field(repr=False)
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Deidentified:
    """A note ready for release: `parts[i]` answers `Note.parts[i]`; ids are pseudonyms."""

    note_id: str
    patient_id: str
    parts: tuple[CleanPart, ...]
    release: str


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """What was done to a note, without a single value of it. See `audit.py` for the JSON."""

    body: dict[str, Any]
