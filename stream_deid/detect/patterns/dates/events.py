"""Events with their day right behind them, and results beside a day: reasons for a date.

happened = (examination [region] | word that dates) n "/" n      "CT head 3/7", "Cystoscopy 6/12"
resulted = test n "/" n result | negative n "/" n end            "HIV 3/4 neg", "HCV NEG 3/11"
earlier  = "(" ["prev"] n "/" n ":" value                        "9.1 (3/2: 10.4)"
bottles  = cultures n "/" n (germ | "pos"), n <= n <= 4          "blood cx 2/4 pos": no date
"""

from __future__ import annotations

import re

from stream_deid.detect.patterns.base import Context, Hit
from stream_deid.detect.patterns.dates.digits import alone
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import day_month

_DATES = Vocabulary("dates")
_WORDS = Vocabulary("dates_events")
_SIGNS = r"\.?[ \t:(~]{1,5}"
_EXAMINED = rf"(?:{_WORDS['examinations']})(?:[ ](?:{_WORDS['regions']})){{0,2}}"
_HAPPENED = Context(
    rf"(?i)(?:\b(?:{_DATES['dated']})\.?(?:[ \t]+(?:was|is|were|on))?[ \t:(~]{{0,5}}"
    rf"|(?:^|[^a-z]){_EXAMINED}{_SIGNS}|(?:^|\n)[ \t>*\-\[(|]{{0,6}})$"
)
_TESTED = Context(rf"(?i)\b(?:{_WORDS['tests']}|{_WORDS['examinations']}){_SIGNS}$")
_RESULT_AFTER = Context(rf"(?i)^[ ]?[-:,]?[ ](?:{_WORDS['results']})(?:[^a-z]|$)")
_NEGATIVE = Context(rf"(?i)[a-z][ ]+(?:{_WORDS['negatives']}){_SIGNS}$")
_STAINED = Context(r"(?i)\b(?:gram|coag[a-z]*|staph[a-z]*)[ -]neg[a-z]*[ :]{1,2}$")
_ENDS = Context(r"^(?:[ ]{2}|[ ]?(?:[,;)|\n\t]|[.](?:[^0-9]|$)|$))")
_EARLIER = Context(rf"(?i)(?:\d%?[ ]?|[ ])\((?:(?:{_WORDS['earlier']})[ :]{{1,2}})?$")
_ITS_VALUE = Context(r"^:[ ]?\d")
_CULTURED = Context(rf"(?i)\b(?:{_WORDS['cultured']})[ :+]{{1,3}}$")
_GROWN = Context(rf"(?i)^[ ]?(?:[:(][ ]?)?(?:{_WORDS['grown']}|,[ ]?mic)(?:[^a-z]|$)")
_HAPPENING = Context(rf"(?i)(?:^|[^a-z])(?:{_WORDS['happenings']}){_SIGNS}$")
_OPERATED = Context(r"(?i)\bs/p(?:[ ][a-z-]{1,14}){1,4}[ ]$")
_MEASURED = Context(
    rf"(?i)(?:[ (]\d{{1,3}}[.,]\d{{1,2}}[ ]?%?|\b(?:{_WORDS['earlier']})[ ]\d{{1,3}})[ ]$"
)
_HOUR = Context(r"(?i)^,?[ ](?:at[ ]|a las[ ]|@[ ]?)?(?:[01]\d|2[0-3]):?[0-5]\d(?:[^0-9/]|$)")
_WORD = Context(r"[A-Za-z]{2}[.)]?[ ]$")
_BOTTLES = 4


def happened(before: str) -> bool:
    """Whether `before` ends with a word of dates, an examination or the beginning of a line."""
    return _HAPPENED.search(before)


def resulted(before: str, after: str) -> bool:
    """Whether a pair between them is the day of a test, by its result or its earlier value."""
    if _TESTED.search(before) and _RESULT_AFTER.match(after):
        return True
    if _NEGATIVE.search(before) and _ENDS.match(after) and not _STAINED.search(before):
        return True
    return _EARLIER.search(before) and _ITS_VALUE.match(after)


def likely(before: str, after: str) -> bool:
    """Whether anything of the above, an hour, an operation or a value speaks for a day."""
    told = happened(before) or resulted(before, after) or _HAPPENING.search(before)
    measured = _MEASURED.search(before) and _ENDS.match(after)
    return told or timed(before, after) or measured or _OPERATED.search(before)


def timed(before: str, after: str) -> bool:
    """Whether a pair between a word and an hour of the clock is a day."""
    return _WORD.search(before) and _HOUR.match(after)


def bottles(first: int, second: int, before: str, after: str) -> bool:
    """Whether a pair counts bottles of a blood culture that grew something."""
    return first <= second <= _BOTTLES and _CULTURED.search(before) and _GROWN.match(after)


def cycle_day(hit: Hit) -> bool:
    """The day of a cycle of chemotherapy beside another one; no strength of a root (`C5 4/5`)."""
    first, second = (int(n) for n in hit.value.split("/"))
    beside = len(_CYCLE.findall(f"{hit.before(64)}|{hit.after(64)}"))
    grade = first <= second in (_STRENGTH, _STRENGTH - 1)
    return alone(hit) and day_month(first, second) and not grade and beside > 1


_CYCLE = re.compile(r"\bC\d{1,2}(?:D\d{1,2})?\b")
_STRENGTH = 5
