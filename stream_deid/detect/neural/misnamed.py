"""Spans of models whose words are of another kind than the span.

sex    = a word that says none ("Genu varo"), or one before a side ("Shaldon fem izq")
kin    = "ex" by itself, a product ("PTR (Zimmer)")
house  = day of a stay or a treatment ("POD2", "DPO 3")
firm   = products alone, where nobody is said to work ("DAI Biotronik", "MCP Medtronic Azure")
"""

from __future__ import annotations

import re2

from stream_deid.detect.words.terms import in_a_phrase
from stream_deid.labels import ORGANIZATIONS, PhiType
from stream_deid.lists.sexes import is_word_for_sex
from stream_deid.lists.terms import is_product, is_term
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_WORDS = Vocabulary("misnamed")
_WORD = re2.compile(r"\pL+")
_SIDE = re2.compile(rf"(?i)^\.?[ ](?:{_WORDS['sides']})\b")
_DAY = re2.compile(rf"(?i)(?:{_WORDS['days']})[ #]?\d{{1,2}}")
_WORKS = re2.compile(rf"(?i)\b(?:{_WORDS['works']})[ ](?:\w+[ ])?$")
_NO_KIN = _WORDS.words("no_kin")
_NEARBY, _SHORT = 24, 4


def misnamed(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span is of another kind than its words."""
    value = text[start:end]
    written = [m.group() for m in _WORD.finditer(value)]
    found = [fold(word).lower() for word in written]
    if phi_type is PhiType.SEX:
        told = any(is_word_for_sex(word) for word in found)
        return not told or _SIDE.match(text[end : end + _NEARBY]) is not None
    if phi_type is PhiType.RELATIVE:
        things = text[max(0, start - 1) : start] == "(" and all(map(is_product, found))
        return bool(found) and (things or all(word in _NO_KIN for word in found))
    if phi_type not in ORGANIZATIONS:
        return False
    if _DAY.fullmatch(value):
        return True
    if phi_type is not PhiType.ORGANIZATION or not found:
        return False
    things = in_a_phrase(text, start, end) or all(is_term(word) for word in found)
    named = [word.lower() for word in written if not (word.isupper() and len(word) <= _SHORT)]
    phrase = " ".join(named)  # a product of several words, without what kind of thing it is
    listed = things or (len(named) > 1 and in_a_phrase(phrase, 0, len(phrase)))
    return listed and _WORKS.search(text[max(0, start - _NEARBY) : start]) is None
