"""Weeks of the year, and days and weeks by their number beside the date that they are of.

week   = ("epi week" | "SE" | "EW" | "KW" | "semana epidemiologica" | ...) n [("/" | "-") yy[yy]]
       | ("week" | "sem" | "CW" | ...) n ("/" | "-") yyyy                     "SE 11", "sem 11/2021"
beside = date ("(" | "," | ";") ("day" | "week" | "dia" | "semana") n     "15-iii-21 (day 74)"
       | ("day" | "week" | ...) n ["="] ("(" | ",") date                      "week 11 (3/15/2021)"

Beside a date it is one where it is that date's number, whatever else is counted: weeks of a
pregnancy, of a treatment, of a course stay, and so do those behind "week" alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from stream_deid.detect.patterns.base import Context, Hit, Pattern, numbers, whole
from stream_deid.detect.patterns.dates.digits import alone
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import SHORT_MONTHS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.age import in_roman
from stream_deid.text.days import day_of

_WORDS = Vocabulary("weeks")
_D = PhiType.DATE
_N = r"(?:[1-4]\d|5[0-3]|0?[1-9])"
_NUMBER = rf"[ \t:#]{{0,3}}(?:n[o]?\.?[ ]?)?{_N}"
_MONTHS = {name[:3]: at for names in SHORT_MONTHS.values() for at, name in enumerate(names, 1)}
_ROMAN = {in_roman(at).lower(): at for at in range(1, 13)}
_DATE = (
    r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[-/. ][a-z]{1,10}\.?[-/., ][ ]?\d{2,4}"
    r"|[a-z]{3,10}\.?[ ]\d{1,2}(?:st|nd|rd|th)?,?[ ]\d{4}"
    r"|\d{1,2}[ ]de[ ][a-z]{4,10}[ ]del?[ ]\d{4})"
)
_COUNT = r"(?P<unit>days?|d|dia|doy|weeks?|wk|w|semana|sem|se|ew|kw)\.?[ \t]?(?P<n>\d{1,3})"
_MEASURED = Context(r"(?i)^(?:[ ]?[-+/][ ]?\d|[ ]?%|[.,]\d|[ ][a-z]{1,12}\b)")
_GOES_ON = Context(rf"(?i)^[ ](?:{_WORDS['goes_on']})\b")
_JOINED = Context(r"(?i)^[ ](?:de|del|of|y|and|a|to)[ ]")
_WEEKS_OF_ITS_OWN = Context(rf"(?i)\b(?:{_WORDS['counted']})\b")
_NEAR, _CENTURY, _LAST_DAY = 48, 100, 31


def _week(hit: Hit) -> bool:
    """Behind letters that are much else, a number with its year or without a unit or noun."""
    dated = len(numbers(hit.value)) > 1 or _JOINED.match(hit.after(8))
    counts = _MEASURED.match(hit.after(16)) and not _GOES_ON.match(hit.after(16))
    return alone(hit) and (dated or not counts)


def _its_number(hit: Hit) -> bool:
    """Whether a count beside a date is the number of its day or week in its year: any other is one
    of treatment.
    """
    day, unit, count = _read(hit.groups["date"]), hit.groups["unit"].lower(), int(hit.groups["n"])
    if not whole(hit) or day is None:
        return False
    if unit.startswith("d"):
        return any(int(f"{one:%j}") == count for one in day)
    around = hit.before(_NEAR).rpartition("\n")[2] + "|" + hit.after(_NEAR).partition("\n")[0]
    return not _WEEKS_OF_ITS_OWN.search(around) and any(count in _weeks(one) for one in day)


def _weeks(day: date) -> Iterator[int]:
    """The numbers of a day's week: of ISO 8601, and of weeks that begin on a Sunday."""
    yield day.isocalendar().week
    yield (day + timedelta(1)).isocalendar().week


def _read(text: str) -> list[date] | None:
    """The days that a date may mean; None where it is none."""
    words = "".join(c if c.isalpha() else " " for c in text.lower()).split()
    figures = [int(n) for n in "".join(c if c.isdecimal() else " " for c in text).split()]
    named = [found for word in words if (found := _ROMAN.get(word) or _MONTHS.get(word[:3]))]
    if len(figures) + len(named) != len(("day", "month", "year")) or len(named) > 1:
        return None
    year = figures.pop(0 if figures[0] > _LAST_DAY else -1)
    year += 2000 if year < _CENTURY else 0
    orders = [(named[0], figures[0])] if named else [tuple(figures), tuple(figures[::-1])]
    return [day for month, number in orders if (day := day_of(year, month, number)) is not None]


_YEAR = r"(?:[ ]?[/-][ ]?(?:20)?\d\d|,?[ ](?:(?:de|of)[ ])?20\d\d)"
_WHOLE_YEAR = r"(?:[ ]?[/-][ ]?|,?[ ](?:(?:de|of)[ ])?)20\d\d"

WEEKS = (
    Pattern(
        "week", 1, _D,
        rf"(?i)\b(?P<v>(?:{_WORDS['sure']}){_NUMBER}{_YEAR}?)\b", alone,
    ),
    Pattern(
        "week", 1, _D,
        rf"\b(?P<v>(?:{_WORDS['capitals']}){_NUMBER}(?P<tail>{_YEAR})?)\b", _week,
    ),
    Pattern(
        "week", 1, _D, rf"(?i)\b(?P<v>(?:{_WORDS['dated']}){_NUMBER}{_WHOLE_YEAR})\b", alone,
    ),
    Pattern(
        "day-number", 1, _D, rf"(?i)\b(?P<date>{_DATE})[ \t]?[(\[,;][ \t]?(?P<v>{_COUNT})",
        _its_number,
    ),
    Pattern(
        "day-number", 1, _D,
        rf"(?i)\b(?P<v>{_COUNT})[ \t]?[(\[,;=][ \t]?(?P<date>{_DATE})", _its_number,
    ),
)  # fmt: skip
