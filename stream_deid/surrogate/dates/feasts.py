"""The day that stands for a Spanish feast, as what stands before it asks for it.

"en Semana Santa" is no "en 4 de diciembre" and "la Semana Santa" no "la 4 de diciembre": a month
is in a sentence, a day has its article, and a feast of many days is the time around one. English
"last Easter" is last April, no "last April 3".

said = "en" MONTH | "de" "mediados de" MONTH | ("desde" | "por" | ...) "el" DAY
     | "la" "semana del" DAY | "los" "días del" DAY
DAY  = n "de" MONTH
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stream_deid.lists.calendar import MONTHS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.number_words import ordinal_ending
from stream_deid.text.canonical import canonical, last_key
from stream_deid.text.linear import linear

_LISTS = Vocabulary("dates_feasts", "surrogates")
_MONTH_ALONE, _ARTICLE = _LISTS.words("month_alone"), _LISTS.words("article")
_AROUND = _LISTS.table("around")
_OF, _THIRDS = _LISTS.words("of"), _LISTS.ordered("thirds")
_MONTH_ALONE_ENGLISH = _LISTS.words("month_alone_en")
_DAY = re.compile(r"(?i)(\d{1,2}) de ([a-z]+)")
_ENGLISH_DAY = re.compile(r"([A-Z][a-z]+) (\d{1,2})")
_OF_MANY = frozenset(map(canonical, _LISTS.ordered("of_many")))
_APPOSED = linear(r"^[ \t]?[,(:–-]?[ \t]?(?:\pL+,?[ \t])?[(]?$")
_GAP = 16
BEFORE = 12
"""Characters before a feast in which such a word stands."""


def as_said(text: str, made: str, before: str) -> str:
    """The surrogate `made` of a feast `text`, a day in words, behind the words `before`."""
    day, english = _DAY.fullmatch(made), _ENGLISH_DAY.fullmatch(made)
    last = last_key(before) if before[-1:].isspace() else ""
    if any(map(str.isdecimal, text)) or not (day or english):
        return made
    if day is None:
        return _in_english(made, english, last) if english else made
    if last in _MONTH_ALONE:
        return day[2]
    if last in _OF:
        return f"{_THIRDS[min((int(day[1]) - 1) // 10, 2)]} de {day[2]}"
    around = "el" if last in _ARTICLE else _AROUND.get(last, "")
    return f"{around} {made}".lstrip()


def _in_english(made: str, day: re.Match[str], last: str) -> str:
    if last == "the":
        return f"{day[2]}{ordinal_ending(int(day[2]))} of {day[1]}"
    return day[1] if last in _MONTH_ALONE_ENGLISH else made


def is_of_many(text: str) -> bool:
    """Whether each country or town keeps a feast on a day of its own."""
    return canonical(text) in _OF_MANY


def day_of(
    calendar: Calendar, source: str, place: tuple[int, int], dates: Sequence[tuple[int, int, str]]
) -> str:
    """The day that a feast at a `place` of a text is said to be by the date before or behind it
    ("16/09/2022, Día de la Independencia"), in words, or nothing.
    """
    start, end = place
    for low, high, shown in dates:
        between = source[high:start] if high <= start else source[end:low]
        touching = len(between) <= _GAP and _APPOSED.match(between) is not None
        readings = calendar.read(shown) if touching and any(map(str.isdecimal, shown)) else None
        day = calendar.day(readings[-1]) if readings and readings[-1].day else None
        if day is not None:
            month = MONTHS[calendar.language][day.month - 1]
            if calendar.language == "es":
                return f"{day.day} de {month}"
            return f"{month.capitalize()} {day.day}"
    return ""
