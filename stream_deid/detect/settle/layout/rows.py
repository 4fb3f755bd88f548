"""Where one of a row of dates is found, the others are dates too.

A range or list of which one end moves and the other stays tells by how many days a patient's dates
were moved, so whoever found one of them has found them all:

row  = date link date ...        "8/1 → 10/24", "2/24 a 7/24", "3/4, 3/6 & 3/9", "jue 6 al vie 7"
     | date link day ...         "3/4, 5, and 6", "March 3 through 5": one span, so that the days
                                 have their month
     | day link date             "del 2 al 19 de mayo", "the 2nd to the 19th of May": one span too
     | "dias" day "," ... "y" day       "los días 29, 30 y 31", of which one is found
     | day "," ... day "y" date  "3, 7, 10 y 14 de mayo", "the 6th, 8th and 10th of May": likewise
     | person date             "Ibarra 5/6", where nothing of a score stands before
     | (value "(" date ")" ...) | (date value ...)      "9.1 (1/8), 8.4 (1/11)", "5/2 5.2, 5/4 4.7"

A bare day is later than the date before it, and nothing is counted or measured by it. Nothing of a
list (but of a range) that is a clinical quantity joins in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from itertools import chain, pairwise

from stream_deid.detect.quantities.clinical import harmless
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.calendar import WRITTEN_WEEKDAYS
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.numbers import DAYS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection, Finding
from stream_deid.text.days import MONTH_STEMS, day_month
from stream_deid.text.folding import folded

DETECTOR = "row@1"
_WORDS = Vocabulary("dates")
_WEEKDAY = rf"(?:{WRITTEN_WEEKDAYS['en']}|{WRITTEN_WEEKDAYS['es']})"
_RANGE = rf"(?:[ ]?(?:--?>|=>|[-~>])[ ]?|[ ]+(?:{_WORDS['ranges']})[ ]+)"
_LIST = r"(?:,?[ ]+(?:and|y|e|or|o|u)[ ]+|[ ]?[&+;][ ]?|,[ ]?(?:&[ ]?)?)"
_LINK = rf"(?P<link>(?P<range>{_RANGE})|{_LIST})(?:(?:el|the|on)[ ]+)?"
_PAIR = rf"(?:{_WEEKDAY}\.?,?[ ])?\d{{1,2}}(?P<sign>[/.-])\d{{1,2}}(?:(?P=sign)(?:\d{{4}}|\d\d))?"
_NAMED_DAY = rf"{_WEEKDAY}\.?[ ]\d{{1,2}}"
_THEN = re.compile(rf"(?i){_LINK}(?P<date>{_PAIR}|{_NAMED_DAY})(?![\w/]|[.:,-]\d)")
_FIRST = re.compile(rf"(?i)(?<![\w/.-])(?P<date>{_PAIR}|{_NAMED_DAY}){_LINK}$")
_MONTH_DAY = re.compile(
    rf"(?i)(?:\d{{1,2}}/|(?:{MONTH_STEMS})[a-z]*\.?[ ])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
)
_DAY_MONTH = re.compile(
    rf"(?i)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[ ](?:of |de )?(?:{MONTH_STEMS})[a-z]*"
)
_DAYS = re.compile(rf"(?i){_LINK}(?:the[ ]+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\w/%]|[.:,-]\d)")
_COUNTED = re.compile(rf"(?i)[ ]?(?:{_WORDS['counted']}|{_WORDS['dash_units']}|{_WORDS['parts']})")
_OF = rf"(?:of |de )?(?:{MONTH_STEMS})"
_MONTH_AFTER = re.compile(rf"(?i)[ ]{_OF}")
_ENDS = r"(?:st|nd|rd|th|º|o)?"
_WORDED = "|".join(word for days in DAYS.values() for word in days)
_LONE_DAY = re.compile(
    rf"(?i)(?:(?:the|el|dia)[ ])?(?:{_WEEKDAY}\.?,?[ ])?"
    rf"(?P<day>\d{{1,2}}{_ENDS}|{folded(_WORDED)})(?=$|[ ])"
)
_DAY_BEFORE = re.compile(
    rf"(?i)(?<![\w.,/:%-])(?:{_WEEKDAY}\.?,?[ ])?"
    rf"(?P<day>\d{{1,2}}{_ENDS}|{folded(_WORDED)}){_RANGE}(?:(?:el|the)[ ]+)?$"
)
_DAYS_LISTED = re.compile(
    r"(?i)(?<![^\W_])(?:dias|days)[ ](?P<days>(?:\d{1,2},?[ ]){1,8}(?:y|and|&)[ ]\d{1,2})"
    r"(?![\w/%+-]|[.,:]\d)"
)
_FIGURES = re.compile("[0-9]+")
_LISTED_DAY = (
    rf"(?i)(?<![\w.,/:%-])(?:{_WEEKDAY}\.?,?[ ])?(?:(?:el|the)[ ])?(?P<day>\d{{1,2}}{_ENDS})"
)
_LISTED = re.compile(rf"{_LISTED_DAY},[ ](?:(?:el|the)[ ])?$")
_LISTED_LAST = re.compile(rf"{_LISTED_DAY}(?:,?[ ](?:and|y|e|&)[ ])(?:(?:el|the)[ ])?$")
_TWO_DAYS = re.compile(rf"(?i)\d{{1,2}}{_ENDS}(?:[ ]?-[ ]?|{_RANGE})\d{{1,2}}{_ENDS}")
_MONTH_FIRST = re.compile(rf"(?i){_OF}")
_WHOLE_LINK = re.compile(rf"(?i){_LINK}")
_OF_MONTH = re.compile(rf"(?i)[ -]{_OF}")
_LONGEST, _LAST_DAY = 40, 31


def in_rows(text: str, found: Sequence[Finding]) -> list[Detection]:
    """The dates that stand in a row with one of `found` and aren't found themselves."""
    dates = [one for one in found if one.type is PhiType.DATE]
    shown = folded(text)
    out = list(_beside_people(shown, found))
    if not dates:
        return out
    taken = {at for one in dates for at in range(one.start, one.end)}
    for one in dates:
        for start, end in (*_before(shown, one, taken), *_behind(shown, one, taken)):
            taken.update(range(start, end))
            out.append(Detection(start, end, PhiType.DATE, DETECTOR, one.score, one.label))
        if (end := _last_day(shown, one)) > one.end:
            out.append(Detection(one.start, end, PhiType.DATE, DETECTOR, one.score, one.label))
    ways = (_joined(shown, dates), _from_day(shown, dates), _from_list(shown, dates))
    out += dict.fromkeys(chain.from_iterable(ways))
    out += _among_days(shown, dates)
    beside = _of_a_series(shown, dates, taken)
    out += (Detection(a, b, PhiType.DATE, DETECTOR, one.score, one.label) for a, b, one in beside)
    return out


def _joined(text: str, dates: Sequence[Finding]) -> Iterator[Detection]:
    """Days alone before a later one of a month that only that one names: by themselves they would
    be the days nearest to the other, perhaps of the month after it.
    """
    start: int | None = None
    for one, then in pairwise(dates):
        day = _LONE_DAY.fullmatch(text, one.start, one.end)
        last = _LONE_DAY.match(text, then.start, then.end)
        if day and last and _WHOLE_LINK.fullmatch(text, one.end, then.start):
            start = one.start if start is None else start
            if _number(day) >= _number(last):
                start = None
            elif _OF_MONTH.match(text, last.end(), then.end):
                yield _as_one(start, then)
            continue
        start = None
        two = _TWO_DAYS.fullmatch(text, one.start, one.end)
        if two and text[one.end : then.start] == " " and _MONTH_FIRST.match(text, then.start):
            yield _as_one(one.start, then)


def _from_day(text: str, dates: Sequence[Finding]) -> Iterator[Detection]:
    """The same of a range of which the first day isn't found."""
    ends = {one.end for one in dates}
    for one in dates:
        low = max(0, one.start - _LONGEST)
        day = _DAY_BEFORE.search(text[low : one.start])
        last = day and _LONE_DAY.match(text, one.start, one.end)
        if not day or not last or low + day.end("day") in ends:
            continue
        if _number(day) < _number(last) and _OF_MONTH.match(text, last.end(), one.end):
            yield _as_one(low + day.start(), one)


def _from_list(text: str, dates: Sequence[Finding]) -> Iterator[Detection]:
    """The same of a list of days, each later than the one before, the last joined by a word."""
    for one in dates:
        last = _LONE_DAY.match(text, one.start, one.end)
        if last is None or not _OF_MONTH.match(text, last.end(), one.end):
            continue
        start, number, joint = one.start, _number(last), _LISTED_LAST
        while start > 0:
            low = max(0, start - _LONGEST)
            day = joint.search(text[low:start])
            if day is None or not 0 < _number(day) < number:
                break
            start, number, joint = low + day.start(), _number(day), _LISTED
        if start < one.start:
            yield _as_one(start, one)


def _among_days(text: str, dates: Sequence[Finding]) -> Iterator[Detection]:
    """Each day of a list behind the word for days of which one is found ("días 29, 30 y 31")."""
    for row in _DAYS_LISTED.finditer(text):
        low, high = row.span("days")
        first = bisect_left(dates, low, key=lambda one: one.start)
        known = next((one for one in dates[first : first + 1] if one.end <= high), None)
        if known is None:
            continue
        for day in _FIGURES.finditer(text, low, high):
            if 0 < int(day[0]) <= _LAST_DAY:
                yield Detection(*day.span(), PhiType.DATE, DETECTOR, known.score, known.label)


def _as_one(start: int, last: Finding) -> Detection:
    return Detection(start, last.end, PhiType.DATE, DETECTOR, last.score, last.label)


def _number(day: re.Match[str]) -> int:
    """The number of a day in figures or as an ordinal."""
    figures = "".join(filter(str.isdecimal, day["day"]))
    return int(figures) if figures else _ORDINALS[day["day"].lower()]


_ORDINALS = {folded(word): at for days in DAYS.values() for at, word in enumerate(days, 1)}
_PERSON_DAY = re.compile(
    r",?[ ](?P<date>\d{1,2}/\d{1,2})(?=[ ]?(?:[.,;)\n]|$)|[ ](?:at|@|a las)[ ])"
)


def _beside_people(text: str, found: Sequence[Finding]) -> Iterator[Detection]:
    """Days and months right behind a name that is nothing of the clinic."""
    for one in found:
        if one.type not in PERSONS or one.score < _SURE:
            continue
        day = _PERSON_DAY.match(text, one.end)
        if day is None or is_clinical(text[one.start : one.end].rpartition(" ")[2].strip(".")):
            continue
        first, second = (int(n) for n in day["date"].split("/"))
        start, end = day.span("date")
        if day_month(first, second) and not harmless(text, start, end, PhiType.DATE):
            yield Detection(start, end, PhiType.DATE, DETECTOR, one.score)


_SURE = 0.6


def _behind(text: str, one: Finding, taken: Container[int]) -> Iterator[tuple[int, int]]:
    """The dates that follow, one by one, up to one that is found."""
    last, at = text[one.start : one.end], one.end
    while (then := _THEN.match(text, at)) and then.start("date") not in taken:
        if not _alike(last, then) or not _counts(text, then):
            return
        yield then.span("date")
        last, at = then["date"], then.end()


def _before(text: str, one: Finding, taken: Container[int]) -> Iterator[tuple[int, int]]:
    """The dates that it follows, from the last to the first, up to one that is found."""
    last, end = text[one.start : one.end], one.start
    while True:
        low = max(0, end - _LONGEST)
        first = _FIRST.search(text[low:end])
        if first is None or low + first.start("date") in taken:
            return
        if not _alike(last, first) or not _counts(text, first, low):
            return
        yield low + first.start("date"), low + first.end("date")
        last, end = first["date"], low + first.start()


_VALUE = r"(?:\d{1,4}[.,]\d{1,3}|\d{2,4})"
_BEHIND_VALUES = re.compile(rf"(?<![\w./]){_VALUE}[ ]?\((?P<date>{_PAIR})\)")
_BEFORE_VALUES = re.compile(rf"(?<![\w./-])(?P<date>{_PAIR}):?[ ]{_VALUE}(?![\w/-]|[.,]\d)")


def _of_a_series(
    text: str, dates: Sequence[Finding], taken: Container[int]
) -> Iterator[tuple[int, int, Finding]]:
    """The dates beside values on lines where one is found beside its value."""
    found = {one.start: one for one in dates}
    for form in (_BEHIND_VALUES, _BEFORE_VALUES):
        lines: dict[int, list[re.Match[str]]] = {}
        line = at = 0
        for one in form.finditer(text):
            line += text.count("\n", at, one.start())
            at = one.start()
            lines.setdefault(line, []).append(one)
        for row in lines.values():
            first = next((found[m.start("date")] for m in row if m.start("date") in found), None)
            if first is None:
                continue
            for one in row:
                start, end = one.span("date")
                alike = _alike(text[first.start : first.end], one)
                scored = form is _BEFORE_VALUES and harmless(text, start, end, PhiType.DATE)
                if start not in taken and alike and not scored:
                    yield start, end, first


def _alike(value: str, other: re.Match[str]) -> bool:
    """Whether both are written in one way, and the other can be a date."""
    pair = re.search(r"(\d{1,2})([/.-])\d{1,2}(?:\2\d{2,4})?$", value)
    if not other["sign"]:
        return re.fullmatch(rf"(?i){_NAMED_DAY}", value) is not None
    first, second = (int(n) for n in re.findall(r"\d+", other["date"])[:2])
    return pair is not None and pair[2] == other["sign"] and day_month(first, second)


def _counts(text: str, other: re.Match[str], offset: int = 0) -> bool:
    """Whether a date of a list is no clinical quantity; one of a range is none."""
    start, end = other.span("date")
    ranged = other["range"] is not None
    return ranged or not harmless(text, start + offset, end + offset, PhiType.DATE)


def _last_day(text: str, one: Finding) -> int:
    """Where the bare days behind a date end ("3/4, 5, and 6")."""
    shown = text[one.start : one.end]
    head = _MONTH_DAY.search(shown) or _DAY_MONTH.fullmatch(shown)
    if head is None or head.end() != len(shown):
        return one.end
    day, at, link = int(head["day"]), one.end, ""
    while (found := _DAYS.match(text, at)) and day < int(found["day"]) <= _LAST_DAY:
        if head.re is _DAY_MONTH and not found["range"]:
            break
        day, at, link = int(found["day"]), found.end(), found["link"].strip()
    counted = _COUNTED.match(text, at) or _MONTH_AFTER.match(text, at)
    return one.end if link in ("", ",") or counted else at
