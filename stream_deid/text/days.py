"""Calendar days in codes and values, where nobody expected one.

compact = yyyymmdd [time] | mmddyyyy | ddmmyyyy | yyyy-mm-dd        "20240315", "03152024"
named   = dd month yy[yy] | month dd yyyy                          "14-MAR-2025", "Mar 14, 2025"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from stream_deid.text.years import STAMPED

STAMP = re.compile(r"(\d{4})(\d\d)?(\d\d)?(?:\d\d(?:\d\d(?:\d\d(?:\.\d{1,6})?)?)?)?(?:[+-]\d{4})?")
"""Year, month, day and time of day, as far as they are stated."""
SENTINELS = frozenset(
    {
        "0", "00", "0000", "000000", "00000000", "0001", "00010101", "9999", "999912", "99991231",
        "99999999", "19000101", "1900-01-", "9999-12-", "0001-01-", "17530101", "18000101",
    }
)  # fmt: skip
"""What stands for no date."""
_RUN = re.compile(r"(?<!\d)(?:\d{4}-\d\d-\d\d|\d{8,})(?!\d)")
MONTH_STEMS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic"
"""How the names of months begin, English and Spanish."""
_MONTH = rf"(?:{MONTH_STEMS}|sept|set)(?:[a-z]{{2,7}})?"
_NAMED = re.compile(
    rf"(?i)(?<![a-z0-9])(?:\d{{1,2}}(?:[-/. ]|[ ]de[ ])?{_MONTH}(?:[-/., ]{{0,2}}|[ ]del?[ ])"
    rf"(?:(?:19|20)\d\d|\d\d)|{_MONTH}[-/. ]?\d{{1,2}}(?:st|nd|rd|th)?[-/, ]{{1,2}}(?:19|20)\d\d)"
    r"(?![a-z0-9])"
)

_TIME = re.compile(
    r"(?:T\d\d(?::?\d\d){0,2}|\d{2}(?:\d\d){0,2})(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?!\d)"
)


def day_of(year: int, month: int, day: int) -> date | None:
    """A day of the calendar; None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_month(first: int, second: int) -> bool:
    """Whether two numbers can be a day and a month, in either order."""
    return (1 <= first <= 12 and 1 <= second <= 31) or (1 <= first <= 31 and 1 <= second <= 12)


def time_behind(text: str, at: int) -> int:
    """Where a time of day ends that a stamp joins to its day, which ends `at`."""
    found = _TIME.match(text, at)
    return found.end() if found else at


def is_stamp(value: str) -> bool:
    """A calendar date of at least day precision, with or without a time of day."""
    found = STAMP.fullmatch(value)
    if found is None or found[3] is None:
        return False
    year, month, day = (int(found[n]) for n in (1, 2, 3))
    return year in STAMPED and 1 <= month <= 12 and 1 <= day <= 31


def compact(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where a text, code or number holds dates in figures; True: it is one itself.

    Read are ISO dates and runs of eight digits and more that begin with one (year, month, day), or
    of exactly eight in another order.
    """
    for found in _RUN.finditer(text):
        digits = found[0].replace("-", "")
        orders = (digits[:8], digits[4:8] + digits[:4], digits[4:8] + digits[2:4] + digits[:2])
        read = orders if len(digits) == 8 and "-" not in found[0] else orders[:1]
        if any(is_stamp(one) for one in read) and found[0][:8] not in SENTINELS:
            stamp = is_stamp(digits[:8]) and STAMP.fullmatch(text.strip()) is not None
            yield *found.span(), stamp


def named(text: str) -> Iterator[tuple[int, int]]:
    """Where a text names a month with a day and a year."""
    return (found.span() for found in _NAMED.finditer(text))
