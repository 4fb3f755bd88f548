"""Collects what the walk over an HL7 message finds: parts with their places, cuts, people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from stream_deid.formats.hl7.escapes import Decoded, decode
from stream_deid.formats.hl7.syntax import Message
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PhiType
from stream_deid.note import Known, Part, Span

_NOT_SEARCHED = frozenset(
    {PhiType.LOCATION_OTHER, PhiType.STATE, PhiType.COUNTRY, PhiType.PROFESSION}
)
"""Types whose values (`ICU`, `US`, `IN`) would hit innocent words of the free text."""
_MIN_NUMBER = 4
_NOT_SEARCHED_ROLES = frozenset({"check", "suffix", "oid", "area", "extension"})


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a stretch of a part came from: raw `[decoded.origin, end)`.

    `offset` is its place in the text of the part. `coding`: `escape` (HL7), `base64`, `hex`;
    `charset` is that of the bytes inside the last two.
    """

    offset: int
    decoded: Decoded
    end: int
    coding: str = "escape"
    charset: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """An identifier found in a structured field, before its people are told apart."""

    person: str
    type: PhiType
    role: str
    value: str = field(repr=False)


class Builder:
    """The result in the making; a place is `[start, end)` in the decoded message."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.parts: list[Part] = []
        self.slots: list[tuple[Slot, ...]] = []
        self.cuts: list[tuple[int, int]] = []
        self.withheld: list[str] = []
        self.pieces: list[Piece] = []
        self.sexes: dict[str, str] = {}

    def decoded(self, start: int, end: int) -> Decoded:
        return decode(self.message.text, start, end, self.message.delimiters, self.message.charset)

    def withhold(self, start: int, end: int, path: str) -> None:
        """Cut a stretch out of the message."""
        self.cuts.append((start, end))
        self.withheld.append(path)

    def declare(  # noqa: PLR0917 - the six facts of one structured value
        self, start: int, end: int, path: str, phi: PhiType, role: str, length: int | None = None
    ) -> str:
        """A structured value of known meaning; returns its text.

        Only the first `length` characters are the identifier (a date before a time of day).
        """
        decoded = self.decoded(start, end)
        span = Span(0, len(decoded.text) if length is None else length, phi)
        self.parts.append(Part(decoded.text, path, examine=False, declared=(span,), role=role))
        self.slots.append((Slot(0, decoded, end),))
        return decoded.text

    def declare_within(self, start: int, end: int, path: str, spans: Sequence[Span]) -> None:
        """A structured value with identifiers in places."""
        decoded = self.decoded(start, end)
        self.parts.append(Part(decoded.text, path, examine=False, declared=tuple(spans)))
        self.slots.append((Slot(0, decoded, end),))

    def examine(self, places: Sequence[tuple[int, int]], path: str) -> None:
        """Free text: the places become the lines of one part, if there is anything in them."""
        slots: list[Slot] = []
        offset = 0
        for start, end in places:
            decoded = self.decoded(start, end)
            slots.append(Slot(offset, decoded, end))
            offset += len(decoded.text) + 1
        text = "\n".join(slot.decoded.text for slot in slots)
        if text.strip():
            joins = [slot.offset - 1 for slot in slots[1:]]
            strays = [at for slot in slots for at in self._separators(slot)]
            self.parts.append(Part(text, path, seams=tuple(sorted((*joins, *strays)))))
            self.slots.append(tuple(slots))

    def _separators(self, slot: Slot) -> Iterator[int]:
        """Raw field separators that stand inside a text: no edit may swallow one of them."""
        for at, char in enumerate(slot.decoded.text):
            if char == self.message.delimiters.field:
                unit = slot.decoded.locate(at)
                if self.message.text[unit.raw_start : unit.raw_end] == char:
                    yield slot.offset + at

    def examine_coded(self, text: str, place: tuple[int, int], path: str, slot: Slot) -> None:
        """Free text inside an encoded value that is only ever rewritten whole."""
        assert slot.decoded.origin == place[0]
        if text.strip():
            self.parts.append(Part(text, path))
            self.slots.append((slot,))

    def known(self) -> tuple[Known, ...]:
        """The identifiers to search for in the free text, each once, by person.

        People of the same family and given name are one, and take the first one's group.
        """
        named: dict[tuple[str, str], str] = {}
        for piece in self.pieces:
            named.setdefault((piece.person, piece.role), piece.value.casefold())
        names: dict[tuple[str, str], str] = {}
        same = {person: person for person in (piece.person for piece in self.pieces)}
        for person in same:
            key = (named.get((person, "family"), ""), named.get((person, "given"), ""))
            if all(key):
                same[person] = names.setdefault(key, person)
        sexes: dict[str, str] = {}
        for person, sex in self.sexes.items():
            sexes.setdefault(same.get(person, person), sex)
        found = [
            Known(p.type, p.value, same[p.person], p.role, sexes.get(same[p.person], ""))
            for p in self.pieces
            if _searchable(p)
        ]
        return tuple(dict.fromkeys(found))


def _searchable(piece: Piece) -> bool:
    """Whether looking for a value in free text helps more than it harms."""
    if piece.type in _NOT_SEARCHED or piece.role in _NOT_SEARCHED_ROLES:
        return False
    if piece.type in ORGANIZATIONS:
        return " " in piece.value  # a lone word (`MAPLE`) is too often just a word
    return piece.type not in NUMBERS or len(piece.value) >= _MIN_NUMBER
