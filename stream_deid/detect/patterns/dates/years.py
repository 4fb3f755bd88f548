"""Years by themselves in English: of birth, of events of a life, and behind a preposition.

birth  = ("DOB" | "date of birth" | "b.") year             "DOB '31", "b. 1931"
event  = ("married" | "Navy" | ...) [words] year ["-" year]  "Navy 1943-1945"
said   = ("birth year" | "born" | event | "in") year in words   "born in nineteen thirty-one"
behind = ("in" | "since" | ...) year                       "She was 25 in 1956"

short   = "'" yy                                              "MI '09", "in '22"
counted = yyyy "-W" ww ["-" d] | ("week" | "day") n "of" year    "2024-W19-2", "day 127 of 2024"

Not years: times of day ("NPO since 2000"), doses, counts and what else a unit or a noun follows.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.dates.es import WORD_YEAR
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import COUNTED_DAY, COUNTED_WEEK, OF, THE_YEAR
from stream_deid.lists.numbers import (
    ONES,
    ONES_ES,
    TEENS,
    TEN_TO_TWENTY_ES,
    TENS_EN,
    TENS_ES,
)
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.years import ALONE_FORM

_WORDS, _SPANISH = Vocabulary("dates_en"), Vocabulary("dates_es")

_D = PhiType.DATE
_RANGE = ALONE_FORM + r"(?:[ ]?[-–][ ]?" + ALONE_FORM + r")?"
_COUNTED = Context(rf"(?i)^(?:[.,]\d|[/%x]|['’]s\b|s\b|[ \t-]*(?:{_WORDS['counted']}))")


def _alone(hit: Hit) -> bool:
    """Whole, no part of a longer number or date, and nothing that is counted or measured."""
    if not whole(hit) or _COUNTED.match(hit.after(16)):
        return False
    before, after = hit.before(2), hit.after(2)
    joined = before[-1:] in ("/", "-", ".", "$", "#") and before[:1].isdecimal()
    return not joined and not (after[:1] in ("/", "-", ":") and after[1:].isdecimal())


def _no_clock(hit: Hit) -> bool:
    """What can't be a time of day in steps of five minutes either ("since 2000")."""
    clock = "1900" <= hit.value <= "2059" and hit.value[2:] < "60" and int(hit.value) % 5 == 0
    return _alone(hit) and not clock


def _event(hit: Hit) -> bool:
    return whole(hit) and not _COUNTED.match(hit.after(16))


_LIFE = rf"(?:{_WORDS['life']})"
_FILL = rf"(?:[,:(]|[ \t]+(?:{_WORDS['between']}))*[ \t,:(]*"

_OH, _TWENTY = rf"(?:oh|zero)[ -](?:{ONES})", rf"twenty(?:[ -](?:{ONES}))?"
_SAID = (
    rf"(?:(?:eighteen|nineteen)[ -](?:{_OH}|{TEENS}|(?:{TENS_EN})(?:[ -](?:{ONES}))?|hundred)"
    rf"|two[ -]thousand(?:[ -](?:and[ -])?(?:{TEENS}|{_TWENTY}|{ONES}))?"
    rf"|twenty[ -](?:{TEENS}|{_TWENTY}|{_OH}))"
)
"""A year in words, which is no hour of the clock where it is told as a year."""


def said(hit: Hit) -> bool:
    return whole(hit) and not _COUNTED.match(hit.after(16))


YEARS = (
    Pattern(
        "date-year-said", 1, _D,
        rf"(?i)\b(?:{_WORDS['births']}|{_LIFE}){_FILL}(?:the[ ]year[ ])?(?P<v>{_SAID})\b"
        rf"|\b(?:{_WORDS['year_before']})[ \t]+(?:the[ \t]+year[ \t]+)?(?P<v2>{_SAID})\b",
        said, ("eighteen", "nineteen", "twenty", "two thousand", "two-thousand"), 0.9,
    ),
    Pattern(
        "date-year-birth", 1, _D,
        r"(?i)(?:^|[^a-z])(?:d\.?o\.?b\.?|(?:date|year)[ \t]+of[ \t]+birth"
        r"|birth[ \t]?(?:date|year)|y\.?o\.?b\.?|(?-i:b\.))[ \t]*(?:in|:|=|was|is|about|around"
        rf"|circa|c\.|[ \t])*(?P<v>{ALONE_FORM}|['’]\d\d)\b",
        _alone, ("dob", "d.o.b", "birth", "yob", "b."),
    ),
    Pattern(
        "date-year-birth", 1, _D,
        r"(?i)\b(?:y\.?o\.?b\.?|year[ \t]+of[ \t]+birth|birth[ \t]?year)[ \t]*(?:[:=]|is|was)?"
        r"[ \t]*(?P<v>\d\d)\b",
        _alone, ("yob", "y.o.b", "birth"),
    ),
    Pattern(
        "date-year-event", 1, _D,
        r"(?i)\b" + _LIFE + r"\b" + _FILL + r"(?P<v>" + _RANGE + r"(?:-\d\d)?)\b", _event,
    ),
    Pattern(
        "date-year", 1, _D,
        rf"(?i)\b(?:{_WORDS['year_before']})[ \t-]+(?:the[ \t]+year[ \t]+)?(?P<v>{_RANGE})\b",
        _alone, (), 0.8,
    ),
    Pattern(
        "date-year", 1, _D,
        r"(?i)\b(?:since|until|till|through|from|between|before|after|by)[ \t]+"
        rf"(?P<v>{ALONE_FORM})\b",
        _no_clock, (), 0.8,
    ),
)  # fmt: skip

_COUNT = r"(?:0{0,2}[1-9]|0?[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])"


def shortened(hit: Hit) -> bool:
    """Two figures behind an apostrophe that are no decade and no quoted measure."""
    return (
        not hit.before(1).isalnum()
        and not _COUNTED.match(hit.after(16))
        and hit.after(1) not in ("'", '"', "-")
    )


COUNTED = (
    Pattern("date-apostrophe", 1, _D, r"(?:^|[ \t\n(,;/])(?P<v>'\d\d)\b", shortened, ("'",), 0.6),
    Pattern(
        "date-week", 1, _D,
        r"(?P<v>(?:19|20)\d\d-?W(?:0[1-9]|[1-4]\d|5[0-3])(?:-?[1-7])?)\b",
        whole,
    ),
    Pattern(
        "date-week", 1, _D,
        rf"(?i)\b(?P<v>{COUNTED_WEEK}[ :#]*(?:[1-4]\d|5[0-3]|0?[1-9])(?:,|[ ]{OF})?{THE_YEAR}"
        r"[ ](?:19|20)\d\d)\b",
        _alone,
    ),
    Pattern(
        "date-day-of-year", 1, _D,
        rf"(?i)\b(?P<v>{COUNTED_DAY}[ :]*{_COUNT}(?:st|nd|rd|th)?(?:,|,?[ ]{OF}){THE_YEAR}"
        r"[ ](?:19|20)\d\d)\b",
        _alone,
    ),
    Pattern(
        "date-day-of-year", 1, _D,
        r"(?i)\bjulian(?: day| date)?[ :]*(?P<v>(?:19|20)\d\d[-./](?:[0-2]\d\d|3[0-6]\d))\b",
        whole, ("julian",),
    ),
)  # fmt: skip
"""Counted through a year, in both languages."""

SPANISH = (
    Pattern(
        "fecha-ano-dicho", 1, _D,
        rf"(?i)\b(?:{_SPANISH['births']})[ ]?[:,]?[ ](?:(?:en|del?|el|ano|es)[ ])*"
        rf"(?P<v1>{WORD_YEAR})\b"
        rf"|\b(?:{_SPANISH['said_before']})[ ](?:el[ ])?(?:ano[ ])?"
        rf"(?P<v2>mil[ ]novecientos[ ](?:{TENS_ES}|{TEN_TO_TWENTY_ES}|veinti)"
        rf"(?:[ ]?y?[ ]?(?:{ONES_ES}))?)\b",
        said, ("novecientos", "dos mil"), 0.9, "FECHAS",
    ),
)  # fmt: skip
"""A year in words in Spanish ("nacida en mil novecientos treinta y uno")."""
