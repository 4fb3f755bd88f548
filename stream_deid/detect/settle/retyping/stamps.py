r"""Dates and stamps in figures that were taken for a number, or cut within their time of day.

stamp = yyyy "-" mm "-" dd [time] | yyyymmdd ["T"] hhmm [ss]    "2025-03-14", "20250314093000"
      | n sep n sep yyyy, one of them a month                   "14/03/2025", "3-14-2025"

Scrambled as a number a day becomes none ("2340-19-69"), and a time that is cut off stands behind
a day that it makes another ("2025:30:00Z"). So what is one of these and nothing more is a date,
whatever somebody took it for, and of a stamp the date is its day: the time is the writer's
business. Eight figures alone may be a number and stay what they were found to be, and so does what
the record states, or a field.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from stream_deid.detect.record.stated import states
from stream_deid.labels import PhiType
from stream_deid.note import Finding
from stream_deid.text.days import day_month, is_stamp, time_behind
from stream_deid.text.folding import folded
from stream_deid.text.years import is_possible

_LONGEST = 40
_ISO = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)")
_COMPACT = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)"
    r"(?=T?(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?!\d))"
)
_FULL = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)")
_CLOCK = re.compile(r"[ ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[ ]?(?:Z|[+-]\d\d:?\d\d)(?!\w))?")


def as_stamps(text: str, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """`found` with what is a stamp and no more made its day."""
    return tuple(_as_stamp(text, one) for one in found)


def _as_stamp(text: str, one: Finding) -> Finding:
    head = text[one.start : one.start + 1]
    if not head.isdecimal() or any(map(states, one.detectors)):
        return one
    if one.end - one.start > _LONGEST or text[one.start - 1 : one.start].isalnum():
        return one
    near = folded(text[one.start : one.start + _LONGEST])
    day = _day(near)
    size = one.end - one.start
    ends = max(time_behind(near, day), _clock(near, day))
    if not day or not day <= size <= ends or (one.type is PhiType.DATE and size in (day, ends)):
        return one
    return replace(one, end=one.start + day, type=PhiType.DATE, label=_label(one), rivals=())


def _label(one: Finding) -> str:
    return one.label if one.type is PhiType.DATE else ""


def _clock(text: str, day: int) -> int:
    found = _CLOCK.match(text, day)
    return found.end() if found else day


def _day(text: str) -> int:
    """How long the day is with which a text begins; 0 for none."""
    for form in (_ISO, _COMPACT):
        found = form.match(text)
        if found is not None:
            month, day = found["month"].zfill(2), found["day"].zfill(2)
            return found.end() if is_stamp(found["year"] + month + day) else 0
    full = _FULL.match(text)
    if full is None or not is_possible(int(full[4])):
        return 0
    return full.end() if day_month(int(full[1]), int(full[3])) else 0
