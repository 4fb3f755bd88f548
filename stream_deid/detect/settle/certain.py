"""What counts in a field for codes and results: a model that reads "mg/hr" alone takes it for a
name.

A short field is no note. There, a vote counts where it is sure, and figures with a line between
them are a score, a dose or a range and no date unless they name a year. What a model says of a
word that stands alone has to be surer still: whom the record or the rest of the message names is
looked for by other detectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.note import Detection
from stream_deid.text.days import compact

_DAY_MONTH_YEAR, _YEAR, _TEN = 3, 4, 10
_NAMED = PERSONS | ORGANIZATIONS | {PhiType.CITY, PhiType.LOCATION_OTHER}
_SHORT = 3
_ALONE = re.compile(r"[^\W\d_]+(?:[-'’.]+[^\W\d_]+)*")
_CUE = re.compile(
    r"(?i)(?:\b(?:by|per|to|from|with|w|attn|cc|rb|rbv|dr|dra|mr|mrs|ms|miss|sr|sra|d|dña|por"
    r"|de|con|nurse|tech|rn|md)\b[ .:/]*|/ ?)$"
)
LEAST = 0.6
"""On 67 sample messages of two public converters: below it 27 of 35 wrong replacements in coded
fields and 2 of 9 right ones."""
SURE = 0.75
"""Of single English words alone that no list knows (`corpora/dev/harm/hl7_values*.tsv`): above it
are 39 of 42 names and 3 of 46 clinical words."""


def certain(text: str, detections: Sequence[Detection]) -> list[Detection]:
    """The detections of a coded field that count, whoever made them."""
    return [
        one
        for one in detections
        if (one.score >= LEAST or _is_a_day(text[one.start : one.end]))
        and not (one.type is PhiType.DATE and _bare_figures(text[one.start : one.end]))
    ]


def said_surely(text: str, detections: Sequence[Detection]) -> list[Detection]:
    """What models say of a coded field and is sure: no name of nothing but words of results, none
    that is all of the value and not quite sure, no letters or codes of up to three signs without
    a cue before them.
    """
    return [
        one
        for one in detections
        if not (one.type in _NAMED and _is_result(text[one.start : one.end]))
        and not (one.score < SURE and _stands_alone(text, one))
        and not _is_mark(text, one)
    ]


def _stands_alone(text: str, vote: Detection) -> bool:
    return vote.type in _NAMED and _ALONE.fullmatch(text.strip(" .,;:()")) is not None


def _is_mark(text: str, vote: Detection) -> bool:
    value = text[vote.start : vote.end]
    signs = sum(map(str.isalnum, value))
    if vote.type is PhiType.DATE or signs > _SHORT or value.isdecimal():
        return False
    a_name = signs == _SHORT and value.istitle()
    return not a_name and _CUE.search(text[: vote.start]) is None


@cache
def _results() -> frozenset[str]:
    lines = files("stream_deid.lists").joinpath("data/results.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if line[:1] != "#" for word in line.split())


def _is_result(value: str) -> bool:
    words = value.casefold().removesuffix("'s").removesuffix("’s")
    each = words.replace("-", " ").split()
    known = all(word in _results() or len(word) == 1 for word in each)
    return bool(each) and (known or words in _results())


def _is_a_day(value: str) -> bool:
    """Whether figures are a calendar day in whatever order (`03152024`)."""
    return any(end - start == len(value) for start, end, _ in compact(value))


def _bare_figures(value: str) -> bool:
    """Whether a date is two short figures (`8/9`), or three of which none says that it is a year
    or is written as in a date (`9/9/10`), and no month and no year is named.
    """
    runs = "".join(c if c.isdecimal() else " " for c in value).split()
    if any(c.isalpha() for c in value) or any(len(run) >= _YEAR for run in runs):
        return False
    return len(runs) < _DAY_MONTH_YEAR or all(int(run) <= _TEN and run[0] != "0" for run in runs)
