"""The people whom a record names, and an index of the words of their names."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stream_deid.detect.record.joined_names import joined, logins
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.known_words import COMMON, NICKNAMES, PARTICLES, TITLES
from stream_deid.note import GIVEN, Known
from stream_deid.text.typos import Slips
from stream_deid.text.view import View

NAMES = PERSONS | {PhiType.RELATIVE}
_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+")
FUZZY_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Token:
    start: int
    end: int
    text: str = field(repr=False)
    low: str = field(repr=False)


@dataclass(slots=True, eq=False)
class Person:
    """One human being of the record: the words of the name, lower-case, and their type.

    `firsts` counts the words by their first letter; `given` are those that are surely given names.
    """

    type: PhiType
    parts: dict[str, None] = field(default_factory=dict, repr=False)
    firsts: Counter[str] = field(default_factory=Counter, repr=False)
    given: set[str] = field(default_factory=set, repr=False)

    def add(self, part: str) -> None:
        """One more word of the name."""
        if part not in self.parts:
            self.parts[part] = None
            self.firsts[part[0]] += 1

    def initials(self) -> frozenset[str]:
        """Two or three first letters of different parts, in any order."""
        first = [part[0] for part in itertools.islice(self.parts, 4)]
        return frozenset(
            "".join(pick) for size in (2, 3) for pick in itertools.permutations(first, size)
        )

    def has_initial(self, letter: str, *, beside: str) -> bool:
        """Whether a part other than `beside` begins with `letter`."""
        own = beside in self.parts and beside[0] == letter
        return self.firsts[letter] > own


@dataclass(frozen=True, slots=True)
class Marks:
    """The persons whom a word may name, their types, and those of whom it is surely a given name.

    `exact`: it is a word of theirs, and not one typo away from one.
    """

    persons: Mapping[Person, None] = field(default_factory=dict, repr=False)
    types: frozenset[PhiType] = frozenset()
    given: frozenset[PhiType] = frozenset()
    exact: bool = True

    def __bool__(self) -> bool:
        return bool(self.types)


NOBODY = Marks()


def tokens_of(view: View) -> list[Token]:
    out = []
    for match in _TOKEN.finditer(view.text):
        start, end = match.span()
        text = view.text[start:end]
        if text[-2:].lower() == "'s":
            text, end = text[:-2], end - 2
        out.append(Token(start, end, text, text.lower().replace("'", "")))
    return out


def people_of(known: Sequence[Known]) -> list[Person]:
    """The persons of the record, each with the distinct parts of the name, in order."""
    people: dict[tuple[str, PhiType], Person] = {}
    for one in known:
        if one.type not in NAMES:
            continue
        person = people.setdefault((one.person, one.type), Person(one.type))
        for at, token in enumerate(tokens_of(View(one.value))):
            part = token.low
            if len(part) < 2 or not part.isalpha() or part in PARTICLES or part in TITLES:
                continue
            person.add(part)
            if one.role in GIVEN or (one.role == "full" and not at and "," not in one.value):
                person.given.add(part)
    return [p for p in people.values() if p.parts]


class Index:
    """Words to persons: exact, nickname, and one typo away.

    What is asked of a word, or of two, is found out once: thousands may share one.
    """

    def __init__(self, people: Sequence[Person]) -> None:
        self._exact: dict[str, list[Person]] = {}
        long: dict[str, list[Person]] = {}
        for person in people:
            for part in person.parts:
                for word in (part, *NICKNAMES.get(part, ())):
                    self._exact.setdefault(word, []).append(person)
                if len(part) >= FUZZY_LENGTH:
                    long.setdefault(part, []).append(person)
        self._long, self._slips = long, Slips(long)
        self._seen: dict[str, Marks] = {}
        self._of_initial: dict[tuple[str, str], frozenset[PhiType]] = {}
        self._of_both: dict[tuple[str, str], frozenset[PhiType]] = {}
        self.by_initials: dict[str, dict[PhiType, None]] = {}
        self.joined = {name for person in people for name in joined(tuple(person.parts))}
        self.logins = {form for person in people for form in logins(tuple(person.parts))}
        for person in people:
            for initials in person.initials():
                self.by_initials.setdefault(initials, {})[person.type] = None

    def lookup(self, token: Token) -> Marks:
        """The persons that the token may name, and whether it does so exactly."""
        marks = self._marks(token.low)
        return NOBODY if len(token.low) == 2 and not token.text[0].isupper() else marks

    def of_initial(self, letter: str, low: str) -> frozenset[PhiType]:
        """The types of those whom `low` may name and who have another part that begins with
        `letter`.
        """
        key = letter, low
        if key not in self._of_initial:
            persons = self._marks(low).persons
            found = {p.type for p in persons if p.has_initial(letter, beside=low)}
            self._of_initial[key] = frozenset(found)
        return self._of_initial[key]

    def of_both(self, one: str, other: str) -> frozenset[PhiType]:
        """The types of those whom both words may name."""
        if not (self._marks(one) and self._marks(other)):
            return frozenset()
        key = one, other
        if key not in self._of_both:
            few, many = sorted((self._marks(one).persons, self._marks(other).persons), key=len)
            self._of_both[key] = frozenset(person.type for person in few if person in many)
        return self._of_both[key]

    def _marks(self, low: str) -> Marks:
        if low in self._seen:
            return self._seen[low]
        exact = True
        hits = dict.fromkeys(self._exact.get(low, ()))
        if not hits and len(low) >= FUZZY_LENGTH - 1 and low not in COMMON:
            hits = {person: None for part in self._near(low) for person in self._long[part]}
            exact = not hits
        if not hits and len(low) > 5 and low.endswith("s") and low[:-1] in self._exact:
            hits = dict.fromkeys(self._exact[low[:-1]])
        types = frozenset(person.type for person in hits)
        given = frozenset(person.type for person in hits if low in person.given)
        marks = Marks(hits, types, given, exact) if hits else NOBODY
        self._seen[low] = marks
        return marks

    def _near(self, word: str) -> Iterator[str]:
        """Parts one slip away, the first letter kept or swapped."""
        for part in self._slips.near(word):
            if word[0] == part[0] or word[1] == part[1]:
                yield part
