"""English dates without the name of a month: ordinals, holidays, seasons, spoken birth dates.

    ordinal = ("the" | weekday "the"?) nth       "the 4th", "Friday the 15th"
    holiday = "Christmas Eve" | "Labor Day" | ...   [year]
    season  = season year | quarter year            "spring 2021", "Q3 2020"
    spoken  = "born" | "date of birth" numbers      "two eleven sixty nine"

Ordinals aren't dates before toes, doses, percentiles and the like, nor as streets ("SE 15th").
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.dates.en import NTH, WEEKDAY, WORD_NTH
from stream_deid.detect.patterns.dates.feasts import HOLIDAYS, holiday
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import MONTHS
from stream_deid.lists.numbers import ONES, TEENS, TENS_EN, UNITS
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("dates_en")

_D = PhiType.DATE
_NOT_NTH = Context(
    r"(?i)^[ \t-]*(?:(?:and|or|to|through)[ \t]+(?:the[ \t]+)?\S+[ \t]+|[/&,-][ \t]*(?:the[ \t]+)?"
    rf"\d+(?:st|nd|rd|th)[ \t]+)?(?:(?:{_WORDS['no_ordinal']})[ \t]+)?(?:{_WORDS['no_day']}"
    rf"|of[ \t]+(?:\d|{'|'.join(UNITS['en'][2:11])}|its|his|her|these|those|all)\b)"
)  # fmt: skip
_NAMED_NTH = Context(r"^[ \t]+[A-Z][a-z]")
_FUNCTION = Context(rf"(?i)^[ \t]+(?:{_WORDS['function']})\b")
_PREPOSITION = Context(
    rf"(?i)\b(?:{_WORDS['nth_before']})[ \t\n]+"
    r"(?:um[ \t]+|uh[ \t]+|about[ \t]+)?$"
)


def ordinal(hit: Hit) -> bool:
    """As in "the 4th" as a day: nothing counted follows, and no name ("the 3rd Street")."""
    if not whole(hit) or _NOT_NTH.match(hit.after(40)):
        return False
    if hit.groups.get("wd"):
        return True
    return (
        bool(hit.groups.get("the"))
        and not _NAMED_NTH.match(hit.after(4))
        and not _TISSUE.search(hit.before(14))
    )


_TISSUE = Context(r"(?i)(?:\d to|pressing|along|between|over|under|at)[ \t\n]+$")


def next_ordinal(hit: Hit) -> bool:
    """The 13th of "the 12th and 13th"."""
    return whole(hit) and not _NOT_NTH.match(hit.after(40))


def bare_ordinal(hit: Hit) -> bool:
    """As in "on 18TH": an ordinal right after "on"."""
    return whole(hit) and not _NOT_NTH.match(hit.after(40)) and not _NAMED_NTH.match(hit.after(4))


def word_ordinal(hit: Hit) -> bool:
    """As in "on the twenty-second": only after a preposition of time and not before a noun, but
    behind "on" from the twentieth on.
    """
    word = hit.groups["nth"]
    if not whole(hit) or _NOT_NTH.match(hit.after(40)):
        return False
    if word.lower().startswith(("twenty-", "twenty ", "thirty")) and _ON.search(hit.before(8)):
        return True  # nothing else is counted so far
    after = hit.after(2)
    ends = not after or after[0] in ".,;:)?!\n" or _FUNCTION.match(hit.after(12))
    ends = ends or _DONE.match(hit.after(16))
    if word == "Fourth" or (word.lower() == "fourth" and _JULY.search(hit.before(12))):
        return ends
    if word.lower() in ("first", "second", "third") and not hit.groups.get("wd"):
        return ends and _ON.search(hit.before(8))
    return ends and (bool(hit.groups.get("wd")) or _PREPOSITION.search(hit.before(14)))


_DONE = Context(r"^ [a-z]{3,}ed\b")
"""In dictation: "from the fifteenth copied to"."""
_JULY = Context(r"(?i)(?:over|for|since)[ \t]+$")
_ON = Context(r"(?i)\bon[ \t]+$")
_NUM = rf"(?:(?:oh|zero|{ONES}|{TEENS}|(?:{TENS_EN})(?:[- ](?:{ONES}))?|hundred|thousand)\b)"
_MONTHS = f"(?:{'|'.join(MONTHS['en'])})"

_QUARTER, _FISCAL = r"(?-i:Q[1-4]|[1-4]Q)", r"(?-i:FY)[ ]?(?:20|')?\d\d"

DATES = (
    Pattern(
        "date-ordinal", 1, _D,
        rf"(?i)(?P<v>(?P<wd>{WEEKDAY}\.?,?[ \t]+)?(?P<the>the[ \t]+)?{NTH})",
        ordinal, ("th", "st", "nd", "rd"), 0.8,
    ),
    Pattern(
        "date-ordinal", 1, _D,
        rf"(?i)\bon[ \t]+(?P<v>{NTH})",
        bare_ordinal, ("on ",), 0.7,
    ),
    Pattern(
        "date-ordinal", 1, _D,
        rf"(?i)the[ \t]+{NTH}[ \t]?(?:,|and\b|or\b|&|-|to\b|through\b)[ \t]*(?:the[ \t]+)?"
        rf"(?P<v>{NTH})",
        next_ordinal, ("the ",), 0.8,
    ),
    Pattern(
        "date-ordinal", 1, _D,
        rf"(?i)(?P<v>(?P<wd>{WEEKDAY},?[ \t]+)?the[ \t]+(?P<nth>{WORD_NTH}))",
        word_ordinal, ("the ",), 0.7,
    ),
    Pattern(
        "date-holiday", 1, _D,
        rf"(?i)(?P<v>{HOLIDAYS}(?:,?[ \t]+(?:of[ \t]+)?(?:(?:19|20)\d\d|[']\d\d))?)",
        holiday, (), 0.8,
    ),
    Pattern(
        "date-season", 1, _D,
        r"(?i)(?P<v>(?:(?:early|mid|late)[- ])?(?:spring|summer|fall|autumn|winter)(?:[ \t]+of)?"
        r"(?:[ \t]+|[ \t]*,[ \t]*)(?:(?:19|20)\d\d|[']\d\d)"
        rf"|(?:{_QUARTER}|(?:first|second|third|fourth) quarter(?: of)?)[ \t'-]*"
        r"(?:(?:20|19)\d\d|\d\d\b))",
        whole,
    ),
    Pattern(
        "date-season", 1, _D,
        r"(?i)(?P<v>(?-i:H[12]|[12]H)[ \t'-]*20\d\d"
        rf"|(?:{_FISCAL}|(?:20|19)\d\d)[ ,/-]{{0,2}}{_QUARTER}"
        rf"|{_QUARTER}(?:[ ,/-]|[ ]of[ ]){{1,2}}{_FISCAL})",
        whole,
    ),
    Pattern(
        "date-spoken", 1, _D,
        rf"(?i)(?:{_WORDS['spoken_before']})[ \t]*(?:is|um|on|was|caller|[:?.,\n])*"
        r"(?:[ \t\n]*(?:INT|caller|patient|agent|\d{3}[ \t]+caller)[ \t]*:?)?[ \t\n]*"
        rf"(?P<v>(?:{_NUM}|{WORD_NTH}|{_MONTHS})"
        rf"(?:,?[ \t-]+(?:comma[ \t]+)?(?:{_NUM}|{WORD_NTH}|{_MONTHS})){{2,8}})",
        whole, ("birth", "born", "dob", "date", "dict", "injury"), 0.9,
    ),
    Pattern(
        "date-birth-year", 1, _D,
        r"(?i)\b(?:born|year[ \t]+of[ \t]+birth|birth[ \t]?year|yob|class[ \t]+of|graduated)[ \t]*"
        r"(?:in|:|=|was|is|on|about|around|circa|c\.|high[ \t]+school|college|school|[ \t])*"
        r"(?P<v>18\d\d|19[0-5]\d|['’][0-5]\d)\b",
        whole, ("born", "birth", "yob", "class", "graduated"),
    ),
)  # fmt: skip
