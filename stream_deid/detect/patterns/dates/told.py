"""Pairs that an hour of the clock, a shift or a score beside them tells to be days.

until = ("til" | "back" | ...) n/n hhmm         "TIL 5/6 2215"
shift = WARD SHIFT n/n | "turno" SHIFT n/n      "7W DAYS 5/4", "ICU NOC 5/4", "turno noche 5/4"
rated = a row of scores, each with its day      "6/10 3/2, 4/10 3/5" (`rated`)
label = ("LMP" | "FUR" | ...) n/n | ("next" | "ult" | ...) occasion n/n     "FPP 7/12", "prox ctrl 4/6"

"ICU days 5/7" and "UCI dia 5/7" count days of a stay.
"""

from __future__ import annotations

from stream_deid.detect.patterns.dates import rated
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
_NEARBY = 32


def is_told(text: str, start: int, end: int) -> bool:
    """Whether what stands beside the pair at `[start, end)` makes it a day."""
    before = folded(text[max(0, start - _NEARBY) : start].rpartition("\n")[2])
    after = folded(text[end : end + _NEARBY].partition("\n")[0])
    if after[:1] in ("/", "%", "-"):
        return False
    if _SHIFT.search(before) or _labelled(text[start:end], before):
        return True
    if rated.is_day(text, start, end):
        return True
    timed = _CLOCK.match(after) is not None and _MEASURED.match(after) is None
    return timed and _UNTIL.search(before) is not None


def _labelled(pair: str, before: str) -> bool:
    """Whether a pair that can be a day stands behind a word that only a day follows."""
    first, stroke, second = pair.partition("/")
    digits = stroke and first.isdecimal() and second.isdecimal()
    return bool(digits and day_month(int(first), int(second)) and _LABEL.search(before))
