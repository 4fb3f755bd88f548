"""Records of a topic as people name them: `TOPIC/PARTITION/OFFSET`, or `.../FIRST-LAST`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedRecords:
    """Records of one partition from the offset `first` to `last`."""

    topic: str
    partition: int
    first: int
    last: int

    @classmethod
    def of(cls, text: str) -> NamedRecords:
        """As it is written. Raises `ValueError`."""
        topic, partition, offsets = text.rsplit("/", 2)
        first, dash, last = offsets.partition("-")
        numbers = [_number(one) for one in (partition, first, last if dash else first)]
        if not topic or numbers[1] > numbers[2]:
            raise ValueError("no records")
        return cls(topic, *numbers)

    def holds(self, topic: str, partition: int, offset: int) -> bool:
        """Whether a record is one of these."""
        return (topic, partition) == (self.topic, self.partition) and (
            self.first <= offset <= self.last
        )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise ValueError("no number")
    return int(text)
