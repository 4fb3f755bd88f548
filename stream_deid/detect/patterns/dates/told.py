"""Pairs that an hour of the clock, a shift or a score beside them tells to be days.

until = ("til" | "back" | ...) n/n hhmm         "TIL 5/6 2215"
shift = WARD SHIFT n/n | "turno" SHIFT n/n      "7W DAYS 5/4", "ICU NOC 5/4", "turno noche 5/4"
rated = a row of scores, each with its day      "6/10 3/2, 4/10 3/5" (`rated`)
done  = n/n ("by" | "w/" | ...) Name | ("by" | ...) Name n/n   "anesthesia 2/4 by Bis"
label = ("LMP" | "FUR" | ...) n/n               "FPP 7/12"
      | ("next" | "ult" | ...) occasion n/n     "prox ctrl 4/6"

"ICU days 5/7" and "UCI dia 5/7" count days of a stay.
"""

from __future__ import annotations

from stream_deid.detect.patterns.dates import rated
from stream_deid.detect.patterns.dates.fractions import scored
from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import day_month
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

_WORDS = Vocabulary("dates_told")
_UNTIL = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['until']})[ ]$")
_CLOCK = linear(r"(?i)^,?[ ](?:at |@ ?|a las )?(?:[01]\d|2[0-3]):?[0-5]\d(?:h|hrs?)?(?:[^\w/%]|$)")
_MEASURED = linear(rf"(?i)^,?[ ]\d{{4}}[ ]?(?:{_WORDS['amounts']})(?:[^a-z]|$)")
SHIFTS = _WORDS["shifts"]
WARD = r"(?:\d{1,2}[A-Z]{1,2}|[A-Z]{1,2}\d{1,2})"
_SHIFT = linear(
    rf"(?:^|[^A-Za-z0-9])(?:{WARD}[ ](?i:{SHIFTS}|days?)"
    rf"|(?i:(?:{_WORDS['wards']})[ ](?:{SHIFTS}))"
    rf"|(?i:(?:{_WORDS['shift']})[ ](?:de )?(?:{SHIFTS}|dia)))[ :,-]{{1,3}}$"
)
_LABEL = linear(
    rf"(?i)(?:^|[^a-z])(?:{_WORDS['days_of']}"
    rf"|(?:{_WORDS['next_and_last']})[ ](?:{_WORDS['occasions']}))[ ]?[:=]?[ ]?$"
)
_BY_AFTER = linear(r"^,? (?:by|per|por|w/|con) (?:Drs?\.? |Dra\.? )?([A-Z][a-z]{2,})(?:[ ,.;)]|$)")
_BY_BEFORE = linear(r"\b(?:by|per|por) (?:Drs?\.? |Dra\.? )?([A-Z][a-z]{2,}),? $")
_NEARBY = 32


def is_told(text: str, start: int, end: int) -> bool:
    """Whether what stands beside the pair at `[start, end)` makes it a day."""
    before = folded(text[max(0, start - _NEARBY) : start].rpartition("\n")[2])
    after = folded(text[end : end + _NEARBY].partition("\n")[0])
    if after[:1] in ("/", "%", "-"):
        return False
    if _SHIFT.search(before) or _labelled(text[start:end], before, after):
        return True
    if rated.is_day(text, start, end):
        return True
    timed = _CLOCK.match(after) is not None and _MEASURED.match(after) is None
    return timed and _UNTIL.search(before) is not None


def _labelled(pair: str, before: str, after: str) -> bool:
    """Whether a pair that can be a day stands behind a word that only a day follows, or beside who
    did something then.
    """
    first, stroke, second = pair.partition("/")
    digits = stroke and first.isdecimal() and second.isdecimal()
    if not (digits and day_month(int(first), int(second))):
        return False
    worded = before.rstrip(" :=,")[-1:]
    if worded.isalpha() or worded == ".":
        if _LABEL.search(before):
            return True
        who = _BY_AFTER.match(after) or _BY_BEFORE.search(before)
    else:
        who = _BY_AFTER.match(after)
    name = who[1].lower() if who else ""
    known = not name or name in EPONYMS or is_term(name)
    return not known and not scored(before)
