"""Numbers in words that are no days of a month, and doses, in dictation.

decimal = number "coma" | "point" number      "la primera cuatro coma dos", no "el cuatro coma"
dose    = number in words ("q" | "milligrams" | ...)     "seven fifty q twenty four", English
reading = measure [link ...] number           "fraccion de eyeccion del sesenta"
"""

from __future__ import annotations

from stream_deid.lists.numbers import ONES, ONES_ES, TEENS, TEN_TO_TWENTY_ES, TENS_EN, TENS_ES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

_WORDS = Vocabulary("spoken")
_NUMBER = (
    rf"(?:un[oa]?|{ONES_ES}|{TEN_TO_TWENTY_ES}|veinti[a-z]{{2,6}}|{TENS_ES}|{_WORDS['large']})"
)
_SAID = linear(rf"{_NUMBER}(?: (?:y )?{_NUMBER})*")
_DECIMAL = linear(rf"^ coma {_NUMBER}(?: |$)")
_DAY_BEFORE = linear(rf"(?:^|[^a-z])(?:{_WORDS['of_days']}) $")
_MEASURE = linear(rf"(?:^|[^a-z])(?:{_WORDS['measures']}) (?:(?:{_WORDS['links']}) ){{0,4}}$")
_NEARBY = 64


_FIGURE = rf"(?:{ONES}|{TEENS}|{TENS_EN}|{_WORDS['large_en']})"
_FIGURES = linear(rf"{_FIGURE}(?: {_FIGURE})*")
_DOSED = linear(rf"^(?: {_FIGURE})* (?:{_WORDS['dosed']})(?:[^a-z]|$)")


def is_a_dose(text: str, start: int, end: int) -> bool:
    """Whether a number in words is given by the hour, the unit or the day."""
    if not text[start].isalpha() or not _FIGURES.fullmatch(text[start:end].lower()):
        return False
    return _DOSED.match(folded(text[end : end + _NEARBY]).lower()) is not None


def is_a_value(text: str, start: int, end: int) -> bool:
    """Whether a number in words is measured, so that no day is told."""
    if not _SAID.fullmatch(folded(text[start:end]).lower()):
        return False
    before = folded(text[max(0, start - _NEARBY) : start]).lower()
    after = folded(text[end : end + _NEARBY]).lower()
    if _MEASURE.search(before):
        return True
    return _DECIMAL.match(after) is not None and _DAY_BEFORE.search(before) is None
