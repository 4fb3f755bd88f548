"""Ages under 90 in lists of beds, which models take for rooms, and ages of pregnancies.

age = LETTER n DISEASE              "C 29 CROHN'S", "F 71 CHF": no label of a place before it
    | n DISEASE, behind a bed       "BED A 29 CHF", of which "29" alone was taken
    | n " " n "/7", on a line of a pregnancy               "G1P0 at 20 2/7"
"""

from __future__ import annotations

from stream_deid.detect.quantities.number import Number
from stream_deid.labels import PhiType
from stream_deid.lists.namesakes import is_abbreviation, is_clinical
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_PLACES = Vocabulary("headed")["places"]
_AGED = linear(r"[A-Z] +(?:[1-8]?\d)")
_AGE = linear(r"[1-8]?\d")
_BED_BEFORE = linear(rf"(?i)\b(?:{_PLACES})[ #:.]*(?-i:[A-Z]) $")
_WORD_AFTER = linear(r"^[ ]+(\pL{2,})")
_PLACE_BEFORE = linear(rf"(?i)\b(?:{_PLACES})[ #:.]*$")
_ILL = Vocabulary("quantities").words("complaints")
_WEEKS = linear(r"(?:[5-9]|[1-3]\d|4[0-3])[ +][0-6]/7")
_OF_PREGNANCY = linear(rf"(?i)\b(?:{Vocabulary('quantities')['gestation']})\b")
_LINE, _LONGEST = 90, 7


def is_gestation(text: str, start: int, end: int) -> bool:
    """Whether a span lies in weeks and days (`20 2/7`), on a line that speaks of a pregnancy."""
    low, high = max(0, start - _LONGEST), end + _LONGEST
    inside = any(
        low + found.start() <= start
        and end <= low + found.end()
        and not text[low + found.start() - 1 : low + found.start()].isalnum()
        and not text[low + found.end() : low + found.end() + 1].strip("., ;:)\n")
        for found in _WEEKS.finditer(text[low:high])
    )
    line = text[max(0, start - _LINE) : start].rpartition("\n")[2]
    line += text[start : end + _LINE].partition("\n")[0]
    return inside and _OF_PREGNANCY.search(line) is not None


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
