"""The Spanish `mar` as a day: "acude el mar.", "mar 14: TAC", where it isn't March.

It is one behind an article or its like, before a colon, and before a number that is a Tuesday's
around the day on which the note was written. "7 mar", "en mar", "mar 2024" are the month.

day = ("el" | "este" | "desde" | ...) "mar" ["."] | "mar" ["."] ":" | "mar" ["."] [","] n
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.dates.reading.words import TUESDAY
from stream_deid.surrogate.dates.weekdays import LISTS

_FORM = re.compile(r"(?i)mar(?P<rest>\.?(?:,?[ ]?(?P<day>\d{1,2}))?)")
_BEHIND = re.compile(rf"(?i)(?<![^\W_])(?:{LISTS['behind_es']})[ \t]+$")
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
    if not told and not (found["day"] and written and _is_near(int(found["day"]), written)):
        return core
    return TUESDAY + found["rest"]


def _is_near(number: int, written: date) -> bool:
    around = (written + timedelta(days) for days in range(-_WEEKS, _WEEKS + 1))
    return any(day.day == number and day.weekday() == _TUESDAY for day in around)
