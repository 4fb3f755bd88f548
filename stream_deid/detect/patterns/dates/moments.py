"""Moments that machines count, in both languages: who reads one beside a shifted date subtracts.

epoch  = label seconds | seconds "." digits         "epoch 1615803330", "(1615803330.123)"
ofyear = ("DOY" | "julian day" | ...) n | yyddd | yyyyddd          "DOY 074", "julian date 2021074"
day    = ("JD" | "julian date" | ...) 24nnnnn ["." n]              "JD 2459288.5"

Seconds are of 2001 to 2040, with or without three, six or nine figures of parts of them. A day
"of 2024" is a date (`years.COUNTED`), one beside a date is in `weeks`; these tell no year in words,
and become tags.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("moments")
_SEP = r"(?:[ ](?:s|ms|seconds|time|es|is|no|n[o]))?[ \t]*[:=#(\[]{0,2}[ \t]*"
_SECONDS = r"(?:1\d{9}|2[01]\d{8})(?:\d{3}){0,3}"


def _apart(hit: Hit) -> bool:
    """Whole, and no piece of a number with full stops, slashes or hyphens."""
    before, after = hit.before(1), hit.after(2)
    joined = after[:1] in ("-", "/", ".", ",") and after[1:].isalnum()
    return whole(hit) and before not in ("-", ".", ",", "_", "$") and not joined


MOMENTS = (
    Pattern(
        "epoch", 1, PhiType.IDNUM,
        rf"(?i)(?:^|[^a-z0-9])(?:{_WORDS['counted_from']}){_SEP}(?P<v>{_SECONDS}(?:\.\d{{1,9}})?)",
        _apart,
    ),
    Pattern("epoch", 1, PhiType.IDNUM, rf"(?P<v>{_SECONDS}\.\d{{1,9}})", _apart, (".",)),
    Pattern(
        "day-number", 1, PhiType.DATE,
        rf"(?i)\b(?:{_WORDS['of_year']})[ \t]*[:=#]?[ \t]*"
        r"(?P<v>(?:(?:19|20)?\d\d)?(?:[0-2]\d\d|3[0-5]\d|36[0-6]))",
        _apart,
    ),
    Pattern(
        "day-number", 1, PhiType.DATE,
        rf"(?i)\b(?P<v>(?:{_WORDS['of_year']})[ \t]*[:=#]?[ \t]*[1-9]\d?)", _apart,
    ),
    Pattern(
        "day-number", 1, PhiType.DATE,
        rf"(?i)\b(?:{_WORDS['of_all_years']})[ \t]*[:=#]?[ \t]*"
        r"(?P<v>24[3-7]\d{4}(?:\.\d{1,6})?)",
        _apart,
    ),
)  # fmt: skip
