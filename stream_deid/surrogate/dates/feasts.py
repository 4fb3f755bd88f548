"""The day that stands for a Spanish feast, as what stands before it asks for it.

"en Semana Santa" is no "en 4 de diciembre" and "la Semana Santa" no "la 4 de diciembre": a month
is in a sentence, a day has its article, and a feast of many days is the time around one.

said = "en" MONTH | ("desde" | "por" | ...) "el" DAY | "la" "semana del" DAY | "los" "días del" DAY
DAY  = n "de" MONTH
"""

from __future__ import annotations

import re

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import last_key

_LISTS = Vocabulary("dates_feasts", "surrogates")
_MONTH_ALONE, _ARTICLE = _LISTS.words("month_alone"), _LISTS.words("article")
_AROUND = _LISTS.table("around")
_DAY = re.compile(r"(?i)\d{1,2} de ([a-z]+)")
BEFORE = 12
"""Characters before a feast in which such a word stands."""


def as_said(text: str, made: str, before: str) -> str:
    """The surrogate `made` of a feast `text`, a day in words, behind the words `before`."""
    day = _DAY.fullmatch(made)
    if day is None or any(map(str.isdecimal, text)):
        return made
    last = last_key(before) if before[-1:].isspace() else ""
    if last in _MONTH_ALONE:
        return day[1]
    if last in _ARTICLE:
        return f"el {made}"
    if around := _AROUND.get(last):
        return f"{around} {made}"
    return made
