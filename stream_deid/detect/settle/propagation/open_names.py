"""The names that a note says openly, as what looks for disguises needs them.

A word of a name *tells* who it is where it is no common language, no clinical word, no title and
no particle; other words ("May", "Graves", "Rose") tell only beside another word of the same name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache

from stream_deid.detect.record.joined_names import joined
from stream_deid.detect.record.sought import Sought
from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.known_words import COMMON, PARTICLES, SAID, TITLES
from stream_deid.lists.name_words import is_nothing_else
from stream_deid.lists.namesakes import means_a_thing
from stream_deid.lists.people import all_given_names, is_listed_name
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.note import Finding
from stream_deid.text.view import View

_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)*")
_TELLING, _SURE, _UNLISTED = 4, 5, 6  # letters; less than `_SURE` only where it is nothing else
_WITHIN = 7  # letters of a name that no other word has within it
_SHORTEST, _MOST_WORDS = 2, 6
_LEAST_GIVEN = 3
_PLURALS = ("s", "es")


@cache
def beside_names() -> frozenset[str]:
    """What is joined to a name in file and user names, and says nothing of anybody ("mri")."""
    lists = Vocabulary("contacts_user_names", "surrogates")
    return lists.words("beside_names") | lists.words("of_files") | affixes("user")


@cache
def _words_of_the_language() -> frozenset[str]:
    return COMMON | ordinary() | EPONYMS | SAID | TITLES | PARTICLES


def is_word(low: str) -> bool:
    """Whether a folded word in small letters is one of the language or the clinic."""
    return low in _words_of_the_language() or means_a_thing(low)


class OpenNames:
    """Names by their distinctive words, by pairs of words of one name, by an initial beside such a
    word, and by their joined forms.

    Each leads to the first finding whose name it is. Of a name the first `_MOST_WORDS` words count.
    """

    def __init__(self) -> None:
        self.distinctive: dict[str, Finding] = {}
        self.pairs: dict[tuple[str, str], Finding] = {}
        self.initials: dict[tuple[str, str], Finding] = {}
        self.forms: dict[str, Finding] = {}
        self.hosts: dict[str, Finding] = {}  # words too that tell nobody by themselves
        self._seen: set[tuple[str, ...]] = set()
        self._sizes: list[int] = []
        self._within = Sought(())

    def __len__(self) -> int:
        return len(self.distinctive)

    def learn(self, name: str, finding: Finding) -> None:
        """One more name, as the note says it."""
        view = View(name)
        found = (view.lower[m.start() : m.end()] for m in _WORD.finditer(view.text))
        words = tuple(dict.fromkeys(w.removesuffix("'s").replace("'", "") for w in found))
        words = tuple(
            w for w in words if len(w) >= _SHORTEST and w not in TITLES and w not in PARTICLES
        )[:_MOST_WORDS]
        if words in self._seen:
            return
        self._seen.add(words)
        for word in words:
            if len(word) >= _TELLING:
                self.hosts.setdefault(word, finding)
            if len(word) >= _TELLING and not is_word(word):
                self.distinctive.setdefault(word, finding)
        for pair in itertools.permutations(words, 2):
            self.pairs.setdefault(pair, finding)
            if pair[1] in self.distinctive:
                self.initials.setdefault((pair[0][0], pair[1]), finding)
        for form in (*joined(words), *_short(words)):
            self.forms.setdefault(form, finding)

    def settle(self) -> None:
        """To be called when all names are learnt."""
        self._sizes = sorted({len(word) for word in self.distinctive if _long(word)})
        self._within = Sought(word for word in self.distinctive if len(word) >= _WITHIN)

    def silent(self, low: str) -> bool:
        """Whether a run of letters is a word of the language that stands in no name: it tells
        nobody, however it stands.
        """
        return low not in self.hosts and is_word(low)

    def word(self, low: str, *, capital: bool) -> Finding | None:
        """Whose a word is that stands by itself, in small letters or with a capital."""
        found = self.distinctive.get(low)
        if found is None:
            return self._plural(low, capital=capital)
        return found if _sure(low, capital=capital) else None

    def _plural(self, low: str, *, capital: bool) -> Finding | None:
        """Whose a word is that means a family ("the Whitcombes")."""
        for ending in _PLURALS if low.endswith("s") else ():
            base = low.removesuffix(ending)
            if base != low and base in self.distinctive and _long(base):
                sure = capital or (_sure(base, capital=False) and not is_listed_name(low))
                return self.distinctive[base] if sure and not is_word(low) else None
        return None

    def joined(self, low: str, *, address: bool) -> Finding | None:
        """Whose a run of letters is in which a word that tells is joined with another of the name,
        its initial, or a word of files ("whitcombemri"), and a longer one with particles and
        anybody's given name ("vanwhitcombe"), or within other letters; with any word where
        `address` says so.
        """
        form = self.forms.get(low)
        if form is not None and address:
            return form
        for rest, name in self._ends(low):
            if name not in self.distinctive or not _long(name):
                continue
            if form is not None:
                return form
            known = (
                rest in beside_names()
                or len(rest) > 1 == len(set(rest))
                or (len(name) >= _UNLISTED and _beside(rest))
            )
            if known and not is_listed_name(low):
                return self.distinctive[name]
        return self._inside(low)

    def _inside(self, low: str) -> Finding | None:
        """Whose name of many letters has others before it and behind ("xxwhitcombexx"), or is
        written backwards.
        """
        if len(low) < _WITHIN or is_listed_name(low):
            return None
        if low[::-1] in self.distinctive:
            return self.distinctive[low[::-1]]
        inside = self._within.ends(low, lambda start, end: start > 0 and end < len(low))
        start, end = next(inside, (0, 0))
        return self.distinctive[low[start:end]] if end else None

    def _ends(self, low: str) -> Iterator[tuple[str, str]]:
        for size in self._sizes:
            if size >= len(low):
                return
            yield low[size:], low[:size]
            yield low[:-size], low[-size:]


def _beside(rest: str) -> bool:
    """Whether what is joined to a name is a given name, a particle, or the one or an initial before
    the other ("annevan", "jde").
    """
    return (
        rest in PARTICLES
        or _given(rest)
        or rest[1:] in PARTICLES
        or any(rest.endswith(one) and _given(rest.removesuffix(one)) for one in PARTICLES)
    )


def _given(word: str) -> bool:
    return len(word) >= _LEAST_GIVEN and word in all_given_names()


def _long(word: str) -> bool:
    return len(word) >= _SURE or is_nothing_else(word)


def _short(words: Sequence[str]) -> Iterator[str]:
    """Words too short for other joined forms, with another one or its initial."""
    for first, other in itertools.permutations(words, 2):
        if _TELLING <= len(other) < _SURE and is_nothing_else(other):
            yield from (first[0] + other, other + first[0], first + other, other + first)


def _sure(low: str, *, capital: bool) -> bool:
    return capital or len(low) >= _UNLISTED or is_nothing_else(low)
