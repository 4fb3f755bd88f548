"""The Spanish `mar` as a day: "acude el mar.", "mar 14: TAC", where it isn't March.

It is one behind an article or its like, before a colon, and before a number that is a Tuesday's
around the day on which the note was written, or in a row of such days. "7 mar", "en mar", "mar
2024" are the month.

day = ("el" | "este" | "desde" | ...) "mar" ["."] | "mar" ["."] ":" | "mar" ["."] [","] n
row = day ("," | "y") WEEKDAY n | WEEKDAY n ("," | "y") day     "mar 14, jue 16"
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from stream_deid.lists.calendar import SHORT_WEEKDAYS
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.dates.reading.words import TUESDAY
from stream_deid.surrogate.dates.weekdays import LISTS

_FORM = re.compile(r"(?i)mar(?P<rest>\.?(?:,?[ ]?(?P<day>\d{1,2}))?)")
_BEHIND = re.compile(rf"(?i)(?<![^\W_])(?:{LISTS['behind_es']})[ \t]+$")
_DAYS = "|".join(name[:2] + "." for at, name in enumerate(SHORT_WEEKDAYS["es"]) if at != 1)
_NUMBERED = rf"(?:{_DAYS})\.?[ ]\d{{1,2}}"
_ROW_BEFORE = re.compile(rf"(?i)(?<![^\W_]){_NUMBERED}[ ]?(?:[,;/]|[ ]y|[ ]e)[ ]?$")
_ROW_BEHIND = re.compile(rf"(?i)[ ]?(?:[,;/]|[ ]?y|[ ]?e)[ ]{_NUMBERED}(?!\d)")
_COLON = re.compile(r"[ \t]*:(?!\d)")
_WEEKS = 14  # days around a note
_TUESDAY = 1


def as_meant(core: str, before: str, after: str, calendar: Calendar) -> str:
    """`core`, a date, with what reads as a day alone for the `mar` of a Spanish note where it is a
    Tuesday; offsets are unchanged. `before`, `after`: what stands around it.
    """
    found = _FORM.fullmatch(core) if calendar.language == "es" else None
    if found is None:
        return core
    written = calendar.reference
    told = _BEHIND.search(before) or (_COLON.match(after) and not found["day"])
    in_row = found["day"] and (_ROW_BEFORE.search(before) or _ROW_BEHIND.match(after))
    if (
        not told
        and not in_row
        and not (found["day"] and written and _is_near(int(found["day"]), written))
    ):
        return core
    return TUESDAY + found["rest"]


def _is_near(number: int, written: date) -> bool:
    around = (written + timedelta(days) for days in range(-_WEEKS, _WEEKS + 1))
    return any(day.day == number and day.weekday() == _TUESDAY for day in around)
