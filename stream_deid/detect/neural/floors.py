"""How sure models must be of a span, by its kind.

A low bias against "O" finds names that models nearly missed, and takes rooms, fractions and
abbreviations that they nearly left. So a span counts from a probability on that is chosen for its
kind: of what lies below, on five sets of notes that no model had seen and on the development
notes, a tenth was an identifier (`docs/models-history.md`, "How sure").
"""

from __future__ import annotations

import re2

from stream_deid.detect.quantities import dated
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.lists.namesakes import personal

T = PhiType

_PAIR = re2.compile(r"\d{1,2}[/-]\d{1,3}")
_MOVED = re2.compile(
    r"(?i)\b(?:moved|transfer\w*|xfer\w*|trasladad[oa]|pasa|sube|baja) (?:to|a) (?:la |el )?$"
)
_NEAR = 24
_LONG = 5
LEAST = {
    T.HOSPITAL: 0.28,
    T.ORGANIZATION: 0.3,
    T.PROFESSION: 0.3,
    T.CITY: 0.4,
    T.RELATIVE: 0.2,
    T.OTHER: 0.4,
}
NUMBER, NUMBERED_PLACE, FRACTION, NAME, SHORT_NAME = 0.26, 0.18, 0.55, 0.28, 0.18


def unsure(text: str, start: int, end: int, phi_type: PhiType, score: float) -> bool:
    """Whether models are less sure of a span than its kind asks for, and nothing beside it speaks
    of a person or a date.
    """
    if score >= _least(text[start:end], phi_type):
        return False
    if phi_type in PERSONS:
        return not (personal(text, start, end) or _titled(text[start:end]))
    if phi_type is T.LOCATION_OTHER and _MOVED.search(text[max(0, start - _NEAR) : start]):
        return False
    return not (phi_type is T.DATE and dated(text, start, end))


def _titled(value: str) -> bool:
    """Whether a span begins with a title ("Señora Milagros")."""
    first, blank, rest = value.partition(" ")
    return bool(rest) and personal(first + blank, len(first) + 1, len(first) + 1)


def _least(value: str, phi_type: PhiType) -> float:
    if phi_type in PERSONS:
        letters = sum(map(str.isalpha, value))
        if value.isupper():
            return 0.0
        return NAME if letters >= _LONG else SHORT_NAME
    if phi_type in NUMBERS:
        return NUMBER
    if phi_type is T.LOCATION_OTHER and any(map(str.isdecimal, value)):
        return NUMBERED_PLACE
    if phi_type is T.DATE and _PAIR.fullmatch(value):
        return FRACTION
    return LEAST.get(phi_type, 0.0)
