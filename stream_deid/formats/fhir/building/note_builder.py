"""Collects what the walk over a message finds: parts with their places, cuts, people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from stream_deid.formats.content.pieces import Piece, Slice, plain
from stream_deid.formats.fhir.building.lone_words import Lone
from stream_deid.formats.people import Fact
from stream_deid.labels import PhiType
from stream_deid.note import SHARED, Part, Span

Container = dict[str, Any] | list[Any]
Write = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Member:
    """A value where it stands: `holder[key]`."""

    holder: Container = field(repr=False)
    key: str | int

    @property
    def value(self) -> Any:
        """What stands there."""
        return self.holder[self.key]  # type: ignore[index]


@dataclass(frozen=True, slots=True)
class FhirLeaf:
    """A string of the message that holds parts: `container[key]`, made of `pieces`.

    `write` makes the value of the text that the pieces give; None where that is no value.
    """

    container: Container = field(repr=False)
    key: str | int
    pieces: tuple[Piece, ...] = field(repr=False)
    write: Write = plain
    required: bool = False


@dataclass(frozen=True, slots=True)
class KeptString:
    """A string that goes out as it came, unless a known value stands in it.

    `public`: it is a vocabulary's own word or code, where a lone word is no name. `lone`: what
    becomes of a listed name that stands alone (`lone_words.py`). `role`, `asked`: as in `Part`.
    """

    container: Container = field(repr=False)
    key: str | int
    path: str
    subject: str = field(repr=False)
    public: bool = False
    lone: Lone = Lone.REPLACED
    role: str = ""
    asked: str = field(default="", repr=False)

    @property
    def text(self) -> str:
        """The string."""
        return str(self.container[self.key])  # type: ignore[index]


class FhirBuilder:
    """The result in the making."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.leaves: list[FhirLeaf] = []
        self.kept: list[KeptString] = []
        self.cuts: list[tuple[Container, str | int, bool]] = []
        self.withheld: list[str] = []
        self.facts: list[Fact] = []
        self.sized: list[dict[str, Any]] = []

    def add(self, part: Part) -> int:
        """The number of a new part."""
        self.parts.append(part)
        return len(self.parts) - 1

    def declare(
        self, text: str, path: str, phi: PhiType, *, role: str = "", subject: str = "",
        length: int | None = None,
    ) -> Slice:  # fmt: skip
        """A value of known meaning, of which the first `length` characters are the identifier."""
        span = Span(0, len(text) if length is None else length, phi)
        at = self.add(Part(text, path, examine=False, declared=(span,), role=role, subject=subject))
        return Slice(at, 0, len(text), text)

    def state(self, text: str, path: str, role: str, subject: str) -> Slice:
        """A value that says no more than its `role` does."""
        at = self.add(Part(text, path, examine=False, role=role, subject=subject))
        return Slice(at, 0, len(text), text)

    def identify(self, text: str, path: str) -> Slice:
        """An id by which records refer to each other; the same for everybody."""
        return self.declare(text, path, PhiType.IDNUM, role="id", subject=SHARED)

    def examine(
        self, text: str, path: str, subject: str, seams: Sequence[int] = (), *,
        coded: bool = False, asked: str = "",
    ) -> Slice:  # fmt: skip
        """Free text; `coded`: words of a concept or a result that answers what is `asked`, in which
        only what is sure is replaced.
        """
        part = Part(text, path, seams=tuple(seams), subject=subject, coded=coded, asked=asked)
        at = self.add(part)
        return Slice(at, 0, len(text), text)

    def whole(self, at: int) -> Slice:
        """All of a part."""
        text = self.parts[at].text
        return Slice(at, 0, len(text), text)

    def put(
        self, container: Container, key: str | int, *pieces: Piece, write: Write = plain,
        required: bool = False,
    ) -> None:  # fmt: skip
        """What `container[key]` is made of."""
        self.leaves.append(FhirLeaf(container, key, pieces, write, required))

    def withhold(
        self, container: Container, key: str | int, path: str, *, why: str = "",
        required: bool = False,
    ) -> None:  # fmt: skip
        """Leave a member out; where the specification requires it, say that it was there."""
        self.cuts.append((container, key, required))
        self.withheld.append(f"{path} ({why})" if why else path)


@dataclass(frozen=True, slots=True)
class SubjectParts:
    """The parts of a document at `path` belong to `subject`."""

    out: FhirBuilder
    subject: str = field(repr=False)

    def text(self, text: str, path: str, seams: Sequence[int] = ()) -> int:
        """A part of free text."""
        return self.out.examine(text, path, self.subject, seams).part

    def declared(self, text: str, path: str, phi: PhiType, length: int | None = None) -> int:
        """A part of known meaning."""
        return self.out.declare(text, path, phi, subject=self.subject, length=length).part
