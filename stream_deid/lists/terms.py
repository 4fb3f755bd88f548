"""Clinical terms that are nobody's name: where a model takes one for a person, it is let go.

Brand names of drugs, devices and materials, organisms, languages and peoples. None of them is
the name of four hundred or more people in the United States (Census 2020), and a title before
one ("Ms. Lyrica") still makes it a name. Patterns, record matching and structured fields are not
touched: they know their reasons.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import re2

from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.known_words import TITLES

_WORD = re2.compile(r"\pL+(?:-\pL+)*")
_TYPES = PERSONS | {PhiType.COUNTRY}
_TITLE = 12


@cache
def _terms() -> frozenset[str]:
    text = files("stream_deid.lists").joinpath("data", "terms.txt").read_text("utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


def is_term(word: str) -> bool:
    """Whether a folded word is a clinical term that is nobody's name."""
    return word in _terms()


def mistaken(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span of a person or country holds nothing but clinical terms."""
    if phi_type not in _TYPES:
        return False
    found = [m.group().lower() for m in _WORD.finditer(text[start:end])]
    named = [w for w in found if w != "s"]
    if not named or not all(w in _terms() for w in named):
        return False
    before = text[max(0, start - _TITLE) : start].split()
    return not before or before[-1].lower().strip(".,:;(") not in TITLES
