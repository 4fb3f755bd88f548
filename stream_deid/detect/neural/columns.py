"""What a model's span took along from beside it: the next column's label, words behind a name.

column = value blanks LABEL (":" | "#" | figure)     "Hunter Glass   Emp #: E-5", "Laurel  Chair 11"
words  = name small-words                            "hill inferior", of which nothing is a name
level  = name " k" figure                            "ode k 2.9"
bay    = "Bay" n                                     of which the number alone is a place
blood  = name ("A" | "B" | "AB" | "O") ("+" | "-" | "pos")     "Haile A+"
side   = name ("R" | "L") small word                 "kowalczyk, R breast"
shift  = WARD SHIFT                                  "7W DAYS"
bed    = place SEX age                               "12B M 45", of which "12B" alone is a place
grade  = name (ABBREVIATION | "pT" | SEX) ...        "Bright TNBC ypT1a", "BENITEZ FEM 41"
"""

from __future__ import annotations

from stream_deid.detect.neural.repair import PERSON_LABELS
from stream_deid.detect.patterns.dates.told import SHIFTS, WARD
from stream_deid.lists.field_labels import INSIDE
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_COLUMN = linear(r"(?s)^(.*?\S)(?:[ ]{2,}|\t+)[A-Za-z.]{2,12}$")
_LABELLED = linear(r"^[ ]{0,2}(?:[:#=]|\d)")
_LEVEL = linear(r"^[ ]\d\.\d")
_KIN = "FAMILIARES_SUJETO_ASISTENCIA"
"""Holds words for relatives too ("tía segunda")."""
_LEAST = 4
_SHIFT = linear(rf"({WARD})[ ](?i:{SHIFTS}|days?)")
_INSIDE = "LOCATION_OTHER"
_BED_AND_SEX = linear(r"(\d{1,4}(?:-?[A-Z])?|[A-Z]-?\d{1,4})[ ]+[MFHV]")
_AGE_AFTER = linear(r"^[ ]+\d{1,3}(?:[ ,;/.\pL]|$)")
_PLACES = frozenset({"HOSPITAL", "ORGANIZATION", "INSTITUCION", "CENTRO_SALUD"})


def own_words(text: str, start: int, end: int, label: str) -> int:
    """Where the span `[start, end)` ends once what isn't its own is let go."""
    if label == _INSIDE:
        bed = _BED_AND_SEX.fullmatch(text[start:end])
        return start + len(bed[1]) if bed and _AGE_AFTER.match(text[end : end + 6]) else end
    if label not in PERSON_LABELS and label not in _PLACES:
        return end
    shift = _SHIFT.fullmatch(text[start:end]) if label in _PLACES else None
    if shift is not None:
        return start + len(shift[1])
    column = _COLUMN.match(text[start:end])
    if column is not None and _LABELLED.match(text[end : end + 4]):
        return start + len(column[1])
    if label not in PERSON_LABELS or label == _KIN:
        return end
    while (at := text.rfind(" ", start, end)) > start and (
        _no_name(text, at + 1, end) or _said_of_one(text, start, at + 1, end)
    ):
        end = at
    return start + len(text[start:end].rstrip(" ,;"))


def place_within(text: str, start: int, end: int, label: str) -> int:
    """Where the number of a place inside a house begins that a model took for a house's name with
    its label ("Bay 2"); -1: it is no such place.
    """
    found = _BAY.fullmatch(text[start:end]) if label in _PLACES else None
    return -1 if found is None else start + found.start(1)


_BAY = linear(rf"(?i)(?:{'|'.join(sorted(INSIDE))})[ #.:]{{1,2}}(\d{{1,3}}[A-D]?)")


def _said_of_one(text: str, start: int, at: int, end: int) -> bool:
    """Whether the last word of a name is what is said of its bearer: blood, side, sex, stage."""
    word, after, name = text[at:end], text[end : end + 12], text[start:at]
    if _BLOOD.match(word + after) or _STAGE.match(word + after):
        return True
    if word in ("R", "L", "LT", "RT") and _SMALL_AFTER.match(after):
        return True
    if fold(word).lower() in _SEXES and _FIGURE_AFTER.match(after):
        return True
    mixed = any(map(str.islower, name)) and word.isupper() and word.isalpha()
    if not mixed or not _FEWEST <= len(word) <= _MOST:
        return False
    return is_abbreviation(word) or _VOWELS.isdisjoint(word) or bool(_FIGURE_AFTER.match(after))


_BLOOD = linear(r"^(?:AB|A|B|O|0)(?:[ ]?[+]|-[ ]|[ ](?:pos|neg|RH|Rh)\b)")
_STAGE = linear(r"^[cypr]{0,2}[TNM](?:[0-4Xx]|is)")
_SMALL_AFTER = linear(r"^ [a-z]{4,}")
_FIGURE_AFTER = linear(r"^ \d")
_SEXES = Vocabulary("headed").words("sexes")
_FEWEST, _MOST = 3, 5
_VOWELS = frozenset("AEIOUY")


def _no_name(text: str, start: int, end: int) -> bool:
    """Whether the last word of a name is a word in small letters that is nobody's."""
    word = fold(text[start:end])
    if word == "k":
        return _LEVEL.match(text[end : end + 4]) is not None
    small = len(word) >= _LEAST and word.isalpha() and word.islower()
    return small and word in ordinary() and not is_listed_name(word)
