"""Holidays and feasts as dates, by the names of `lists.holidays`.

    holiday = name [time of day or week] | "last day of" month       "Christmas Eve weekend"
    feast   = name | "dia de san" word | ("puente" | "feria") "de" (month | name)

A name with another meaning ("Reyes", "San Juan", "Ramadan") counts behind a word of time only.
"""

from __future__ import annotations

import re

from stream_deid.detect.patterns.base import Context, Hit, whole
from stream_deid.lists import holidays
from stream_deid.lists.calendar import MONTHS
from stream_deid.lists.vocabulary import Vocabulary

_EN, _ES = Vocabulary("dates_en"), Vocabulary("dates_es")

HOLIDAYS = (
    rf"(?:(?:{holidays.expression(holidays.names('en'))})"
    r"(?:[ \t]+(?:eve|day|night|morning|week(?:end)?))?"
    rf"|(?:the[ \t]+)?last day of (?:{'|'.join(MONTHS['en'])}))"
)
_CUED = frozenset(holidays.names("en", holidays.CUED))
_NOT_HOLIDAY = Context(rf"(?i)^[ \t]+(?:{_EN['no_holiday']})")
_HOLIDAY_AT = Context(rf"(?i)\b(?:{_EN['holiday_at']})[ \t\n]+$")


def holiday(hit: Hit) -> bool:
    """A holiday, except as part of another name ("Christmas tree", "Easter seals")."""
    if not whole(hit) or _NOT_HOLIDAY.match(hit.after(14)) or hit.before(1) in ("@", "_"):
        return False
    if hit.value == "EID":
        return False
    return hit.value.lower() not in _CUED or _HOLIDAY_AT.search(hit.before(16))


_NAMES = holidays.names("es")
_ARTICLE = re.compile("^(?:el|la|los|las) ")
_BARE = tuple(dict.fromkeys(_ARTICLE.sub("", name) for name in _NAMES))
LONG_MONTH = rf"(?:{'|'.join(MONTHS['es'])}|setiembre)"
FEASTS = (
    rf"(?:dia[ ]de[ ]sant?[ ]\w+|feria[ ]de[ ]{LONG_MONTH}|{holidays.expression(_NAMES)}"
    rf"|puente[ ]de(?:l|[ ]l[ao]s?)?[ ](?:{LONG_MONTH}|{holidays.expression(_BARE)}|santos))"
)
_SURE = ("dia de", "puente de", *holidays.names("es", holidays.ALONE))
_BEFORE = Context(rf"(?i)\b(?:{_ES['feast_before']})[ \t\n]+$")


def feast(hit: Hit) -> bool:
    """A feast; "Reyes", "San Juan", "Navidad" alone only behind "en", "para" and the like."""
    if not whole(hit) or hit.before(1) in ("_", "@"):
        return False
    if "pilar" in hit.value or hit.value == "EID":
        return False  # of a bridge, of the fauces; a disease
    return hit.value.lower().startswith(_SURE) or _BEFORE.search(hit.before(16))
