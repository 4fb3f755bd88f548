"""FHIR's dates: which stretch is moved, and what of the result is a value again."""

from __future__ import annotations

import re

_FHIR = re.compile(
    r"(\d{4}(?:-\d\d(?:-\d\d)?)?)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?"
)
_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_SENTINELS = ("0001-01-01", "9999-12-31", "1900-01-01", "1753-01-01")


def is_sentinel(text: str) -> bool:
    """Whether a date stands for no date."""
    return text[:10] in _SENTINELS


def day_length(text: str) -> int | None:
    """How many characters of a date or time are its date; None where it is none of FHIR's."""
    found = _FHIR.fullmatch(text)
    return found.end(1) if found else None


def written(text: str, kind: str) -> str | None:
    """A changed date as its type (`date`, `dateTime`, `instant`) allows it, None where it can't.

    A policy that leaves only the year gives a year; an instant must name a moment, so it is the
    year's first.
    """
    day, mark, time = text.partition("T")
    if not _DAY.fullmatch(day):
        return None
    if len(day) == 4 and kind == "instant":
        return f"{day}-01-01T00:00:00Z"
    if len(day) < 10 or kind == "date":
        return day
    return f"{day}{mark}{time}"
