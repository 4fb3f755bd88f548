"""Spans of models whose words are of another kind than the span (terms: `detect.words`).

sex    = a word that says none ("Genu varo"), or one before a side ("Shaldon fem izq")
kin    = "ex" by itself
trade  = one letter ("R-hand dominant")
house  = day of a stay or a treatment ("POD2", "DPO 3")
"""

from __future__ import annotations

import re

from stream_deid.labels import ORGANIZATIONS, PhiType
from stream_deid.lists.sexes import is_word_for_sex
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_WORDS = Vocabulary("misnamed")
_WORD = re.compile(r"[^\W\d_]+")
_SIDE = linear(rf"(?i)^\.?[ ](?:{_WORDS['sides']})\b")
_DAY = linear(rf"(?i)(?:{_WORDS['days']})[ #]?\d{{1,2}}")
_NO_KIN = _WORDS.words("no_kin")
_NEARBY = 24


def misnamed(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span is of another kind than its words."""
    value = text[start:end]
    found = [fold(m.group()).lower() for m in _WORD.finditer(value)]
    if phi_type is PhiType.SEX:
        told = any(is_word_for_sex(word) for word in found)
        return not told or _SIDE.match(text[end : end + _NEARBY]) is not None
    if phi_type is PhiType.RELATIVE:
        return bool(found) and all(word in _NO_KIN for word in found)
    if phi_type is PhiType.PROFESSION and len(value) == 1:
        return True
    return phi_type in ORGANIZATIONS and _DAY.fullmatch(value) is not None
