"""Dates and times as HL7 writes them, and dates that stand for none."""

from __future__ import annotations

import re
from datetime import date

from stream_deid.text import years
from stream_deid.text.days import SENTINELS, STAMP

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ][\d:.+\-Z]{0,32})?")


def dtm(value: str) -> re.Match[str] | None:
    """Year, month and day of a value that is a time stamp of HL7, as far as it states them."""
    return STAMP.fullmatch(value)


def read(value: str) -> re.Match[str] | None:
    """The same, for what ISO 8601 writes as well."""
    return STAMP.fullmatch(value) or _ISO.fullmatch(value)


def is_none(found: re.Match[str]) -> bool:
    """Whether a date stands for no date (`00000000`, `99991231`)."""
    return found[0][:8] in SENTINELS


def is_possible(found: re.Match[str]) -> bool:
    """Whether a date is one of the calendar, as far as it goes, of a year that a record can speak
    of: the 30th of February is none.
    """
    year, month, day = (int(found[n] or 1) for n in (1, 2, 3))
    try:
        date(year, month, day)
    except ValueError:
        return False
    return years.is_possible(year)
