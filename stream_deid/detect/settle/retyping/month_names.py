"""People whose names are months and days of the week, where what stands before says that they sign.

name = ("signed by" | "RN" | "firma" | ...) MONTH            "RN June", "Firma: Mayo"
     | the same before a day and month or an hour      "Signed by April 4/3", "Avisado Abril 14:20"

A date would lose them: their surrogate is a name, and the day behind them is a date of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from stream_deid.labels import PhiType
from stream_deid.lists.calendar import is_day_word
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Finding
from stream_deid.text.folding import folded

_WORDS = Vocabulary("headed")
_NAMED = re.compile(r"([A-Z][A-Za-z]+)(?:[ ](\d{1,2}(?:/\d{1,2}(?:/\d{2,4})?)?))?")
_CUE = re.compile(rf"(?:^|[^\w])(?:{_WORDS['before_names']})[ ]?[:.]?[ ]$")
_HOUR = re.compile(r"[:.h][0-5]\d")
_NEARBY = 24


def people_of_months(text: str, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """`found` with the dates that are names made ones of people."""
    return tuple(one for each in found for one in _apart(text, each))


def _apart(text: str, one: Finding) -> Iterator[Finding]:
    name = _NAMED.fullmatch(folded(text[one.start : one.end])) if one.type is PhiType.DATE else None
    if name is None or not is_day_word(name[1].lower()):
        yield one
        return
    before = folded(text[max(0, one.start - _NEARBY) : one.start].rpartition("\n")[2])
    day = name[2] or ""
    hour = _HOUR.match(text, one.end) is not None
    whole = not day or "/" in day or hour
    if not whole or _CUE.search(before) is None:
        yield one
        return
    end = one.start + len(name[1])
    yield replace(one, end=end, type=PhiType.DOCTOR, label="")
    if "/" in day:
        yield replace(one, start=one.start + name.start(2))
