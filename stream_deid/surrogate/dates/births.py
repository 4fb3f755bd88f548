"""What a note says around a year that lets it tell an age: births, and events of a known age.

birth = ("DOB" | "born" | "nacid" | ...) no figure, year   "DOB: 1931", "nacida en 1931"
event = ("class of" | "graduated" | "married" | "Navy" | ...) ... year     "married in 1956"
aged  = ("was" | "at age" | "tenia" | ...) n ["years old" | "anos"] ["when" ...] ("in" | "en") year
                                                           "she was 25 in 1956"
      | year ("at" | "aged" | "a los" | ...) n             "retired in 1994 at 65"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.number_words import values
from stream_deid.text.folding import fold
from stream_deid.text.years import ELECTRONIC

_LISTS = Vocabulary("dates_births", "surrogates")

_BIRTH = re.compile(_LISTS["births"])
_BIRTHDAY = re.compile(_LISTS["birthdays"])
_BEFORE = 32  # characters in which what says so stands
_JUST_BEFORE = re.compile(rf"(?:{_LISTS['right_before']})[^\d]*$")
_EVENTS = (  # in folded text before a year: the least years from a birth to it
    (re.compile(rf"\b(?:{_LISTS['school']})\b[^\d]*$"), 17),
    (re.compile(rf"\b(?:{_LISTS['adult']})\b[^.;\n]*$"), 16),
)
_COUNT, _UNIT = r"(\d{1,2}|[a-z]+(?:[ -](?:y )?[a-z]+)?)", r"[ -](?:years?(?: old)?|yo|anos)\b"
_YEARS = rf"{_COUNT}(?:{_UNIT})?"
_AGED = re.compile(
    rf"\b(?:{_LISTS['aged']}) {_YEARS}"
    rf"(?:,? (?:{_LISTS['when']}) [^\d.;\n]*)?,? (?:in|en) (?:el ano )?$"
)
_NTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th|o)? (?:{_LISTS['birthday']}) (?:in|en) $")
_AGED_AFTER = re.compile(
    rf"\W{{0,3}}(?:{_LISTS['aged_after']}) {_COUNT}"
    rf"(?:{_UNIT}|[.,]?(?:[ )\n]?$|[ ]?[;:)\n]|[.,]?[ ]{{2}}|[.,][ ])|[ ](?:{_LISTS['goes_on']})\b)"
)
_AFTER, _FAR = 40, 64  # characters in which an age stands behind a year, or before it
_OLD = 90


def before(text: str, start: int) -> str:
    """What stands before a date, folded."""
    return fold(text[max(start - _BEFORE, 0) : start])


def near_birth(said: str) -> bool:
    """Whether a word of birth stands near before a date, `said` being what does."""
    return _BIRTH.search(said) is not None or is_birth(said)


def is_birth(said: str) -> bool:
    """Whether a date is that of a birth: a word of birth before it, and no number between; not that
    of a later birthday ("her 50th birthday in").
    """
    return _JUST_BEFORE.search(said) is not None and _NTH.search(said) is None


def near_birthday(said: str) -> bool:
    """Whether a word of birth or birthday stands near before a date."""
    return near_birth(said) or _BIRTHDAY.search(said) is not None


def since(said: str, text: str, start: int, end: int) -> int:
    """The least years from a birth to the year at `[start, end)`, `said` being what stands before
    it: a wedding, "she was 25 in", "at 65" behind it. An age of 90 and more, which is shown as one
    of 90, counts as that.
    """
    least = max((years for event, years in _EVENTS if event.search(said)), default=0)
    far = fold(text[max(start - _FAR, 0) : start])
    told = (_AGED.search(far), _NTH.search(far), _AGED_AFTER.match(fold(text[end : end + _AFTER])))
    return min(_OLD, max([least, *(_number(one.group(1)) for one in told if one)]))


def _number(said: str) -> int:
    """A number of years in figures or words; 0 for what is none."""
    if said.isdecimal():
        return int(said)
    parts = said.replace("-", " ")
    found = (values(code).get(parts) for code in ("en", "es"))
    return next((years for years in found if years is not None), 0)


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
