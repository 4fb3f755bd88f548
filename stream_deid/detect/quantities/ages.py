"""Ages under 90 in lists of beds, which models take for rooms.

age = LETTER n DISEASE              "C 29 CROHN'S", "F 71 CHF": no label of a place before it
    | n DISEASE, behind a bed       "BED A 29 CHF", of which "29" alone was taken
"""

from __future__ import annotations

import re2

from stream_deid.detect.quantities.number import Number
from stream_deid.labels import PhiType
from stream_deid.lists.namesakes import is_abbreviation, is_clinical
from stream_deid.lists.vocabulary import Vocabulary

_PLACES = Vocabulary("headed")["places"]
_AGED = re2.compile(r"[A-Z] +(?:[1-8]?\d)")
_AGE = re2.compile(r"[1-8]?\d")
_BED_BEFORE = re2.compile(rf"(?i)\b(?:{_PLACES})[ #:.]*(?-i:[A-Z]) $")
_WORD_AFTER = re2.compile(r"^[ ]+(\pL{2,})")
_PLACE_BEFORE = re2.compile(rf"(?i)\b(?:{_PLACES})[ #:.]*$")
_ILL = Vocabulary("quantities").words("complaints")


def of_a_patient(number: Number) -> bool:
    """Whether a letter and a number are somebody's sex or initial and age: what he has follows."""
    if number.phi_type is not PhiType.LOCATION_OTHER:
        return False
    behind_bed = _AGE.fullmatch(number.value) and _BED_BEFORE.search(number.before)
    if not (behind_bed or _AGED.fullmatch(number.value)):
        return False
    behind = _WORD_AFTER.match(number.rest)
    if behind is None or _PLACE_BEFORE.search(number.before) is not None:
        return False
    word = behind[1].lower()
    return is_clinical(word) or is_abbreviation(word) or word in _ILL
