"""Whether dates that a note writes alike have zeros before their single digits.

A date without a single digit (10/29/2024) doesn't show its writer's habit. Were it padded where the
others of the note are not, its surrogate (07/08/2025) would tell that day and month had two digits
each, and what it tells excludes offsets of the patient (docs/attacks.md). So all dates of a shape
follow the habit that most of them show, field by field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from stream_deid.surrogate.dates.reading.slots import DateReading, Slot

Place = tuple[str, str]
"""(shape of a date, field)."""
Habits = Mapping[Place, bool]
NONE: Habits = MappingProxyType({})
_DIGITS = frozenset({"1", "2"})


def habits(dates: Iterable[tuple[str, DateReading]]) -> Habits:
    """Whether the note pads, by shape and field, where its dates (text, reading) show it."""
    votes: Counter[Place] = Counter()
    for text, reading in dates:
        shape = _shape(text, reading)
        for slot in _fields(reading):
            if slot.form == "1" or slot.value < 10:
                votes[shape, slot.part] += 1 if slot.form == "2" else -1
    return {place: count > 0 for place, count in votes.items()}


def padded(text: str, reading: DateReading, known: Habits) -> Mapping[str, bool]:
    """Whether the day and month fields of a date are written with two digits.

    A field whose habit nobody shows follows the date's other field; where none is shown, dates of
    digits alone are padded, and so is a day that touches a letter (`29MAR`).
    """
    shape = _shape(text, reading)
    habit = {**habits([(text, reading)]), **known}
    shown = {part: habit[shape, part] for part in "md" if (shape, part) in habit}
    fields = _fields(reading)
    other = next(iter(shown.values()), None)
    numeric = any(slot.part == "m" for slot in fields)
    starts = {s.start for s in reading.slots if s.form != "stem"}
    glued = any(s.part == "d" and (s.end in starts or text[s.end : s.end + 1].isdecimal())
                for s in reading.slots)  # fmt: skip
    default = numeric or glued if other is None else other
    return {part: shown.get(part, default) for part in "md"}


def _fields(reading: DateReading) -> list[Slot]:
    return [s for s in reading.slots if s.part in "md" and s.form in _DIGITS and not s.name]


def _shape(text: str, reading: DateReading) -> str:
    """The fields in their order and what stands between them, the width of the year left out."""
    pieces: list[str] = []
    end = None
    for slot in sorted(reading.slots, key=lambda slot: slot.start):
        between = text[end : slot.start].strip().lower() if end is not None else ""
        pieces += [between, slot.part if slot.form in _DIGITS | {"4"} else slot.part.upper()]
        end = slot.end
    return " ".join(pieces)
