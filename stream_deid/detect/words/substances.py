"""Foods, pollens and animals where an allergen or a drug is asked for; else names of people."""

from __future__ import annotations

import re

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Part
from stream_deid.text.folding import fold, folded

_LISTS = Vocabulary("short_values")
_ASKS = re.compile(rf"(?i)\b(?:{_LISTS['substances']})")
_EATEN = _LISTS.words("foods")
_WORD = re.compile(r"[^\W\d_]+")
_JOINING = _LISTS.words("joining")
_LONGEST = 80


def asks_for_a_substance(asked: str) -> bool:
    """Whether what is asked for is an allergen, a food or a drug."""
    return _ASKS.search(folded(asked)) is not None


def is_substance(value: str, asked: str) -> bool:
    """Whether a value is nothing but these (`Nuez`, `frutos secos`), where one is asked for."""
    if len(value) > _LONGEST or not asks_for_a_substance(asked):
        return False
    words = [fold(word[0]).lower() for word in _WORD.finditer(value)]
    return any(map(_is_eaten, words)) and all(_is_eaten(w) or w in _JOINING for w in words)


def is_allergen(part: Part) -> bool:
    """Whether a part is a plant or a food that an allergen was asked for, whoever is called so."""
    return part.coded and is_substance(part.text, part.asked)


def _is_eaten(word: str) -> bool:
    ends = (word, word.removesuffix("s"), word.removesuffix("es"))
    return not _EATEN.isdisjoint(ends)
