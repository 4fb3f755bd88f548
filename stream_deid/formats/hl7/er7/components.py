"""Where the values of a message lie: cutting a field into components and subcomponents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stream_deid.formats.hl7.er7.syntax import Hl7Message, pieces

LEVELS = 2  # components and subcomponents


@dataclass(frozen=True, slots=True)
class Hl7Place:
    """A value in the message; `level` 0: one repetition, 1: a component, 2: a subcomponent."""

    start: int
    end: int
    path: str
    level: int = 0


class Hl7Places:
    """Cuts the values of one message at its own separators."""

    def __init__(self, message: Hl7Message) -> None:
        self.text = message.text
        marks = message.delimiters
        self._separators = (marks.component, marks.subcomponent)
        self._repetition = marks.repetition

    @property
    def subcomponent(self) -> str:
        """What stands between subcomponents."""
        return self._separators[1]

    def repetitions(self, start: int, end: int) -> list[tuple[int, int]]:
        """The repetitions of a field."""
        return list(pieces(self.text, start, end, self._repetition))

    def split(self, place: Hl7Place) -> list[Hl7Place]:
        """The pieces of a repetition or component, which is not a subcomponent."""
        found = pieces(self.text, place.start, place.end, self._separators[place.level])
        inner = place.level + 1
        return [Hl7Place(a, b, f"{place.path}.{n}", inner) for n, (a, b) in enumerate(found, 1)]

    def is_single(self, place: Hl7Place) -> bool:
        """Whether there is nothing to split in a value at its own level."""
        return place.level >= LEVELS or (
            self.text.find(self._separators[place.level], place.start, place.end) < 0
        )

    def leaves(self, place: Hl7Place) -> Iterator[Hl7Place]:
        """The innermost pieces of a value."""
        if place.level >= LEVELS:
            yield place
        elif self.is_single(place):
            yield from self.leaves(Hl7Place(place.start, place.end, place.path, place.level + 1))
        else:
            for piece in self.split(place):
                yield from self.leaves(piece)

    def is_null(self, start: int, end: int) -> bool:
        """Whether nothing stands there but separators, blanks or HL7's explicit null (`""`)."""
        if start >= end:
            return True
        if self.text[start].isalnum():
            return False
        value = self.text[start:end].strip()
        return not value.strip("".join(self._separators) + self._repetition) or value == '""'


def at(values: Sequence[str], number: int) -> str:
    """Component `number`, counted from 1, or the empty string."""
    return values[number - 1].strip() if number <= len(values) else ""
