"""Day and month without a year: the dates that look like fractions, scores and ranges.

monthday = n "/" n        where the context says that it is a date
dash     = n "-" n        only behind a word that dates, or beside its like
range    = monthday "-" n     the 19 of "6/17-19"
cycle    = "C" n ["D" n] monthday     beside another one, no root's strength ("C1 1/28, C2 2/18")
short    = n ("/" | "-") nn   a month and a year that can be no day ("PAP 11/99")
"""

from __future__ import annotations

from dataclasses import replace

from stream_deid.detect.patterns.base import Context, Hit, Pattern, numbers, whole
from stream_deid.detect.patterns.dates.digits import WEEKDAY_BEFORE, alone
from stream_deid.detect.patterns.dates.events import bottles, cycle_day, happened, resulted
from stream_deid.detect.patterns.dates.evidence import among_fractions, calendar
from stream_deid.detect.patterns.dates.fractions import (
    counted,
    course,
    measured,
    of_values,
    scored,
    sold,
)
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import day_month

_WORDS = Vocabulary("dates")

_D = PhiType.DATE
_SLASHED = r"\d{1,2}[ \t]?/[ \t]?\d{1,2}"
_LISTED = Context(
    r"(?i)(?:[\n\t|,;][ \t>*\-\[(\d]{0,6}[ \t.)\]]{0,2}|\d{1,2}/\d{1,2}(?:,|-|[ \t]|;| - |->|>|)"
    r"[ \t]*(?:and[ \t]+|&[ \t]*|to[ \t]+|y[ \t]+|thru[ \t]+)?|[(\[][ \t]?|[.?!:][ \t]+)$"
)
_DATED_AFTER = Context(
    r"(?i)^(?:[ \t]*[-@,]?[ \t]*(?:at[ \t]+)?(?:[01]?\d|2[0-3]):?[0-5]\d(?:[ \t]?[ap]\.?m?\.?)?\b"
    r"|[ \t]*[:|\t]|[ \t]*-[ \t]*\d{1,2}/\d{1,2}|[ \t]*(?:at|@)[ \t]|[ \t]{2,}|[ \t]*$|\)|\]"
    r"|[ \t](?:visit|appt|note|lab|ct|cxr|at|w/|with|dr|called|seen|per)\b)"
)


def month_day(hit: Hit) -> bool:
    """Whether the context says that `n/n` is a date: a zero before a digit, a time after it, a
    word that dates before it, or a sure date of the same month in the same text.

    Where the context says nothing ("proned 16/8", "memory 11/26") the models decide.
    """
    one, two = numbers(hit.value)[-2:]
    first, second = int(one), int(two)
    before, after = hit.before(40), hit.after(24)
    possible = day_month(first, second) and (first, second) != (24, 7) and alone(hit)
    if not possible or _no_weekday(hit.value, before):
        return False
    if _inside_chain(before, after):
        return before[-1:] == "-" and "/" in before[-6:]
    if one[0] == "0" or (two[0] == "0" and len(two) == 2):
        return not _PAGE.search(before)
    row = _RANGE_AFTER.match(after) and not (first <= second <= 10 and among_fractions(hit))
    if row or _CLOCK_AFTER.match(after) or hit.value[0].isalpha():
        return not _PRESSURE.search(before)
    ranged = ends_range(before, first, second) or _begins_range(first, second, after)
    told = scored(before) and not _DATED_TIGHT.search(before)
    told = told or course(first, second, before) or bottles(first, second, before, after)
    if ranged or told or sold(before + hit.value) or counted(first, second, after):
        return ranged
    by = _by_day if max(first, second) > 12 else _by_month
    return resulted(before, after) or _DOCTOR_AFTER.match(after) or by(hit, first, second)


def _no_weekday(value: str, before: str) -> bool:
    """Whether what looks like a day of the week is a saturation ("iron sat 10/12")."""
    return value[:3].lower() == "sat" and _SATURATED.search(before)


_SATURATED = Context(rf"(?i)\b(?:{_WORDS['saturated']})[ \t/]*$")


def _inside_chain(before: str, after: str) -> bool:
    """The pair is part of something longer ("7.30/58/54", "1:1/2", "9,7/3,3")."""
    clock = before[-1:] == ":" and before[-2:-1].isdecimal()
    decimal = before[-1:] == "," and before[-2:-1].isdecimal() and "/" not in before[-6:]
    behind = after[:1] in ("/", "%") or (after[:1] == "," and _DECIMAL.match(after))
    return before[-1:] in ("/", "$", "-", "+") or clock or decimal or behind


_DECIMAL = Context(r"^,\d{1,3}(?:[^0-9/]|$)")


def _by_day(hit: Hit, first: int, second: int) -> bool:
    """A pair with a number over 12: a date where the text dates another one near it, or, with the
    month first, unless fractions stand around it ("6/21, 9/35") or blanks beside its slash.
    """
    before = hit.before(40)
    if happened(before):
        return True
    if _DOSED.match(hit.after(8)):
        return False
    known = calendar(hit.view)
    if not (known.knows(first, second) or known.borders(first, second)):
        bare = first <= 12 and before.rstrip()[-1:] not in ("=", "~") and " /" not in hit.value
        if not bare or among_fractions(hit):
            return False
    return _LOOSE.search(before)


def _by_month(hit: Hit, first: int, second: int) -> bool:
    """A pair of numbers up to 12: a date by words, by what follows it, or by its month."""
    before = hit.before(40)
    known = calendar(hit.view)
    near = known.knows(first, second) or known.borders(first, second)
    weeks = second == 7 and before[-3:-1].isdecimal() and before[-1:] == " "
    if weeks or (before.rstrip()[-1:] in ("=", "~") and not near):
        return False
    if _chained(before, first):
        return True
    fractions = among_fractions(hit) and not known.knows(first, second)
    if happened(before):
        vague = _UP_TO.search(before) and not near and first <= second <= 10
        plain = not fractions and not vague
        return plain or _CERTAIN.search(before) or (near and not _VAGUE.search(before))
    return not fractions and _by_itself(hit, first, second, near=near)


def _by_itself(hit: Hit, first: int, second: int, *, near: bool) -> bool:
    """A pair behind no word that dates: by its month, by its likes, by a time behind it."""
    before, after = hit.before(40), hit.after(24)
    if (near and _CHAIN.search(before)) or (before[-1:] == "\t" == after[:1]):
        return True
    followed = _DATED_AFTER.match(after)
    apart = " /" in hit.value
    if first > second and not apart:
        sole = near or not calendar(hit.view).months
        return (sole or followed or _LISTED.search(before)) and not _DOSED.match(after)
    timed = _TIMED.match(after)
    if second in (5, 10) or first == second or (first, second) in _SHARES or apart:
        return (first != second and timed) or (near and followed)
    return timed or (near and (followed or _LOOSE.search(before)))


def _chained(before: str, month: int) -> bool:
    """The next of a row of dates ("1/31 & 2/4"): the one before it is one by its day."""
    if not _CHAIN.search(before):
        return False
    first, second = (int(n) for n in numbers(before)[-2:])
    return first <= 12 < second <= 31 and 0 <= month - first <= 1


def _begins_range(month: int, day: int, after: str) -> bool:
    """The earlier day of a row that an arrow goes on with ("3/4 -> 3/9")."""
    if not _ARROW_AFTER.match(after):
        return False
    then = numbers(after)[:2]
    return ends_range(f"{month}/{day}>", int(then[0]), int(then[1]))


_ARROW_AFTER = Context(r"^[ ]?-?>[ ]?\d{1,2}/\d{1,2}(?:[^/0-9]|$)")


def ends_range(before: str, month: int, day: int) -> bool:
    """The later day of a row in one month ("3/4 to 3/9"), or of one that ends on a day over 12
    ("8/1 -> 10/24"): scores have one denominator instead.
    """
    if not _RANGED_TO.search(before):
        return False
    first, second = (int(n) for n in numbers(before)[-2:])
    if not first <= month or not day_month(first, second):
        return False
    return second < day if first == month else day > 12 and second != day and month - first <= 6


_RANGED_TO = Context(r"(?i)\d{1,2}/\d{1,2}[ ]?(?:to|thru|through|until|a|al|hasta|-|-?>)[ ]?$")
_DOSED = Context(rf"(?i)^[ ]?(?:{_WORDS['dosed']})\b")
_SHARES = frozenset(((1, 2), (1, 3), (1, 4), (1, 8), (2, 3), (3, 4)))
"""Pairs that people write as a part of something."""
_VAGUE = Context(rf"(?i)\b(?:{_WORDS['vague']})[ \t:(]{{1,4}}$")
_UP_TO = Context(r"(?i)\b(?:to|from|by|and|of|at|per)[ \t:(]{1,4}$")
_CERTAIN = Context(rf"(?i)\b(?:{_WORDS['certain']})[ \t:(]+$")
_TIMED = Context(
    r"(?i)^,?[ \t]+(?:at[ \t]+|@[ \t]?)?(?:(?:[01]\d|2[0-3])[0-5]\d(?:h|hrs)?\b"
    r"|\d{1,2}[ ]?[ap]\.?m?\b)"
)


_RANGE_AFTER = Context(
    r"(?i)^[ \t]?(?:-|to |thru |through |until )[ \t]?\d{1,2}/\d{1,2}(?:[^/0-9]|$)"
)
_CLOCK_AFTER = Context(r"(?i)^,?[ \t]+(?:at[ \t]+|@[ \t]?)?\d{1,2}:\d\d")
_DOCTOR_AFTER = Context(
    r"^[ ]\(?(?:w/[ ]|with[ ]|con[ ](?:la[ ]|el[ ])?)?(?:D[Rr]s?|Dra|D[Rr]A)\b\.?[ ]?[A-Z]"
)
"""Who did it: "ACL 1/5 Dr Lundgren", "23/1 (Dr. Mendiluce)"."""
_PRESSURE = Context(rf"(?i)\b(?:{_WORDS['pressures']})[ \t:)]*$")
_CHAIN = Context(
    r"\d{1,2}/\d{1,2}(?:,|;|[ ]-|-|->|>|)[ \t]+(?:and[ \t]+|&[ \t]*|to[ \t]+|thru[ \t]+|y[ \t]+)?$"
)
_PAGE = Context(r"(?i)\b(?:p|pp|pg|page|sheet)\.?[ \t]*$")
_DATED_TIGHT = Context(r"(?i)\b(?:on|since|until|dated?|seen|adm|due|thru|through)[ \t]+$")
_LOOSE = Context(
    r"(?i)(?:[A-Za-z)\]&][.,;:)]{0,2}[ \t\n]{1,3}(?:\(|~)?|^|[\n\t|(\[,;>-][ \t]*|\d[ \t]{2,}"
    r"|\d[,;.)][ \t]+|[ \t]{2,})$"
)
_DASH_BEFORE = Context(
    rf"(?i)(?:\b(?:{_WORDS['dashed']})\.?[ \t:(]{{1,4}}|\b[DTdt][ \t:.]{{1,3}}|(?:^|\n)[ \t]*)$"
)
_DASH_UNIT = Context(rf"(?i)^[ \t]*(?:{_WORDS['dash_units']})")
_CLOSED = Context(r"^(?:[.,;:)\n]|[ \t]{2,}|\t|[ \t]*$|[ \t]+[A-Za-z(0-9])")


def dash_day(hit: Hit) -> bool:
    """`n-n` is a date with a zero ("09-07"), after a word that dates, or beside its like."""
    one, two = numbers(hit.value)[-2:]
    first, second = int(one), int(two)
    before, after = hit.before(30), hit.after(16)
    if not day_month(first, second) or not alone(hit) or _dash_counts(before, after):
        return False
    if one[0] == "0" or (two[0] == "0" and len(two) == 2):
        return True
    if of_values(first, second, before):
        return False
    near = calendar(hit.view).knows(first, second)
    bare = before.rstrip(" \t")
    if not bare or bare[-1] == "\n":
        return after[:1] in (":", "\t", "|", "\n", "") or after[:2] == "  " or second > 12 or near
    if _DASH_BEFORE.search(before):
        return near or second > 12 or first > second or not _SPAN.search(before)
    followed = _TIMED.match(after) or _CLOCK_AFTER.match(after) or after[:1] == ":"
    alike = near and calendar(hit.view).dashed
    return second > 12 and (alike or followed) and _LOOSE.search(before)


_SPAN = Context(r"(?i)\b(?:of|until|till?|about|next|last|b)\.?[ \t:(]+$")


def _dash_counts(before: str, after: str) -> bool:
    """A range or a decimal ("3-4 weeks", "days 1-21", "13,5-17")."""
    decimal = before[-1:] in (",", ".", ":") and not before[-2:-1].isalpha()
    closed = _CLOSED.match(after) or _SECOND.match(after)
    return decimal or not closed or _DASH_UNIT.match(after) or _RANGED.search(before)


_RANGED = Context(rf"(?i)\b(?:{_WORDS['ranged']})[ \t(]*$")
_SECOND = Context(r"^-\d{1,2}\b")


def day_range(hit: Hit) -> bool:
    """The 19 of "6/17-19": a later day of the same month."""
    head = hit.before(12)
    pair = numbers(head)[-2:]
    if len(pair) < 2 or not whole(hit) or hit.after(1) == "/" or hit.before(1) == " ":
        return False
    month, day = int(pair[0]), int(pair[1])
    chained = head.split("/")[0][-3:-2] in ("/", ".") or head.count("/") > 1
    return (
        month <= 12
        and day < int(hit.value) <= 31
        and not chained
        and month in calendar(hit.view).months
    )


def short_year(hit: Hit) -> bool:
    """As in "PAP 11/99": a month and a year that can be no day."""
    month, year = (int(n) for n in numbers(hit.value)[-2:])
    if (
        not (1 <= month <= 12 and year > 31)
        or year in (52, 64, 66)
        or not alone(hit)
        or measured(hit.after(16))
    ):
        return False
    before = hit.before(30)
    if "-" in hit.value:
        return bool(_DASH_BEFORE.search(before) and before[-1:] != "\n" and hit.after(1) != "%")
    return (
        before[-1:] in (" ", "\t", "(", "\n", "")
        and hit.after(1) not in ("%", "/")
        and not scored(before)
        and not _IMAGED.search(before)
        and year > 50
        and not _DIGIT_BEFORE.search(before)
    )


_IMAGED = Context(
    rf"(?i)\d ?[mc]m[ ]\($|\b(?:{_WORDS['images']})"
    r"\b[^\n]{0,20}\($|\(\d{1,2}/\d{2,3}\)[ ,;y]*(?:and[ ])?\($"
)
"""A series and its image ("seg VII (4/62), (4/71)", "6 mm (3/58)")."""
_DIGIT_BEFORE = Context(r"[0-9%][ \t,;]*$|(?i:\b(?:on|o2|sat|sats|spo2|rr|hr|map|gas|abg)[ \t:]*$)")


def day_before_month(hit: Hit) -> bool:
    """`month_day` where the day is written first: "2/16" needs a word that dates or a sure date."""
    first, second = (int(n) for n in numbers(hit.value)[-2:])
    known = calendar(hit.view)
    told = second <= 12 or known.knows(first, second) or known.borders(first, second)
    told = told or hit.after(1) == ":" or happened(hit.before(40))
    return told and month_day(hit)


_MONTH_DAY = Pattern(
    "date-month-day", 1, _D, r"(?P<v>" + WEEKDAY_BEFORE + _SLASHED + ")", month_day, ("/",), 0.9
)
_OTHER_PAIRS = (
    Pattern(
        "date-dash", 1, _D,
        r"\b(?:D|DD|d)[ :.]{1,3}(?P<v1>\d{1,2}[-/]\d{1,2})[ \t]+(?:T|DT|t)[ :.]{1,3}"
        r"(?P<v2>\d{1,2}[-/]\d{1,2})",
        lambda h: (whole(h) and h.after(1) not in ("-", "/")) or h.after(2)[1:].isalpha(),
        ("d",),
        0.9,
    ),
    Pattern(
        "date-cycle", 1, _D,
        r"\bC\d{1,2}(?:D\d{1,2})?[ :]{1,2}(?P<v>\d{1,2}/\d{1,2})",
        cycle_day, ("/",), 0.9,
    ),
    Pattern(
        "date-day-range", 1, _D,
        r"\d{1,2}/\d{1,2}[ \t]?-[ \t]?(?P<v>[12]\d|3[01]|0?[1-9])",
        day_range, ("/",), 0.8,
    ),
    Pattern(
        "date-dash", 1, _D,
        rf"(?P<v>{WEEKDAY_BEFORE}\d{{1,2}}-\d{{1,2}})",
        dash_day, ("-",), 0.8,
    ),
)  # fmt: skip

ENGLISH = (
    _MONTH_DAY,
    *_OTHER_PAIRS,
    Pattern("date-month-year", 1, _D, r"(?P<v>\d{1,2}[/-][3-9]\d)", short_year, ("/", "-"), 0.8),
)
"""With months and years, which only English writes so: in Spanish "9/61" is a measure."""

SPANISH = (replace(_MONTH_DAY, check=day_before_month), *_OTHER_PAIRS)
