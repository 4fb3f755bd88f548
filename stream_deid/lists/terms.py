"""Clinical terms that are nobody's name: brand names of drugs, devices and materials, organisms,
languages and peoples.

None of them is the name of four hundred or more people in the United States (Census 2020).
"""

from __future__ import annotations

import re
from functools import cache

from stream_deid.lists.phrases import Phrases
from stream_deid.lists.vocabulary import Vocabulary, lines, listed

_GENERIC = re.compile(rf"[^\W\d_]{{2,}}(?:{Vocabulary('drugs')['stems']})")
"""Generic names by their stems (WHO's list of common stems for non-proprietary names)."""


@cache
def _things() -> frozenset[str]:
    """Terms that no house, town or trade is called after."""
    return listed("terms.txt")


@cache
def terms() -> frozenset[str]:
    """Terms, languages and peoples."""
    return _things() | listed("peoples.txt")


@cache
def products() -> frozenset[str]:
    """Products and organisms that hardly anybody is called after, folded."""
    return listed("products.txt") | listed("organisms.txt")


@cache
def own_phrases(*more: str) -> Phrases:
    """Terms of several words, and `more`."""
    return Phrases([*lines("phrases.txt"), *more])


@cache
def phrases() -> Phrases:
    """Terms and products of several words."""
    return own_phrases(*lines("product_phrases.txt"))


def is_term(word: str) -> bool:
    """Whether a folded word is a clinical term that is nobody's name."""
    return word in terms() or _GENERIC.fullmatch(word) is not None


def is_thing(word: str) -> bool:
    """Whether a folded word is a clinical term that no house, town or trade is called after."""
    return word in _things() or _GENERIC.fullmatch(word) is not None


def is_product(word: str) -> bool:
    """Whether a folded word is a product or an organism that hardly anybody is called after."""
    return word in products()
