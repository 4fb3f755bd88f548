"""Spans of models whose words are of another kind than the span (terms: `detect.words`).

sex    = a word that says none ("Genu varo"), or one before a side ("Shaldon fem izq")
kin    = "ex" by itself; a word in small letters among capitals that is none, and no listed name
         ("llega con gallina", "la entierran"), right behind kin an ordinary word ("papá murió")
trade  = one letter ("R-hand dominant"), or what somebody is or does and no trade ("portador de
         lentillas", "guardador de hecho")
any    = a piece of a word that a scan broke ("Alm uerzo"; not of kin, whom models name so)
place  = a side before a part of the body ("pod R arm")
house  = day of a stay or a treatment ("POD2", "DPO 3"), a grade of staff ("st6", "CT 2")
"""

from __future__ import annotations

import re

from stream_deid.detect.words.broken import is_broken
from stream_deid.labels import ORGANIZATIONS, PhiType
from stream_deid.lists.kin import KIN_PLAIN, is_kin_noun
from stream_deid.lists.name_words import is_word
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.sexes import is_word_for_sex
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.capitals import amid_capitals
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_WORDS = Vocabulary("misnamed")
_WORD = re.compile(r"[^\W\d_]+")
_SIDE = linear(rf"(?i)^\.?[ ](?:{_WORDS['sides']})\b")
_BODY = linear(rf"(?i)^ (?:{_WORDS['body']})(?:[^\pL]|$)")
_DAY = linear(rf"(?i)(?:{_WORDS['days']})[ #]?\d{{1,2}}")
_GRADE = linear(rf"(?i)(?:{_WORDS['grades']})[ -]?[1-8]")
_NO_KIN = _WORDS.words("no_kin")
_NO_TRADE = _WORDS.words("no_trade")
_NEARBY = 24


_SURE = 0.9
_LAST_WORD = linear(r"(\pL+)[ ,:(\"'«“]{1,3}$")


def misnamed(text: str, start: int, end: int, phi_type: PhiType, score: float = 0.0) -> bool:
    """Whether a model's span is of another kind than its words."""
    value = text[start:end]
    found = [fold(m.group()).lower() for m in _WORD.finditer(value)]
    if phi_type is not PhiType.RELATIVE and is_broken(text, start, end):
        return True
    if phi_type is PhiType.SEX:
        told = any(is_word_for_sex(word) for word in found)
        return not told or _SIDE.match(text[end : end + _NEARBY]) is not None
    if phi_type is PhiType.RELATIVE:
        others = score < _SURE and _is_no_kin(text, start, end)
        return bool(found) and (others or all(word in _NO_KIN for word in found))
    if phi_type is PhiType.LOCATION_OTHER:
        return value in ("R", "L") and _BODY.match(text[end : end + _NEARBY]) is not None
    if phi_type is PhiType.PROFESSION:
        return len(value) == 1 or (bool(found) and found[0] in _NO_TRADE)
    graded = _DAY.fullmatch(value) is not None or _GRADE.fullmatch(value) is not None
    return phi_type in ORGANIZATIONS and graded


def _is_no_kin(text: str, start: int, end: int) -> bool:
    """Whether a word in small letters among capitals is nothing that a relative is called."""
    word = text[start:end]
    if not (word.islower() and word.isalpha() and amid_capitals(text, start, end)):
        return False
    key = fold(word).lower()
    beside = _LAST_WORD.search(text[max(0, start - _NEARBY) : start])
    if beside is not None and is_kin_noun(fold(beside[1]).lower()) and not is_word(key):
        return False  # "su hija jenny"
    broken = text[end : end + 1] in ("-", "=") or text[max(0, start - 2) : start] in ("-\n", "=\n")
    return not (broken or is_kin_noun(key) or key in KIN_PLAIN or is_listed_name(key))
