"""Dates and times as HL7 writes them, and dates that stand for none."""

from __future__ import annotations

import re
from collections.abc import Iterator

_DTM = re.compile(r"(\d{4})(\d\d)?(\d\d)?(?:\d\d(?:\d\d(?:\d\d(?:\.\d{1,6})?)?)?)?(?:[+-]\d{4})?")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ][\d:.+\-Z]{0,32})?")
_RUN = re.compile(r"(?<!\d)(?:\d{4}-\d\d-\d\d|\d{8,})(?!\d)")
_FIRST_YEAR, _LAST_YEAR = 1850, 2150
_SENTINELS = frozenset(
    {
        "0", "00", "0000", "000000", "00000000", "0001", "00010101", "9999", "999912", "99991231",
        "99999999", "19000101", "1900-01-", "9999-12-", "0001-01-", "17530101", "18000101",
    }
)  # fmt: skip


def dtm(value: str) -> re.Match[str] | None:
    """Year, month and day of a value that is a time stamp of HL7, as far as it states them."""
    return _DTM.fullmatch(value)


def read(value: str) -> re.Match[str] | None:
    """The same, for what ISO 8601 writes as well."""
    return _DTM.fullmatch(value) or _ISO.fullmatch(value)


def is_date(value: str) -> bool:
    """A calendar date of at least day precision, where nobody expected one."""
    found = _DTM.fullmatch(value)
    if found is None or found[3] is None:
        return False
    year, month, day = (int(found[n]) for n in (1, 2, 3))
    return 1880 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31


def dates_in(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where a text, code or number holds dates that nobody expected; True: it is one itself.

    Read are ISO dates and runs of eight digits and more that begin with one (year, month, day), or
    of exactly eight in another order.
    """
    for found in _RUN.finditer(text):
        digits = found[0].replace("-", "")
        orders = (digits[:8], digits[4:8] + digits[:4], digits[4:8] + digits[2:4] + digits[:2])
        read = orders if len(digits) == 8 and "-" not in found[0] else orders[:1]
        if any(is_date(one) for one in read) and found[0][:8] not in _SENTINELS:
            stamp = is_date(digits[:8]) and _DTM.fullmatch(text.strip()) is not None
            yield *found.span(), stamp


def is_none(found: re.Match[str]) -> bool:
    """Whether a date stands for no date (`00000000`, `99991231`)."""
    return found[0][:8] in _SENTINELS


def is_possible(found: re.Match[str]) -> bool:
    """Whether a date is of a year that a record can speak of."""
    return _FIRST_YEAR <= int(found[1]) <= _LAST_YEAR
