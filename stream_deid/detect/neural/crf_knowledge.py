"""What the feature CRF may know beside the note: word lists and regular expressions, as features
of its tokens (Dernoncourt et al. 2017, 2.1 and 3.5).

Lists are the package's own (`stream_deid.lists`): names, places, streets, organisations, months,
occupations, words of medicine. Expressions are the patterns of a language (`detect.patterns`):
what they find is a hint here and no vote. A family's features begin with its mark, so the
attributes of trained weights tell which families they were trained with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from stream_deid.detect.patterns import PATTERNS, Patterns
from stream_deid.lists import calendar, eponyms, holidays, lexicon, people, titles
from stream_deid.lists.lexicon import load_list
from stream_deid.lists.terms import terms
from stream_deid.text.folding import fold
from stream_deid.text.tokens import Tokens, tokenize

LISTS = "lists"
EXPRESSIONS = "re."
REACH = 4
_LONGEST = 6
_CODE = 2  # letters of a state's abbreviation, which are words of either language


@dataclass(frozen=True, slots=True)
class Families:
    """`lists`: the gazetteers; `expressions`: the language whose patterns are features, or none."""

    lists: bool = False
    expressions: str = ""

    @classmethod
    def of_weights(cls, model: bytes) -> Families:
        """The families among the attributes of trained weights."""
        languages = [code for code in PATTERNS if f"\0{EXPRESSIONS}{code}=".encode() in model]
        return cls(f"\0{LISTS}=".encode() in model, languages[0] if languages else "")

    def add(self, text: str, tokens: Tokens, out: list[list[str]]) -> None:
        """The features of these families behind those of each token."""
        if self.lists:
            _spread(LISTS, _in_lists(tokens), out)
        if self.expressions:
            _spread(EXPRESSIONS + self.expressions, _matched(self.expressions, text, tokens), out)


def _spread(mark: str, said: list[list[str]], out: list[list[str]]) -> None:
    """What is said of a token and of those around it."""
    for i, own in enumerate(said):
        out[i] += [f"{mark}={one}" for one in own]
        if len(own) > 1:
            out[i].append(f"{mark}&={'|'.join(own)}")
        for step in range(-REACH, REACH + 1):
            if step and 0 <= i + step < len(said):
                out[i] += [f"{mark}{step:+}={one}" for one in said[i + step]]


def _in_lists(tokens: Tokens) -> list[list[str]]:
    """The lists that hold each token, alone or within the longest listed phrase from a token on."""
    words = [fold(word) for word in tokens.words]
    known, longest = _entries()
    said: list[set[str]] = [set() for _ in words]
    for i, word in enumerate(words):
        for size in range(min(longest.get(word, 0), len(words) - i), 0, -1):
            if kinds := known.get(tuple(words[i : i + size])):
                for at in range(i, i + size):
                    place = "" if size == 1 else "B" if at == i else "I"
                    small = "~" if tokens.words[at].islower() else ""
                    said[at].update(small + place + kind for kind in kinds)
                break
    return [sorted(one) for one in said]


def _matched(language: str, text: str, tokens: Tokens) -> list[list[str]]:
    """The type and the pattern of what expressions find over each token, first ones apart."""
    said: list[set[str]] = [set() for _ in tokens.words]
    for found in _patterns(language).detect(text):
        first = int(np.searchsorted(tokens.ends, found.start, side="right"))
        last = int(np.searchsorted(tokens.starts, found.end, side="left"))
        name = found.detector.partition("@")[0]
        for at in range(first, last):
            place = "B" if at == first else "I"
            said[at].update((f"{place}{found.type}", f"{place}{name}"))
    return [sorted(one) for one in said]


@cache
def _patterns(language: str) -> Patterns:
    return Patterns(language)


@cache
def _entries() -> tuple[dict[tuple[str, ...], frozenset[str]], dict[str, int]]:
    """Lists by phrase, and the words of the longest phrase by its first word."""
    known: dict[tuple[str, ...], set[str]] = {}
    for kind, phrases in _lists():
        for phrase in phrases:
            words = tuple(fold(word) for word in tokenize(phrase).words)
            if 0 < len(words) <= _LONGEST:
                known.setdefault(words, set()).add(kind)
    longest: dict[str, int] = {}
    for words in known:
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return {words: frozenset(kinds) for words, kinds in known.items()}, longest


def _lists() -> Iterator[tuple[str, Iterable[str]]]:
    yield from people.names_by_kind()
    yield from _places()
    for kind, listed_names in load_list("organizations_es").items():
        yield "generic" if kind.startswith("generic") else "organization", listed_names
    for code in calendar.MONTHS:
        yield "month", calendar.MONTHS[code]
        yield "weekday", calendar.WEEKDAYS[code]
    yield "holiday", (one.name for one in holidays.HOLIDAYS)
    yield "title", titles.affixes("name", "title")
    yield "credential", titles.affixes("name", "credential")
    yield "particle", titles.PARTICLES
    yield "eponym", eponyms.EPONYMS
    yield "term", terms()


def _places() -> Iterator[tuple[str, Iterable[str]]]:
    yield "city", (city.name for city in lexicon.cities())
    for forms in lexicon.load_places().state_names.values():
        yield "state", (form for form in forms if len(form) > _CODE)
    for _, *names in lexicon.countries():
        yield "country", names
    yield "town", (town.name for town in lexicon.towns_us())
    for some in load_list("streets_es").values():
        yield "street", some
    for kind, some in load_list("words").items():
        if kind.startswith(("profession", "street", "region")):
            yield kind.partition(".")[0], some
