"""English dates with the name of a month.

    named = [weekday] (day [of] month | month day) [year]       "4 March", "March 4th, 2021"
    more  = named (("-" | "and" | ",") day)                     the 9 of "March 4-9"
    month = [early|mid|late] month [year]                       "Mar '19", "in August"
    stamp = dd mon [yy[yy]] without spaces                      "27MAR", "17APR19"

Months that are words or names (may, march, mark, dec) count only beside a number or after a
preposition of time. A day may hold letters read for digits ("OCT l6 1998").
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.dates.digits import DAY, GAP, WEEKDAY_EN, sentence_ends
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import WRITTEN_MONTHS
from stream_deid.lists.numbers import ONES, ORDINALS_EN, TEENS, TENS_EN
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("dates_en")

_D = PhiType.DATE
MONTH = rf"(?:{WRITTEN_MONTHS['en']})"
WEEKDAY = rf"(?:{WEEKDAY_EN})"
_WD = r"(?:" + WEEKDAY + r"\.?,?(?:[ \t]+|[ \t]*\n)(?:the[ \t]+)?)?"
_OCR_DAY = r"(?:[0-3lIoO][0-9lIoO]|[lI1-9])"
NTH = r"(?:(?:2?1|31)[ \t]?st|2?2[ \t]?nd|2?3[ \t]?rd|(?:2?[04-9]|1\d|30)[ \t]?th)"
WORD_NTH = rf"(?:{ORDINALS_EN})"
WORD_YEAR = (
    r"(?:(?:two thousand(?: and)?|twenty|nineteen)"
    rf"(?:[- ](?:oh|zero|{TEENS}|{TENS_EN}|{ONES})){{1,2}}|oh[- ](?:{ONES}))"
)  # fmt: skip
_YEAR4 = r"(?:(?:19|20|[lI]9|2[O0])[0-9OlI]{2}|'[ \t]?\d\d)"
_TAIL_YEAR = (
    rf"(?P<tail>(?:[ \t]*,[ \t]*\n?[ \t]*|{GAP}|[ \t]*[-/.][ \t]*)(?:of[ \t]+|the[ \t]+year[ \t]+"
    r"|comma[ \t]+)?(?P<year>"
)

_MEASURE = Context(rf"(?i)^[ \t]*(?:{_WORDS['measures']})")
_TIMELY = Context(rf"(?i)(?:\b(?:{_WORDS['timely']})[ \t\n:]+|-|~|\d/|[ \t]/[ \t]?)$")
_TIGHT = Context(rf"(?i)\b(?:{_WORDS['tight']})[ \t\n]+$")
_WORDY = frozenset(("may", "mar", "march", "dec", "sept", "jan"))
_GLUE = frozenset("_@-.'/")


def _apart(hit: Hit) -> bool:
    """Whole, and not the middle of a path, an address or a longer number."""
    head = hit.before(2)
    if head[-1:] in _GLUE and head[:1].isalnum() and not (head[-1:] in "-." and head[:1].isalpha()):
        return head[-1:] == "-" and head[:1].isdecimal() and not hit.value[:1].isdecimal()
    return whole(hit) and head[-1:] not in ("_", "@")


_DOUBLE = Context(r"^-[A-Z][a-z]{2}")
"""The rest of an eponym of two ("EF 55 4 May-Thurner")."""


def day_first(hit: Hit) -> bool:
    """As in "4 March", "the 22nd day of April"; not "3. March fracture"."""
    value, month = hit.value, hit.groups["month"]
    between = value[: value.lower().index(month.lower())]
    if not _apart(hit) or _MEASURE.match(hit.after(8)) or _DOUBLE.match(hit.after(4)):
        return False
    if sentence_ends(hit):
        return False
    if hit.groups.get("year") and hit.after(1) == ":" and hit.after(2)[1:].isdecimal():
        return False
    nth = hit.groups.get("nth", "")
    if (
        month.islower()
        and month in _WORDY
        and between.endswith((" ", "\n"))
        and not hit.groups.get("year")
    ):
        return bool(nth) or between.rstrip().endswith("of")
    if "\n" in between and not nth and "of" not in between:
        return False
    loose = between[-2:].isspace() and not hit.groups.get("year") and not nth
    return not (loose and hit.after(4).strip()[:1].isdecimal())


def month_first(hit: Hit) -> bool:
    """As in "March 4th, 2021"; not "may 5 mg", "dec 22%"."""
    month, value = hit.groups["month"], hit.value
    low, after = month.lower(), hit.after(12)
    if (
        not _apart(hit)
        or (after[:1] in ":%" and after[:2].strip(":%").isdecimal())
        or after[:2] == "% "
        or sentence_ends(hit)
    ):
        return False
    year, nth = hit.groups.get("year"), hit.groups.get("nth", "")
    if _MEASURE.match(after) and not year:
        return False
    if (
        "\n" in value[len(month) : value.rfind(nth)]
        and after[:1] in (".", ")", "\t", " ")
        and not year
    ):
        return not (after[:1] in ".)" or low in _WORDY)
    day = nth.translate(_OCR)
    figures = day.isdecimal() and any(c.isdecimal() for c in nth)
    if len(nth) <= 2 and not (figures and 1 <= int(day) <= 31):
        return False
    if month.islower() and low in _WORDY and nth.isdecimal() and not year:
        head = hit.before(14)
        return _TIMELY.search(head) or not head or head[-1] in "\n(,;:|\t"
    return True


_OCR = str.maketrans("oOlI", "0011")


_SURE_MONTHS = _WORDS.ordered("sure_months")
_SHORT_MONTHS = _WORDS.ordered("unsure_months")


def month_alone(hit: Hit) -> bool:
    """A month without a day: long names anywhere, short or ambiguous ones after a preposition."""
    second = _FROM_MONTH.search(hit.before(12))
    glued = hit.before(1) in ("-", "'", "/", "_", "@", ".", "^", "\\") and not second
    if not whole(hit) or glued or hit.after(1) in ("_", "@", "^"):
        return False
    if second or hit.after(1) == "-":
        return second or _TO_MONTH.match(hit.after(12))
    month, head = hit.groups["month"], hit.before(14)
    low = month.lower()
    if hit.groups.get("mod"):
        return " " in hit.value or "-" in hit.value
    if low in ("april", "june", "july", "august"):
        return _TIMELY.search(head) or (low == "july" and month != "JULY")
    if (
        low in _SHORT_MONTHS
        and month[0].isupper()
        and month != "OCT"
        and hit.after(1) in (")", ".", ",", ";", "")
    ):
        return True
    return low in _SURE_MONTHS or _after_preposition(hit, month, head)


def _after_preposition(hit: Hit, month: str, head: str) -> bool:
    """As in "in Aug", "since may"; not "to march", "mar'"."""
    low = month.lower()
    if not _TIGHT.search(head):
        return False
    if low in ("may", "march"):
        return not (
            month.islower() and head.rsplit(maxsplit=1)[-1].lower() in ("to", "this", "last")
        )
    return hit.after(1) != "'" and (low != "mar" or hit.after(1) in ".,;)")


def month_year(hit: Hit) -> bool:
    """As in "Mar '19", "March 2014", "Sep 09" after a preposition."""
    if not whole(hit) or hit.before(1) in ("_", "@") or sentence_ends(hit):
        return False
    year, month = hit.groups["year"], hit.groups["month"]
    if len(year) == 4 or "'" in year:
        return hit.after(1) != ":"
    after = hit.after(8)
    return (
        month[0].isupper()
        and (_TIMELY.search(hit.before(14)) or _BRACKET.search(hit.before(2)))
        and not _MEASURE.match(after)
        and after[:1] not in (":", "%")
    )


_FROM_MONTH = Context(r"(?i)\b" + MONTH + r"-$")
_TO_MONTH = Context(r"(?i)^-" + MONTH + r"\b")
_BRACKET = Context(r"[(\t]$")


def stamp(hit: Hit) -> bool:
    text, start, end = hit.text, hit.start, hit.end
    if start and (text[start - 1].isalnum() or text[start - 1] in "-."):
        return False
    if hit.value[-1].isdecimal():
        return not text[end : end + 1].isdecimal()
    return not text[end : end + 1].isalnum()


def another(hit: Hit) -> bool:
    """The second day of "March 4-9", "June 10 and 11"."""
    return (
        whole(hit)
        and not _MEASURE.match(hit.after(10))
        and hit.after(1) not in ("/", ":", "%")
        and not _MONTH_NEXT.match(hit.after(12))
    )


_MONTH_NEXT = Context(r"(?i)^(?:st|nd|rd|th)?[ \t]+(?:of[ \t]+)?" + MONTH)
_M = r"(?P<month>" + MONTH + r")"

DATES = (
    Pattern(
        "date-named", 1, _D,
        rf"(?i)(?P<v>{_WD}(?:the[ \t]+)?(?:(?P<nth>{NTH}|{WORD_NTH})|{DAY})(?:[ \t]+day)?"
        rf"(?:[ \t]+of{GAP}|[-/., ]|[ \t]-[ \t]|{GAP})?{_M}\b\.?{_TAIL_YEAR}(?:19|20)\d\d|'\d\d"
        rf"|\d\d\b|{WORD_YEAR}))?)",
        day_first,
    ),
    Pattern(
        "date-named", 1, _D,
        rf"(?i)(?P<v>{_WD}{_M}\b\.?(?:{GAP}|[ \t]*[-/.][ \t]*)?(?:the[ \t]+)?"
        rf"(?P<nth>(?:{NTH}|{WORD_NTH})\b|{DAY}\b|{_OCR_DAY}\b){_TAIL_YEAR}{_YEAR4}\b"
        rf"|{WORD_YEAR}))?)",
        month_first,
    ),
    Pattern(
        "date-named", 1, _D,
        rf"(?i)(?P<v>(?:19|20)\d\d[-/., \t]*{_M}(?P<tail>[-/., \t]*{DAY}(?:st|nd|rd|th)?)?)",
    ),
    Pattern(
        "date-named", 1, _D,
        rf"(?i){_M}\b\.?[ \t]+{DAY}(?:st|nd|rd|th)?[ \t]?(?:-|,?[ \t]*and\b|,?[ \t]*or\b|&|,|to\b"
        rf"|through\b|thru\b)[ \t]?(?P<v>{DAY}(?:st|nd|rd|th)?(?:,[ \t]*(?:19|20)\d\d)?)",
        another, (), 0.8,
    ),
    Pattern(
        "date-month", 1, _D,
        r"(?i)(?P<v>(?:(?:early|mid|late|middle of|end of|beginning of|first week of|last week of)"
        rf"[- \t]+)?{_M}\b\.?(?:[ \t]*[-/.,][ \t]*|[ \t]+of[ \t]+|{GAP})?"
        r"(?P<year>(?:19|20)\d\d|'[ \t]?\d\d|\d\d)\b)",
        month_year, (), 0.9,
    ),
    Pattern(
        "date-month", 1, _D,
        r"(?i)(?P<v>(?P<mod>(?:(?:the[ \t]+)?(?:early|mid|late|middle of|end of|beginning of)"
        rf"(?:[ \t]*-[ \t]*|[ \t]+))(?:to[- ]late[- ])?)?{_M}\b)",
        month_alone, (), 0.8,
    ),
    Pattern("date-stamp", 1, _D, r"(?i)(?P<v>" + DAY + MONTH + r"(?:(?:19|20)?\d\d)?)", stamp),
    Pattern(
        "date-stamp", 1, _D,
        rf"(?i)(?P<v>(?:[0-2]\d|3[01])[0-2]\d[0-5]\dZ[ \t]?{MONTH}(?:[ \t]?\d\d)?)",
        stamp, ("z",),
    ),
    Pattern("date-ocr", 1, _D, r"(?P<v>(?i:" + MONTH + r")[0-9lI]{1,2}th)", whole),
)  # fmt: skip
