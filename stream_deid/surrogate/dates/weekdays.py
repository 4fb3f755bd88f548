"""Days of the week that stand apart from the date that they are of.

"3/15/2021 (Monday)" beside a moved date tells the offset but for whole weeks: 85 of 592 are left
after one note (docs/attacks.md). So a day that stands beside a date moves with it: in brackets
behind one, or before or behind one that fell on that day. What stands elsewhere ("dialysis Monday
and Thursday") is a habit and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from stream_deid.lists.calendar import WEEKDAYS
from stream_deid.surrogate.dates.words import weekday_of
from stream_deid.text.folding import fold

Place = tuple[int, int]
_FULL = MappingProxyType(
    {code: "|".join((*WEEKDAYS[code], *map(fold, WEEKDAYS[code]))) for code in ("en", "es")}
)
_SHORT = MappingProxyType(
    {
        "en": r"mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun",
        "es": r"lun|mar|mi[eé]r?c?|jue|vie|s[aá]b|dom",
    }
)
_TIME = r"(?:[ \t,]{0,2}(?:at |@ ?)?\d{1,2}:\d\d(?::\d\d)?(?:[ \t]?[ap]\.?m\.?)?)?"
_NO_VALUE = r"(?![ \t]*[:\d])"
_BEHIND = MappingProxyType(
    {
        language: re.compile(
            _TIME + r"(?:[ \t]?(?P<open>[(\[])|[ \t,-]{1,3})[ \t]?"
            rf"(?P<day>(?:{full})\b|(?:{_SHORT[language]})\b{_NO_VALUE})",
            re.IGNORECASE,
        )
        for language, full in _FULL.items()
    }
)
_BEFORE = MappingProxyType(
    {
        language: re.compile(
            rf"(?<![^\W_])(?P<open>[(\[])?(?P<day>{full}|{_SHORT[language]})"
            r"\.?[)\],:]?[ \t-]{1,3}$",
            re.IGNORECASE,
        )
        for language, full in _FULL.items()
    }
)
_FARTHEST = 32


def beside(text: str, date: Place, language: str, weekday: int | None) -> Iterator[Place]:
    """The places of days before or behind a date that fell on `weekday` (None: unknown)."""
    start, end = date
    low = max(0, start - _FARTHEST)
    before = _BEFORE[language].search(text[low:start])
    behind = _BEHIND[language].match(text[end : end + _FARTHEST])
    for match, at in ((before, low), (behind, end)):
        if match is not None and (match["open"] or _is(match["day"], weekday, language)):
            yield at + match.start("day"), at + match.end("day")


def _is(word: str, weekday: int | None, language: str) -> bool:
    found = weekday_of(fold(word), language)
    return found is not None and found[0] == weekday
