"""What clinical notes write in small letters: listed names, and words that are hardly ever any."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stream_deid.lists.known_words import COMMON
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.terms import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary, ordinary, rows

_WORDS = Vocabulary("name_words")
_FINDING = re.compile(rf" (?:{_WORDS['findings']})\b")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]")
_LINE = 60


@cache
def _counted() -> Mapping[str, int]:
    """Listed names that stood in small letters as words: how often one named somebody."""
    return MappingProxyType({word: int(named) for word, _, named in rows("name_words")[1]})


@cache
def _seen() -> frozenset[str]:
    """Listed names that stand in small letters as words, however seldom."""
    return frozenset(_counted()) | _WORDS.words("more")


@cache
def _words_alone() -> frozenset[str]:
    """Those of them that named nobody where they stood in small letters."""
    return frozenset(word for word, named in _counted().items() if not named)


def never_a_name(word: str) -> bool:
    """Whether a folded word is a listed name that in small letters was always the word."""
    return word in _words_alone()


def is_seen(word: str) -> bool:
    """Whether a folded word is a listed name that stands in small letters as a word too."""
    return word in _seen()


def is_word(word: str) -> bool:
    """Whether a folded word in small letters is a common or an ordinary one, whoever bears it."""
    return word in COMMON or word in ordinary()


def is_nothing_else(word: str) -> bool:
    """Whether a folded word in small letters is a listed name, and no word of any kind."""
    return word not in _seen() and is_listed_name(word) and not is_clinical(word)


def stands_as_word(text: str, start: int, end: int) -> bool:
    """Whether an ordinary word that is somebody's name stands as the word: in small letters in a
    (folded) text that has capitals, or with a capital before what is examined or found ("Colon
    cancer", "Mano derecha").
    """
    word = text[start:end]
    if word.lower() not in ordinary():
        return False
    if word.islower():
        return _CAPITALISED.search(text, max(0, start - _LINE), end + _LINE) is not None
    return word.istitle() and _FINDING.match(text, end) is not None
