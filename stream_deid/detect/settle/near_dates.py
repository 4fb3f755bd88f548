"""A day and a month without a year, where the note tells of days near it.

One date that stays beside dates that moved tells by how many days all were moved. So where dates
are found in a note, its other pairs of numbers are read once more:

near = n "/" n, at most two months from a day that is found
     | behind an event, before a result or an hour, behind its value    "Tdap 1/3", "Cr 1.4 5/21"
     | of which one number is a day that no scale counts up to           "138/88 6/26"

A count, a dose or a score stays: what `quantities` knows, but for measures that are no more than a
word before the pair where no scale counts up to its second number.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from datetime import date

from stream_deid.detect.patterns.dates_events import bottles, likely
from stream_deid.detect.patterns.dates_fractions import counted, course, scored, sold
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.labels import PhiType
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded

DETECTOR = "near-date@1"
_PAIR = re.compile(r"(?<![\w/.,:$+-])\d{1,2}/\d{1,2}(?![\w/%+]|[.,-]\d)")
_TOLD = re.compile(r"(?<!\d)(\d{1,2})([/.-])(\d{1,2})(?:\2(?:\d{4}|\d\d))?(?!\d)")
_UNCOUNTED = frozenset((17, 19, 22, 26, 29, 31))
"""Days up to which no scale, course or count of doses goes."""
_YEAR, _DAYS, _NEAR = 2023, 365, 60
_BEFORE, _AFTER = 40, 24


def near_dates(
    texts: Sequence[str], found: Sequence[Sequence[Finding]], *, but: Container[int] = ()
) -> list[list[Detection]]:
    """The pairs of each text that aren't found and are dates, as those that are found anywhere in
    the note tell; the texts numbered in `but` tell and aren't looked at.
    """
    dates = [(text, one) for text, of in zip(texts, found, strict=True) for one in of]
    dates = [(text, one) for text, one in dates if one.type is PhiType.DATE]
    told = [m for text, one in dates for m in _TOLD.finditer(text, one.start, one.end)]
    if not told:
        return [[] for _ in texts]
    turned = sum(int(m[1]) > _MONTHS for m in told) > sum(int(m[3]) > _MONTHS for m in told)
    days = {at for m in told if (at := _day(int(m[1]), int(m[3]), turned)) is not None}
    near = {(day + apart) % _DAYS for day in days for apart in range(-_NEAR, _NEAR + 1)}
    score = max(one.score for _, one in dates)
    return [
        [] if index in but else list(_in_one(text, of, near, turned=turned, score=score))
        for index, (text, of) in enumerate(zip(texts, found, strict=True))
    ]


def _in_one(
    text: str, found: Sequence[Finding], near: Container[int], *, turned: bool, score: float
) -> Iterator[Detection]:
    taken = {at for one in found for at in range(one.start, one.end)}
    shown = folded(text)
    for start, end, first, second in _pairs(shown, taken):
        day = _day(first, second, turned)
        if day is not None and day % _DAYS in near and _is_date(shown, start, end, first, second):
            yield Detection(start, end, PhiType.DATE, DETECTOR, score)


_MONTHS = 12


def _pairs(text: str, taken: set[int]) -> Iterator[tuple[int, int, int, int]]:
    for pair in _PAIR.finditer(text):
        if pair.start() not in taken and pair.end() - 1 not in taken:
            first, second = (int(n) for n in pair[0].split("/"))
            yield *pair.span(), first, second


def _day(first: int, second: int, turned: bool) -> int | None:
    """The day of a year without a leap day, the month first unless `turned`."""
    month, day = (second, first) if turned or first > _MONTHS else (first, second)
    if month > _MONTHS:
        month, day = day, month
    try:
        return date(_YEAR, month, day).timetuple().tm_yday
    except ValueError:
        return None


def _is_date(text: str, start: int, end: int, first: int, second: int) -> bool:
    before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
    if sold(before + text[start:end]) or course(first, second, before):
        return False
    if counted(first, second, after) or bottles(first, second, before, after):
        return False
    uncounted = (second if first <= _MONTHS else first) in _UNCOUNTED
    if uncounted and not (first > _MONTHS and scored(before)):
        return True
    return likely(before, after) and not harmless(text, start, end, PhiType.DATE)
