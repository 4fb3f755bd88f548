"""Words around a pair of numbers that say fraction, score, grade or setting instead of date.

scored  = (measure | scale | place in a row) [":" | "of" | ...] n "/" n     "GCS 3/15", "page 2/4"
sold    = drug of two n "/" n              "Suboxone 8/2": a strength that it comes in
counted = n "/" n (unit | what is counted)                                  "1/2 tab", "3/17 LN"
course  = "d" n "/" n                      a day out of those of a treatment        "doxy d 5/14"
        | "dose" n "/" n                   one out of a series                          "dose 2/3"
values  = (result [unit] | sign) n "-" n              "Hb 10,2 g/dL 12-16", "RR 12-16"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("dates")

_MEASURES = rf"{_WORDS['measures']}"
_SCALES = rf"{_WORDS['scales']}"
_PLACES = rf"{_WORDS['places']}"
_LINK = rf"(?:[ \t]+(?:{_WORDS['links']}|[a-d]))*[ \t:=\-#(]{{0,4}}"
_SCORES = r"(?:\d{1,2}[+-]?/\d{1,2}[,;]?[ \t]+(?:and |y |to |- )?){0,3}(?:\d{1,2}-)?"
_HEADING = rf"(?:^|\n)[ \t|]*(?:{_PLACES})[ \t:#|]{{0,3}}\n[ \t|]*"
_STAGE = r"(?:T[0-4x](?:is)?[a-d]?|\b[cpy]{0,2})N[0-3][a-c]?(?:mi)?[ \t]?\(?"
_SPINE = r"\b[cdtl][1-9](?:-[1-9])?[ \t]{1,3}"
_SIGN = r"[^\s<>*][ \t]*[<>*][ \t]?|#[ \t]?|1:|\bx[ \t]?"
_SCORED = Context(
    rf"(?i)(?:\b(?:{_MEASURES}|{_SCALES}){_LINK}{_SCORES}|\b(?:{_PLACES})[ \t:#(]{{0,2}}"
    rf"|{_HEADING}|{_STAGE}|{_SPINE}|{_SIGN})$"
)
_COUNTED = Context(rf"(?i)^[ \t]?(?:-?(?:{_WORDS['counted']}))")
_PARTS = Context(rf"(?i)^[ \t]?(?:{_WORDS['parts']})")


_RANGED = Context(
    rf"(?i)^[ \t]?(?:-|to|a|or|o)[ \t]?\d{{1,2}}(?:[ ]?\d?/\d)?[ \t]?(?:{_WORDS['amounts']})"
)
"""The rest of a range, and what it is of: the " - 3 cups" of "11/2 - 3 cups"."""
_CULTURES = Context(r"(?i)^[ \t]?(?:gpcs?|gnrs?|cons|mrsa|mssa|gram[ -]?(?:pos|neg)\w*)\b")
_BOTTLES = 4
_PRESSURE = Context(r"(?i)^[ \t]?(?:mm[ ]?hg|cm[ ]?h2o|torr)\b")


def scored(before: str) -> bool:
    """Whether a pair after `before` is a score, a grade, a setting or a place in a row."""
    return _SCORED.search(before)


_COURSE = Context(r"(?:(?:^|[ \t\n(,;])d[ ]?#?|[,;(][ ]?(?:day|dia)[ ]?\n)$")
_COURSES = frozenset((5, 7, 10, 14, 21, 28))
_SERIES = Context(rf"(?i)\b(?:{_WORDS['series']})[ \t#:]{{1,2}}$")
_NOT_SERIES = Context(rf"(?i)\b(?:{_WORDS['not_series']})[ \t][^\n]{{0,24}}$")
_LONGEST_SERIES = 5


def course(first: int, second: int, before: str) -> bool:
    """Whether a pair is a day out of those of a treatment ("doxy 100 bid d 5/14"), or a dose out
    of those of a series ("RZV dose 2/2"; "last dose 2/4" tells a day).
    """
    if first <= second <= _LONGEST_SERIES and _SERIES.search(before):
        return not _NOT_SERIES.search(before)
    return first <= second in _COURSES and _COURSE.search(before)


_VALUE = Context(
    rf"(?i)(?:\d[.,]\d{{1,2}}(?:[ \t|]{{1,8}}(?:{_WORDS['result_units']}))?[ \t|]{{0,8}}\(?"
    rf"|\b(?:{_WORDS['signs']})[ \t:=]{{1,3}})$"
)


def of_values(first: int, second: int, before: str) -> bool:
    """Whether `n-n` are values between which a result or sign is ("Hb 10,2 g/dL 12-16")."""
    return first < second and _VALUE.search(before)


_POINTS = Context(rf"(?i)\b(?:{_SCALES})[ \t:=(]{{1,2}}$")
_ACRONYM = Context(r"[A-Z][A-Za-z0-9-]*[A-Z][A-Za-z0-9-]*[ \t:=(]{1,2}$")


def pointed(before: str) -> bool:
    """Whether a scale in capitals, or in a text of small letters, stands right before a number: its
    points ("BBPS 9", "falls. mrs 3").
    """
    if not _POINTS.search(before):
        return False
    word = before.rstrip(" \t:=(").rpartition(" ")[2]
    return bool(_ACRONYM.search(before)) or (before.islower() and word not in COMMON)


_SOLD = Context(rf"(?i)\b(?:{_WORDS['paired']})$")


def sold(drug_and_pair: str) -> bool:
    """Whether a text ends with a drug of two and a strength of it."""
    return _SOLD.search(drug_and_pair)


def measured(after: str) -> bool:
    """Whether a unit stands behind a pair."""
    return _COUNTED.match(after)


def _is_mixed(first: int, second: int) -> bool:
    """Whether a pair is a whole number and a fraction that lost its blank: 11/2, 21/4, 12/3."""
    return first > 10 and second in _DENOMINATORS and 0 < first % 10 < second


_DENOMINATORS = (2, 3, 4)


def counted(first: int, second: int, after: str) -> bool:
    """Whether what stands behind a pair is counted by it ("1/2 tab", "12/24 fields")."""
    if _PRESSURE.match(after) or (first <= second <= _BOTTLES and _CULTURES.match(after)):
        return True
    part = _is_mixed(first, second) or first < second <= max(_DENOMINATORS)
    if (part and _RANGED.match(after)) or (_is_mixed(first, second) and measured(after)):
        return True
    common = first <= second <= 10 or second in (12, 15, 18, 20, 24, 30)
    return (common and measured(after)) or (first <= second and _PARTS.match(after))
