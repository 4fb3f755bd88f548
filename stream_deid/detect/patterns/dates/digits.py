"""Dates in digits, in both languages: full, ISO, compact, month/year, and day/month.

    full      = n sep n sep year          same separator twice, valid in either order
    iso       = yyyy sep mm sep dd        a time may follow ("2021-03-04T10:20")
              | yyyy " " mm " " dd    in no row of numbers
              | yy "/" mm "/" dd      where yy is over 31
    compact   = yyyymmdd                  a time may follow without a space
    monthyear = mm "/" yyyy | yyyy "-" mm
    monthday  = n "/" n                   only where the context doesn't say fraction or score
    roman     = n sep roman sep year      ("12/III/21")

Not dates: bare years, times, fractions ("1/2 tab"), grades ("4/5", "2/6 murmur"), blood pressures,
scores ("12/15"), spans of time ("3-4 weeks"), levels ("L4-5"), "24/7".
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, in_decimals, numbers, whole
from stream_deid.detect.patterns.dates.fractions import counted, scored
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import (
    MONTHS,
    OTHER_WEEKDAYS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    WRITTEN_WEEKDAYS,
)
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text import years
from stream_deid.text.days import day_month
from stream_deid.text.folding import fold

_WORDS = Vocabulary("dates")

_D = PhiType.DATE
WEEKDAY_EN = rf"{WRITTEN_WEEKDAYS['en']}|{_WORDS['two_letters']}"
WEEKDAY = rf"(?i:{WRITTEN_WEEKDAYS['es']}|{WEEKDAY_EN})"
_SHORT_DAYS = "|".join(
    fold(day)
    for code in ("en", "es")
    for day in (*OTHER_WEEKDAYS[code], *SHORT_WEEKDAYS[code])
    if fold(day) not in map(fold, WEEKDAYS[code])
)
DATED_WEEKDAY = rf"(?:(?i:{_SHORT_DAYS}|{_WORDS['two_letters']})\.,?|{WEEKDAY},?)"
"""Before a date; a full stop behind a whole name ends a sentence ("Sunday. 7/10 pain")."""
WEEKDAY_BEFORE = rf"(?:{DATED_WEEKDAY}[ \t]+)?"
DAY = r"(?:[12]\d|3[01]|0?[1-9])"
"""A day of the month."""
GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*)"
"""Blanks, and one line break among them."""
_PAIR = Context(r"\d{1,2}\s?[-/.]\s?\d{1,2}")


def alone(hit: Hit) -> bool:
    """Whole, and no part of a longer chain of numbers ("10.44.7.119", "23-0417-11")."""
    if not whole(hit):
        return False
    text, start, end = hit.text, hit.start, hit.end
    if start >= 2 and text[start - 1] in "-/.#" and text[start - 2].isalnum():
        back = text[start - 2 : start]
        if not (back[1] in "-/" and _range_before(text, start)) and not _clause(text, start):
            return False
    if end + 1 < len(text) and text[end] in "-/." and text[end + 1].isdecimal():
        return (text[end] == "-" and "/" in hit.value) or (
            "-" not in hit.value and _pair_follows(text, end + 1)
        )
    return True


def _clause(text: str, start: int) -> bool:
    """A full stop or dash before the date that ends a word ("done.3/4/21", "seen-3/4")."""
    return text[start - 1] in "-." and text[start - 2].isalpha() and not text[start - 2].isupper()


def _range_before(text: str, start: int) -> bool:
    """The date is the second of a range ("3/4-3/9")."""
    head = text[max(0, start - 12) : start - 1]
    return "/" in head[-6:] or "." in head[-6:]


def _pair_follows(text: str, at: int) -> bool:
    return text[at - 1] == "-" and _PAIR.match(text[at : at + 7])


def full(hit: Hit) -> bool:
    first, second, year = numbers(hit.value)[-3:]
    if not alone(hit) or (len(year) == 4 and not years.is_possible(int(year))):
        return False
    if len(year) == 2 and _TRIPLE.search(hit.before(16)):
        return False
    if len(year) == 2 and (_DOSE_AFTER.match(hit.after(8)) or _hours(hit)):
        return False
    contractions = "/" in hit.value and (hit.after(1) == '"' or hit.after(2) == "''")
    if hit.after(1) == "%" or contractions:
        return False
    return day_month(int(first), int(second))


_TRIPLE = Context(rf"(?i)\b(?:{_WORDS['triples']})[ \t:=(]*$")
"""Before three numbers that are a score, pressures or doses of the day."""


def _hours(hit: Hit) -> bool:
    """Whether three numbers are hours of a day at which something is taken ("6-14-22 h")."""
    first, second, third = map(int, numbers(hit.value)[-3:])
    return first < second < third <= _MIDNIGHT and bool(_HOURS_AFTER.match(hit.after(8)))


_MIDNIGHT = 24
_HOURS_AFTER = Context(r"(?i)^[ ]?(?:hs?|hrs?|horas)\b")
_DOSE_AFTER = Context(rf"(?i)^[ ]?(?:{_WORDS['dosed_units']})")


def iso(hit: Hit) -> bool:
    year, month, day = (int(p) for p in numbers(hit.value)[-3:])
    if not (years.is_possible(year) and 1 <= month <= 12 and 1 <= day <= 31):
        return False
    text, start, end = hit.text, hit.start, hit.end
    if start >= 2 and text[start - 1] in "-." and text[start - 2].isalnum():
        return False
    after = text[end : end + 2]
    return not (after[:1].isdecimal() or (after[:1] == "-" and after[1:].isdecimal()))


def compact(hit: Hit) -> bool:
    value, text = hit.value, hit.text
    if hit.start and (text[hit.start - 1].isalnum() or text[hit.start - 1] in "-#."):
        return False
    run = hit.end
    while run < len(text) and text[run].isdecimal():
        run += 1
    tail = text[hit.end : run]
    if len(tail) not in (0, 4, 6) or (tail and not (tail[:2] < "24" and tail[2:4] < "60")):
        return False
    zone = tail and _ZONE.match(text[run : run + 6])
    after = text[run : run + 1]
    if (after.isalpha() and after not in "TZ") or (after == "-" and not zone):
        return False
    return int(value[:4]) in years.IN_FIGURES and _day_month_strict(value[4:6], value[6:])


_ZONE = Context(r"^-\d{4}(?:[^0-9-]|$)")


def _day_month_strict(month: str, day: str) -> bool:
    return 1 <= int(month) <= 12 and 1 <= int(day) <= 31


def iso_spaced(hit: Hit) -> bool:
    """Nothing but blanks between ("2021 03 15"), and no other number in the row."""
    before, after = hit.before(2).rstrip(" "), hit.after(2).lstrip(" ")
    clock = _CLOCK.match(hit.after(7))
    rows = before[-1:].isdecimal() or (after[:1].isdecimal() and not clock)
    return whole(hit) and not rows and iso(hit)


_CLOCK = Context(r"^[ T]{1,2}(?:[01]?\d|2[0-3]):?[0-5]\d")


def iso_short(hit: Hit) -> bool:
    """A year of two figures first ("98/11/23"), where that can be neither a day nor a month."""
    around = hit.before(1), hit.after(1)
    return whole(hit) and int(hit.value[:2]) > _LONGEST_MONTH and not {"/", "-", "."} & {*around}


_LONGEST_MONTH = 31


def month_year(hit: Hit) -> bool:
    text, start, end = hit.text, hit.start, hit.end
    if not whole(hit):
        return False
    if start >= 2 and text[start - 1] in "-/.#" and text[start - 2].isalnum():
        return False
    titre = hit.value.replace(" ", "") == "1/2048"
    return not titre and not (
        end + 1 < len(text) and text[end] in "-/." and text[end + 1].isalnum()
    )


def ocr(hit: Hit) -> bool:
    """A date with letters read for digits ("O4/l2/196l"): some of each, and valid."""
    value = hit.value
    parts = value.translate(_OCR).replace("-", " ").replace("/", " ").split()
    if (
        not whole(hit)
        or not any(c in "OolI" for c in value)
        or not any(c.isdecimal() for c in value)
    ):
        return False
    if hit.before(1) in ("/", "-") or hit.after(1) in ("/", "-"):
        return False
    pair = value.count("/") == 1
    if pair and _GRADE.match(value):
        return False
    if pair and (" /" in value or counted(int(parts[0]), int(parts[1]), hit.after(16))):
        return False
    if pair and scored(hit.before(40)):
        return False
    day = len(parts) in (2, 3) and day_month(int(parts[0]), int(parts[1]))
    return day and (len(parts) == 2 or len(parts[2]) in (2, 4))


_GRADE = Context(r"^(?:I{1,3}/\d{1,2}|\d{1,2}/I{1,3})$")
"""A Roman grade and its division ("clase II/1"): a scan of "11/1" is left to the models."""


def roman(hit: Hit) -> bool:
    """No product of two lengths ("25 X 10 cm"), no setting behind its name ("PEEP 5 V 40")."""
    short = hit.value[-3:-2] == " " and hit.value[-2:].isdecimal()
    if (short and _SETTING.search(hit.before(12))) or in_decimals(hit):
        return False
    return whole(hit) and " X " not in hit.value


_SETTING = Context(r"\b(?:[A-Z]{2,6}|[A-Z][a-z]?O2)[ ]$")


_OCR = str.maketrans("OolI", "0011")
_O = "[0-9OolI]"


def digits6(hit: Hit) -> bool:
    """mmddyy, yymmdd, mmddyyyy, ddmmyyyy behind a label of a date."""
    value = hit.value
    if " " in value:
        a, b = (int(n) for n in numbers(value)[:2])
        return whole(hit) and day_month(a, b)
    a, b = int(value[:2]), int(value[2:4])
    return whole(hit) and (
        day_month(a, b) or (len(value) == 6 and 1 <= b <= 12 and 1 <= int(value[4:]) <= 31)
    )


def whole_number(hit: Hit) -> bool:
    """Whole, and no part of a chain of numbers, a measure or an amount."""
    return alone(hit) and not _UNIT_BEHIND.match(hit.after(12))


def in_figures(hit: Hit) -> bool:
    """A date in figures alone behind a word that says so; four figures are a day and a month, and
    no year.
    """
    if len(hit.value) > len("0315"):
        return digits6(hit) and whole_number(hit)
    day = day_month(int(hit.value[:2]), int(hit.value[2:]))
    return day and whole_number(hit) and hit.value[:2] not in ("19", "20")


_UNIT_BEHIND = Context(rf"(?i)^[ ]?(?:%|(?:{_WORDS['units_of_figures']})\b)")
_SMALL_ROMAN = "(?:iii?|iv|vi{0,3}|ix|xi{0,2}|i)"

DATES = (
    Pattern(
        "date", 1, _D,
        rf"(?P<v>{WEEKDAY_BEFORE}\d{{1,2}}(?:[ \t]?/[ \t]?\d{{1,2}}[ \t]?/[ \t]?"
        r"|[ \t]?-[ \t]?\d{1,2}[ \t]?-[ \t]?|\.[ \t]?\d{1,2}\.[ \t]?)'?(?:\d{4}|\d{2}))",
        full,
    ),
    Pattern(
        "date-iso", 1, _D,
        rf"(?P<v>{WEEKDAY_BEFORE}(?:1[89]|20)\d\d[-/.]\d{{1,2}}[-/.]\d{{1,2}})",
        iso,
    ),
    Pattern(
        "date-iso", 1, _D,
        r"(?P<v>(?:19|20)\d\d[ ](?:0[1-9]|1[0-2])[ ](?:0[1-9]|[12]\d|3[01]))", iso_spaced,
    ),
    Pattern(
        "date-iso", 1, _D, r"(?P<v>\d{2}/(?:0[1-9]|1[0-2])/(?:0[1-9]|[12]\d|3[01]))", iso_short
    ),
    Pattern("date-compact", 1, _D, r"(?P<v>(?:19|20)\d\d[01]\d[0-3]\d)", compact),
    Pattern(
        "date-month-year", 1, _D,
        r"(?P<v>(?:0?[1-9]|1[0-2])[ \t]?/[ \t]?(?:19|20)\d\d|(?:0[1-9]|1[0-2])[-.](?:19|20)\d\d"
        r"|(?:19|20)\d\d[-/](?:0[1-9]|1[0-2]))", month_year,
    ),
    Pattern(
        "date-ocr", 1, _D,
        rf"(?P<v>{_O}{{1,2}}[ \t]?/[ \t]?{_O}{{1,2}}(?:[ \t]?/[ \t]?{_O}{{2,4}})?"
        rf"|{_O}{{1,2}}-{_O}{{1,2}}-{_O}{{2,4}})",
        ocr, (), 0.9,
    ),
    Pattern(
        "date-label", 1, _D,
        rf"(?i)(?:{_WORDS['labels']})[ \t]*[:=#.]*[ \t]*"
        r"(?P<v>\d{8}|\d{6}|\d{1,2}[ ]\d{1,2}[ ](?:19|20)?\d\d)",
        digits6, (), 0.9,
    ),
    Pattern(
        "date-label", 1, _D,
        r"\b(?:D\.?O\.?[SDBA]\.?|dos|dod|dob|doa)[ \t]*[:=#.]*[ \t]*"
        r"(?P<v>(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:[.,;)\s]|$)",
        whole, (), 0.8,
    ),
    Pattern(
        "date-figures", 1, _D,
        rf"(?i)\b(?:{_WORDS['dates_in_figures']})[ \t]*[:=#]?[ \t]*(?P<v>\d{{8}}|\d{{6}}|\d{{4}})",
        in_figures, (), 0.9,
    ),
    Pattern(
        "date-figures", 1, _D,
        rf"(?i)\b(?:{_WORDS['dates_in_figures']}|{_WORDS['julian']})[ \t]*[:=#]?[ \t]*"
        r"(?P<v>(?:20)?[0-3]\d(?:[0-2]\d[1-9]|[0-2][1-9]0|[1-3]00|3[0-5]\d|36[0-6]))",
        whole_number, (), 0.9,
    ),
    Pattern(
        "date-label", 1, _D,
        r"\b[dDtT][ \t:]{1,2}(?P<v1>\d{6})[ \t]+[tT][ \t:]{1,2}(?P<v2>\d{6})",
        digits6, (), 0.9,
    ),
    Pattern(
        "date-roman", 1, _D,
        r"(?P<v>(?:0?[1-9]|[12]\d|3[01])[ \t]?[-/. ][ \t]?(?:III?|IV|VI{0,3}|IX|XI{0,2}|I)[ \t]?"
        r"[-/. ][ \t]?(?:(?:19|20)\d\d|\d\d)|(?:0?[1-9]|[12]\d|3[01])"
        rf"(?:\.{_SMALL_ROMAN}\.|-{_SMALL_ROMAN}-|/{_SMALL_ROMAN}/)(?:(?:19|20)\d\d|\d\d))",
        roman,
    ),
)  # fmt: skip


def sentence_ends(hit: Hit) -> bool:
    """Whether a full stop behind a month that is written in full ends a sentence, so that what
    follows is no part of the date ("Since March. 4 doses"); a year of four digits or with its
    apostrophe is one in any case.
    """
    month, year = hit.groups["month"], hit.groups.get("year") or ""
    behind = hit.value.rpartition(month)[2]
    whole_year = len(year) == 4 or "'" in year
    return month.lower() in _FULL_MONTHS and bool(_STOPPED.match(behind)) and not whole_year


_FULL_MONTHS = frozenset(fold(name).lower() for names in MONTHS.values() for name in names)
_STOPPED = Context(r"^\.[ \t\n]")
