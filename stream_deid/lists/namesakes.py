"""Words that are people's names and clinical things (eponyms, brands, instruments), and
abbreviations of the clinic, which are somebody's initials as well.
"""

from __future__ import annotations

from functools import cache

from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.terms import is_term, products
from stream_deid.lists.vocabulary import listed
from stream_deid.text.folding import fold


@cache
def _things() -> frozenset[str]:
    """Eponyms and other namesakes, products and organisms, folded."""
    return EPONYMS | listed("namesakes.txt") | products()


@cache
def abbreviations() -> frozenset[str]:
    """Abbreviations of the clinic, folded."""
    return listed("abbreviations.txt")


@cache
def _capitals() -> frozenset[str]:
    """Abbreviations that only capitals tell from a word or a name."""
    return listed("abbreviations_learned.txt") | listed("abbreviations_specialities.txt")


@cache
def short_abbreviations() -> frozenset[str]:
    """Those of two letters or so, that need something denied or looked for before them, folded."""
    return listed("abbreviations_short.txt")


def is_abbreviation(letters: str) -> bool:
    """Whether letters are an abbreviation of the clinic as well as somebody's initials."""
    low = fold(letters).lower()
    return low in abbreviations() or (letters.isupper() and low in _capitals())


def is_clinical(word: str) -> bool:
    """Whether a word may mean a clinical thing, whoever bears it as a name."""
    return means_a_thing(fold(word))


def means_a_thing(low: str) -> bool:
    """Whether a folded word may mean a clinical thing."""
    return low in _things() or is_term(low)
