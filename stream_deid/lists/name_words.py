"""What clinical notes write in small letters: listed names, and words that are hardly ever any."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stream_deid.lists.known_words import COMMON
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary, ordinary, rows

_WORDS = Vocabulary("name_words")


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
