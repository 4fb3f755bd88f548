"""Collects what the walk over an HL7 message finds: parts with their places, cuts, people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from stream_deid.formats.hl7.er7.components import Hl7Place
from stream_deid.formats.hl7.er7.escapes import Decoded, decode
from stream_deid.formats.hl7.er7.syntax import Hl7Message
from stream_deid.formats.hl7.patients import Owners
from stream_deid.formats.people import Fact
from stream_deid.labels import PhiType
from stream_deid.note import Part, Span


@dataclass(frozen=True, slots=True)
class RawStretch:
    """Where a stretch of a part came from: raw `[decoded.origin, end)`.

    `offset` is its place in the text of the part.
    """

    offset: int
    decoded: Decoded
    end: int


class Hl7Builder:
    """The result in the making; a place is `[start, end)` in the decoded message.

    `owners` says whose a place is where no `subject` is given.
    """

    def __init__(self, message: Hl7Message, owners: Owners) -> None:
        self.message, self.owners = message, owners
        self.parts: list[Part] = []
        self.slots: list[tuple[RawStretch, ...]] = []
        self.cuts: list[tuple[int, int]] = []
        self.shown: set[tuple[int, int]] = set()
        self.withheld: list[str] = []
        self.facts: list[Fact] = []
        self.sexes: dict[str, str] = {}

    def decoded(self, start: int, end: int) -> Decoded:
        return decode(self.message.text, start, end, self.message.delimiters, self.message.charset)

    def withhold(self, start: int, end: int, path: str, *, shown: bool = True) -> None:
        """Cut a stretch out of the message.

        `shown`: a tag may stand there instead; never where programs read dates or documents.
        """
        self.cuts.append((start, end))
        self.withheld.append(path)
        if shown and any(map(str.isalpha, self.message.text[start:end])):
            self.shown.add((start, end))

    def declare(
        self, at: Hl7Place, phi: PhiType, *, role: str = "", length: int | None = None,
        subject: str = "",
    ) -> str:  # fmt: skip
        """A structured value of known meaning; returns its text.

        Only the first `length` characters are the identifier (a date before a time of day).
        `subject`: whose it is, where it is not the patient's.
        """
        decoded = self.decoded(at.start, at.end)
        span = Span(0, len(decoded.text) if length is None else length, phi)
        whose = subject or self.owners.of(at.start)
        self.parts.append(
            Part(decoded.text, at.path, examine=False, declared=(span,), role=role, subject=whose)
        )
        self.slots.append((RawStretch(0, decoded, at.end),))
        return decoded.text

    def declare_within(
        self, at: Hl7Place, spans: Sequence[Span], *, subject: str = "", coded: bool = False
    ) -> None:
        """A structured value with identifiers in places; `subject` as above, `coded` as in one."""
        decoded = self.decoded(at.start, at.end)
        whose = subject or self.owners.of(at.start)
        self.parts.append(
            Part(
                decoded.text,
                at.path,
                examine=False,
                declared=tuple(spans),
                subject=whose,
                coded=coded,
            )
        )
        self.slots.append((RawStretch(0, decoded, at.end),))

    def name_beside(self, path: str, phi: PhiType) -> None:
        """Words beside a component that were to be examined are a name after all."""
        element = path.rpartition(".")[0] + "."
        for number, part in enumerate(self.parts):
            if part.examine and part.path.startswith(element):
                whole = (Span(0, len(part.text), phi),)
                self.parts[number] = replace(part, examine=False, declared=whole, coded=False)

    def state(self, at: Hl7Place, role: str) -> None:
        """A structured value that stays, and what it is."""
        decoded = self.decoded(at.start, at.end)
        whose = self.owners.of(at.start)
        self.parts.append(Part(decoded.text, at.path, examine=False, role=role, subject=whose))
        self.slots.append((RawStretch(0, decoded, at.end),))

    def examine(
        self,
        places: Sequence[tuple[int, int]],
        path: str,
        *,
        coded: bool = False,
        asked: str = "",
        subject: str = "",
    ) -> None:
        """Free text: the places become the lines of one part, if there is anything in them.

        `coded`: words in a field for codes; `asked`: what they answer; `subject` as above.
        """
        slots: list[RawStretch] = []
        offset = 0
        for start, end in places:
            decoded = self.decoded(start, end)
            slots.append(RawStretch(offset, decoded, end))
            offset += len(decoded.text) + 1
        text = "\n".join(slot.decoded.text for slot in slots)
        if text.strip():
            joins = [slot.offset - 1 for slot in slots[1:]]
            strays = [at for slot in slots for at in self._separators(slot)]
            seams = tuple(sorted((*joins, *strays)))
            whose = subject or self.owners.of(places[0][0])
            self.parts.append(
                Part(text, path, seams=seams, subject=whose, coded=coded, asked=asked)
            )
            self.slots.append(tuple(slots))

    def _separators(self, slot: RawStretch) -> Iterator[int]:
        """Raw field separators that stand inside a text: no edit may swallow one of them."""
        for at, char in enumerate(slot.decoded.text):
            if char == self.message.delimiters.field:
                unit = slot.decoded.locate(at)
                if self.message.text[unit.raw_start : unit.raw_end] == char:
                    yield slot.offset + at

    def learn(self, start: int, fact: Fact) -> None:
        """What a place says of a person."""
        self.facts.append(replace(fact, subject=fact.subject or self.owners.of(start)))

    def embed(self, text: str, path: str, seams: Sequence[int] = (), *, start: int) -> int:
        """The number of a part of free text in a document that lies at `start`."""
        self.parts.append(Part(text, path, seams=tuple(seams), subject=self.owners.of(start)))
        self.slots.append(())
        return len(self.parts) - 1

    def embed_declared(
        self, text: str, path: str, phi: PhiType, length: int | None, *, start: int
    ) -> int:
        """The number of a part of known meaning in a document that lies at `start`."""
        span = Span(0, len(text) if length is None else length, phi)
        whose = self.owners.of(start)
        self.parts.append(Part(text, path, examine=False, declared=(span,), subject=whose))
        self.slots.append(())
        return len(self.parts) - 1
