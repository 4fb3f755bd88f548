"""What a message says of its people and houses, to be looked for in what it keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from stream_deid.detect.record.sought import Sought
from stream_deid.formats.hl7.kept import own_days
from stream_deid.formats.hl7.maps.field_map import Closed
from stream_deid.formats.hl7.note_builder import Hl7Builder
from stream_deid.formats.people import Fact
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.note import Part
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold, folded

_MIN_NUMBER = 5
_MIN_NAME = 4
_KINDS = ("", "h", "mc")  # what follows initials: hospital, medical centre
_LONGEST_SHORT = 8
_MOST_SHORTENED = 100  # institutions whose names a message's authorities may be shortened to
_ISSUERS = frozenset({PhiType.HOSPITAL, PhiType.ORGANIZATION, PhiType.IDNUM})
_NOT_SOUGHT = frozenset({"check", "oid", "area", "extension"})
"""Roles of pieces that are too short or too common to be looked for."""
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Identities:
    """Numbers by their letters and digits, words of names and those that are too short to be one
    alone (`Obi` of Nakagawa-Obi), days, what its houses are called, and who may issue numbers.
    """

    numbers: dict[str, PhiType] = field(repr=False)
    sought: Sought = field(repr=False)
    names: dict[str, PhiType] = field(repr=False)
    short: frozenset[str] = field(repr=False)
    days: frozenset[str] = field(repr=False)
    places: dict[str, PhiType] = field(repr=False)
    issuers: tuple[Closed, Closed]

    def type_of(self, number: str) -> PhiType:
        """The type of one of the numbers, written with any count of leading zeros."""
        left = bare(number)
        while left not in self.numbers and left.startswith("0"):
            left = left[1:]
        return self.numbers[left]

    def issuer(self, value: str) -> PhiType | None:
        """What an authority is that an institution of the message is called by or shortened to."""
        name = _spaced(fold(value))
        if name in self.places or any(one.holds(name) for one in self.issuers):
            return self.places.get(name)
        some = islice(self.places.items(), _MOST_SHORTENED)
        return next((phi for whole, phi in some if _shortens(name, whole)), None)

    def is_person(self, named: Sequence[str]) -> bool:
        """Whether these are the family and the given name of one of the people."""
        each = [[word.key for word in words(value)] for value in named]
        return len(each) == 2 and all(
            keys and all(key in self.names or key in self.short for key in keys) for keys in each
        )


def identities(out: Hl7Builder, issuers: tuple[Closed, Closed]) -> Identities:
    """Those of a message; `issuers`: who may stand as an authority and is nobody's."""
    facts = [piece for piece in out.facts if piece.role not in _NOT_SOUGHT]
    numbers = _numbers(facts)
    named = [(key, piece.type) for piece in facts if piece.type in PERSONS for key in _names(piece)]
    return Identities(
        numbers,
        Sought(numbers),
        {key: phi for key, phi in named if len(key) >= _MIN_NAME},
        frozenset(key for key, _ in named if len(key) < _MIN_NAME),
        own_days.written(_days(out.parts)),
        _institutions(facts),
        issuers,
    )


def _numbers(facts: Sequence[Fact]) -> dict[str, PhiType]:
    """Numbers of any kind by their letters and digits, without leading zeros; the first says what
    it is.
    """
    numbers: dict[str, PhiType] = {}
    for piece in facts:
        if piece.type in NUMBERS or piece.type is PhiType.PHONE:
            number = without_zeros(bare(folded(piece.value)))
            if len(number) >= _MIN_NUMBER and any(c.isdecimal() for c in number):
                numbers.setdefault(number, piece.type)
    return numbers


def _institutions(facts: Sequence[Fact]) -> dict[str, PhiType]:
    """What institutions are called; the first that is called so says what it is."""
    places: dict[str, PhiType] = {}
    for piece in facts:
        if piece.type in _ISSUERS:
            places = dict.fromkeys(_called(_spaced(fold(piece.value))), piece.type) | places
    return places


def _days(parts: Iterable[Part]) -> set[date]:
    """Every day that a part declares."""
    return {
        day
        for part in parts
        for span in part.declared
        if span.type is PhiType.DATE
        for day in own_days.read(part.text[span.start : span.end])
    }


def _spaced(name: str) -> str:
    return re.sub(r"[\s_.-]+", " ", name).strip()


def _called(name: str) -> Iterator[str]:
    """An institution's name, its words and its initials: what gives numbers is called by each."""
    yield name
    each = _WORD.findall(name)
    if len(each) > 1:
        yield from (word for word in each if len(word) >= _MIN_NAME)
        for counted in (each, [word for word in each if len(word) >= _MIN_NAME]):
            initials = "".join(word[0] for word in counted)
            if len(initials) > 1:
                yield from (initials + kind for kind in _KINDS)


def _shortens(value: str, name: str) -> bool:
    """Whether a few letters stand in a name in this order, from its first on (`NGH`: `NORTHGATE`),
    but for those of the kind at their end.
    """
    if not (value.isalpha() and len(value) < min(_LONGEST_SHORT, len(name) - 1)):
        return False
    for kind in _KINDS:
        own = value.removesuffix(kind)
        letters = iter(name)
        if len(own) > 1 and own[0] == name[0] and all(letter in letters for letter in own):
            return True
    return False


def _names(piece: Fact) -> list[str]:
    named = piece.role in ("family", "given", "full", "middle", "")
    return [word.key for word in words(piece.value)] if named else []


def bare(value: str) -> str:
    """A number by its letters and digits."""
    return "".join(c for c in value if c.isalnum()).casefold()


def without_zeros(number: str) -> str:
    """A number without its leading zeros, where enough is left of it."""
    stripped = number.lstrip("0")
    return stripped if len(stripped) >= _MIN_NUMBER else number
