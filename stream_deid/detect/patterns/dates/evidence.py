"""What the rest of a text says about a pair of numbers that may be a day and a month.

sure     = a date that can be nothing else: one with its year, the name of its month or a zero
           ("6/17/21", "2021-06-17", "June 17", "06/17"); or a pair that is one by its day
           ("6/17") where the text holds another such day of that month
order    = the day first, where more of the text's dates can only be read so
fraction = a pair that can be no date ("0/3", "9/35", "20/40"), or one out of the same number
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from stream_deid.detect.patterns.base import Context, Hit, compiled, numbers
from stream_deid.detect.patterns.dates.digits import WEEKDAY
from stream_deid.lists.calendar import MONTHS
from stream_deid.text.days import MONTH_STEMS, day_month
from stream_deid.text.view import View

_NUMBERS = compiled(
    r"\b(" + WEEKDAY + r"\.?,?[ \t]+)?(\d{1,2})([/.-])(\d{1,2})(?:([/.-])((?:19|20)?\d\d))?\b"
)
_ISO = compiled(r"\b(?:19|20)\d\d[-/.]?(0[1-9]|1[0-2])[-/.]?(?:0[1-9]|[12]\d|3[01])(?:T|\b)")
_M = rf"({MONTH_STEMS})[a-z]{{0,7}}"
_NAMED = compiled(
    r"(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?[ /-]?(?:of |de )?" + _M + r"\b|" + _M + r"\.?[ ,'/-]{1,2}\d)"
)
_MONTHS = {name[:3]: number for code in ("en", "es") for number, name in enumerate(MONTHS[code], 1)}
_PAIR = re.compile(r"\b([0-9]{1,2})[ \t]?/[ \t]?([0-9]{1,3})\b")
_REACH = 80


@dataclass(frozen=True, slots=True)
class SureDates:
    """The months of the sure dates of a text (1 to 12); whether it writes the day first, and any of
    them with dashes.
    """

    months: frozenset[int]
    day_first: bool
    dashed: bool

    def month(self, first: int, second: int) -> int:
        return second if first > 12 or (self.day_first and second <= 12) else first

    def knows(self, first: int, second: int) -> bool:
        """Whether a sure date lies in the month of this pair."""
        return self.month(first, second) in self.months

    def borders(self, first: int, second: int) -> bool:
        """Whether one lies in the month before or the month after."""
        month = self.month(first, second)
        return not self.months.isdisjoint((month - 1, month + 1))


def calendar(view: View) -> SureDates:
    """The calendar of a text, found once."""
    known = view.memo.get("calendar")
    if not isinstance(known, SureDates):
        known = view.memo["calendar"] = _calendar(view)
    return known


def _calendar(view: View) -> SureDates:
    written = list(_in_digits(view))
    dates = [one[:3] for one in written]
    dashed = any(dash for *_, dash in written)
    day_first = sum(a > 12 for a, _, _ in dates) > sum(b > 12 for _, b, _ in dates)
    months: set[int] = set()
    days: defaultdict[int, set[int]] = defaultdict(set)
    for first, second, sure in dates:
        month = second if first > 12 or (day_first and second <= 12) else first
        if sure:
            months.add(month)
        elif max(first, second) > 12:
            days[month].add(max(first, second))
    if not _FRACTIONS.search(view.text):
        months.update(month for month, held in days.items() if len(held) > 1)
    months.update(int(m.group(1)) for m in _ISO.finditer(view.raw))
    for m in _NAMED.finditer(view.raw):
        months.add(_MONTHS[(m.group(1) or m.group(2)).decode().lower()])
    return SureDates(frozenset(months), day_first, dashed)


_FRACTIONS = Context(
    r"(?:^|[^0-9/])(?:0/\d{1,2}|(?:1[3-9]|[2-9]\d)/(?:1[3-9]|[23]\d))(?:[^0-9/]|$)"
)


def _in_digits(view: View) -> Iterator[tuple[int, int, bool, bool]]:
    """The pairs that may be dates, whether they can be nothing else, and whether with dashes."""
    raw = view.raw
    for m in _NUMBERS.finditer(raw):
        day, one, separator, two, again, _ = m.groups()
        start, end = m.span()
        if raw[start - 1 : start] in (b"/", b"-", b".") or raw[end : end + 1] in (b"/", b"-"):
            continue
        if not day_month(int(one), int(two)) or (again and again != separator):
            continue
        zero = separator != b"." and b"0" in (one[:1], two[:1])
        sure = bool(again or zero or (day and separator == b"/"))
        if sure or separator == b"/":
            yield int(one), int(two), sure, separator == b"-"


def among_fractions(hit: Hit) -> bool:
    """Whether pairs nearby can be no dates, or count out of the same number as `n/n` does."""
    own, out_of = (int(n) for n in numbers(hit.value)[-2:])
    around = hit.before(_REACH) + "|" + hit.after(_REACH)
    for m in _PAIR.finditer(around):
        first, second = int(m.group(1)), int(m.group(2))
        if around[m.start() - 1 : m.start()] == "/" or around[m.end() : m.end() + 1] == "/":
            continue
        if not day_month(first, second) and _fraction(first, second):
            return True
        if second == out_of and first != own and max(first, own) <= out_of in _TOTALS:
            return True
    return False


_TOTALS = frozenset((*range(3, 11), 12, 14, 15, 16, 20, 24, 28, 30))
_WEEKS = 52


def _fraction(first: int, second: int) -> bool:
    """No blood pressure ("98/60"), month and year ("6/98"); "4/52" are weeks, "6/60" is sight."""
    if first <= 12:
        return second < 50 or second >= 100 or second == _WEEKS or (first, second) == (6, 60)
    return first < 50 or second < 30
