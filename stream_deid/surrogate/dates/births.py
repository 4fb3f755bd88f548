"""What a note says around a year that lets it tell an age: births, and events of a known age.

birth = ("DOB" | "born" | "nacid" | ...) no figure, year   "DOB: 1931", "nacida en 1931"
event = ("class of" | "graduated" | "married" | "Navy" | ...) ... year     "married in 1956"
aged  = ("was" | "at age" | "tenia" | ...) n ["years old" | "anos"] ("in" | "en") year
                                                           "she was 25 in 1956"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.years import ELECTRONIC

_LISTS = Vocabulary("dates_births", "surrogates")

_BIRTH = re.compile(_LISTS["births"])
_BEFORE = 32  # characters in which what says so stands
_JUST_BEFORE = re.compile(rf"(?:{_LISTS['right_before']})[^\d]*$")
_EVENTS = (  # in folded text before a year: the least years from a birth to it
    (re.compile(rf"\b(?:{_LISTS['school']})\b[^\d]*$"), 17),
    (re.compile(rf"\b(?:{_LISTS['adult']})\b[^.;\n]*$"), 16),
)
_AGED = re.compile(
    rf"\b(?:{_LISTS['aged']}) (\d{{1,2}})(?: (?:years old|years|yo|anos))?,? (?:in|en) $"
)
_OLD = 90


def before(text: str, start: int) -> str:
    """What stands before a date, folded."""
    return fold(text[max(start - _BEFORE, 0) : start])


def near_birth(said: str) -> bool:
    """Whether a word of birth stands near before a date, `said` being what does."""
    return _BIRTH.search(said) is not None or is_birth(said)


def is_birth(said: str) -> bool:
    """Whether a date is that of a birth: a word of birth before it, and no number between."""
    return _JUST_BEFORE.search(said) is not None


def since(said: str) -> int:
    """The least years from a birth to the year behind `said`: a wedding, "she was 25 in"."""
    least = max((years for event, years in _EVENTS if event.search(said)), default=0)
    aged = _AGED.search(said)
    return max(least, int(aged.group(1))) if aged else least


def written_by(
    years: Iterable[int], ages: Iterable[int], latest: date, stated: date | None = None
) -> date | None:
    """The last day on which somebody born in one of `years` can have had one of the `ages` of 90
    and over, or None where that makes no day of an electronic note until `latest`, or where one of
    the ages fits the last day that the note states (another is that of somebody else).
    """
    found = [
        year + age + 1
        for age in ages
        if age >= _OLD
        for year in years
        if ELECTRONIC <= year + age <= latest.year
    ]
    if stated is not None and not {stated.year, stated.year + 1}.isdisjoint(found):
        return None
    return min(date(max(found), 12, 31), latest) if found else None
