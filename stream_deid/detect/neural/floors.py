"""How sure models must be of a span, by its kind.

A low bias against "O" finds names that models nearly missed, and takes rooms, fractions and
abbreviations that they nearly left. So a span counts from a probability on that is chosen for its
kind: of what lies below, on five sets of notes that no model had seen and on the development
notes, a tenth was an identifier (`docs/models-history.md`, "How sure").
"""

from __future__ import annotations

from stream_deid.detect.quantities.clinical import dated
from stream_deid.detect.quantities.schedules import HOUR
from stream_deid.detect.words.surroundings import personal, placed
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.text.capitals import amid_capitals
from stream_deid.text.linear import linear

T = PhiType

_PAIR = linear(r"\d{1,2}[/-]\d{1,3}")
_LEVEL = linear(r"[CDTLS]\d{1,2}-[CDTLS]?\d{1,2}")
"""Of the spine, days of a cycle ("mido D8-21"), or a bed ("S2-4")."""
_LEVELS = linear(r"[CTLS]\d{1,2}-[CTLS]\d{1,2}")
"""Of the spine alone."""
_MOVED = linear(
    r"(?i)\b(?:moved|transfer\w*|xfer\w*|trasladad[oa]|pasa|sube|baja) (?:to|a) (?:la |el )?$"
)
_NEAR = 24
_LONG, _INITIALS = 5, 4
_SMALL_PLACES = frozenset({T.CITY, T.ORGANIZATION})
_SMALL_LETTERS = Vocabulary("no_person").words("small_letters")
_DAY_WORDS = Vocabulary("quantities").words("day_words")
LEAST = {
    T.HOSPITAL: 0.28,
    T.ORGANIZATION: 0.3,
    T.PROFESSION: 0.3,
    T.CITY: 0.4,
    T.RELATIVE: 0.3,
    T.AGE: 0.3,
    T.SEX: 0.4,
    T.LOCATION_OTHER: 0.35,
    T.OTHER: 0.4,
}
NUMBER, NUMBERED_PLACE, FRACTION, NAME, SHORT_NAME = 0.26, 0.25, 0.55, 0.28, 0.18
SHORT_NUMBER, COUNTED_LINE, BARE_DAY, LEVEL = 0.38, 0.4, 0.4, 0.6
SMALL_PLACE = 0.6
"""A town or an organisation in small letters beside words with capitals ("vuelta a cancha"): of 20
below it on Spanish and English notes one was an identifier.
"""
ONE_LETTER = 0.6
"""A capital alone for a person ("refer L. ", "4.0 W"): on development notes none was one."""
SMALL_NAME, LETTERS, FIGURE, ORDINARY = 0.2, 0.2, 0.4, 0.45
"""A short name in small letters, letters in capitals, a place of one figure that doesn't begin its
line, an ordinary word, a label or one letter in small letters.
"""


def unsure(text: str, start: int, end: int, phi_type: PhiType, score: float) -> bool:
    """Whether models are less sure of a span than its kind asks for, and nothing beside it speaks
    of a person or a date.
    """
    counted = phi_type is T.LOCATION_OTHER and score < COUNTED_LINE
    letter = phi_type is T.DATE and _names_no_day(text[start:end])
    if letter or (counted and _counts_lines(text, start, end)):
        return True
    figure = phi_type is T.LOCATION_OTHER and end - start == 1 and text[start].isdecimal()
    least = FIGURE if figure and not _opens_line(text, start) else 0.0
    if phi_type in _SMALL_PLACES and text[start:end].islower() and amid_capitals(text, start, end):
        least = SMALL_PLACE
    if score >= max(least, _least(text[start:end], phi_type)):
        return False
    if phi_type in PERSONS:
        return not (personal(text, start, end) or _titled(text[start:end]))
    if phi_type is T.LOCATION_OTHER and _MOVED.search(text[max(0, start - _NEAR) : start]):
        return False
    if phi_type is T.CITY and placed(text, start, end):
        return False
    return not (phi_type is T.DATE and dated(text, start, end))


def _names_no_day(value: str) -> bool:
    """Whether a date is a letter or the word for a day alone."""
    return value.isalpha() and (len(value) == 1 or value.lower() in _DAY_WORDS)


def _opens_line(text: str, start: int) -> bool:
    return text[max(0, start - _NEAR) : start].rpartition("\n")[2].strip(" \t-*•") == ""


def _counts_lines(text: str, start: int, end: int) -> bool:
    """Whether a number begins its line as the next in a row that begins with one ("3  Moss")."""
    number = text[start:end]
    around = text[max(0, start - _LIST) : start]
    if not (number.isdecimal() and len(number) <= _FEW):
        return False
    last = int(number) - 1 if around.rpartition("\n")[2].strip(" \t") == "" else 0
    return last > 0 and all(_begins_line(around, n) for n in {1, last})


def _begins_line(text: str, number: int) -> bool:
    """Whether a line begins with `number` and a full stop, a bracket or a blank."""
    begins = tuple(f"{number}{sign}" for sign in ".) \t")
    return any(line.lstrip(" \t").startswith(begins) for line in text.split("\n"))


_FEW, _LIST = 2, 4000


def _titled(value: str) -> bool:
    """Whether a span begins with a title ("Señora Milagros")."""
    first, blank, rest = value.partition(" ")
    return bool(rest) and personal(first + blank, len(first) + 1, len(first) + 1)


def _least(value: str, phi_type: PhiType) -> float:
    if phi_type in PERSONS:
        return _least_of_name(value)
    if phi_type in NUMBERS:
        if _LEVELS.fullmatch(value):
            return LEVEL
        clock = phi_type is T.PHONE and HOUR.fullmatch(value)
        short = clock or sum(map(str.isalnum, value)) <= _FEW
        return SHORT_NUMBER if short else NUMBER
    if phi_type is T.LOCATION_OTHER and any(map(str.isdecimal, value)):
        return LEVEL if _LEVEL.fullmatch(value) else NUMBERED_PLACE
    if phi_type is T.DATE:
        return _least_of_date(value)
    return LEAST.get(phi_type, 0.0)


def _least_of_name(value: str) -> float:
    if len(value.rstrip(".")) == 1 and value.isupper():
        return ONE_LETTER
    if value.isupper():
        return LETTERS if len(value) <= _INITIALS else 0.0
    if sum(map(str.isalpha, value)) >= _LONG:
        return NAME
    if value.islower():
        letter = len(value) == 1
        common = letter or value in ordinary() or value in _SMALL_LETTERS
        return ORDINARY if common else SMALL_NAME
    return SHORT_NAME


def _least_of_date(value: str) -> float:
    """A number alone is seldom a day."""
    if value.isdecimal() and len(value) <= _FEW:
        return BARE_DAY
    return FRACTION if _PAIR.fullmatch(value) else 0.0
