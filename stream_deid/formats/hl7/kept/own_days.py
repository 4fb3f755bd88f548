"""The days that a message names, as runs of digits: they would tell how far others moved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from stream_deid.labels import PhiType
from stream_deid.note import Span
from stream_deid.text import days

_DIGITS = re.compile(r"\d+")
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")


def read(text: str) -> Iterator[date]:
    """The days that a text names, the year first."""
    for match in _DAY.finditer(text):
        if (day := _day(*match.groups())) is not None:
            yield day


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def written(own: Iterable[date]) -> frozenset[str]:
    """Each day in the orders that senders write."""
    return frozenset(f"{d:{form}}" for d in own for form in ("%Y%m%d", "%d%m%Y", "%m%d%Y"))


def tells(text: str, own: frozenset[str]) -> bool:
    """Whether a run of digits holds a date of the message."""
    return any(run[i : i + 8] in own for run in _DIGITS.findall(text) for i in range(len(run) - 7))


def unexpected(text: str) -> Iterator[Span]:
    """Dates that nobody expected: one alone moves, one in something else goes like a number."""
    for start, end, alone in days.compact(text):
        if alone:
            yield Span(start, start + len("20000101"), PhiType.DATE)
        else:
            yield Span(start, end, PhiType.IDNUM)
