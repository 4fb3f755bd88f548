"""What counts in a field for codes and results: a model that reads "mg/hr" alone takes it for a
name.

A short field is no note. There, a vote counts where it is sure, and figures with a line between
them are a score, a dose or a range and no date unless they name a year. What a model calls
a name has to be surer still where no word for a person stands before it: whom the record or the
rest of the message names is looked for by other detectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.lexicon import rows
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.terms import SPECIES
from stream_deid.lists.vocabulary import Vocabulary, listed
from stream_deid.note import Detection
from stream_deid.text.days import MONTH_STEMS, compact
from stream_deid.text.folding import folded

_DAY_MONTH_YEAR, _YEAR, _TEN = 3, 4, 10
_NAMED = PERSONS | ORGANIZATIONS
_NAMED |= {PhiType.CITY, PhiType.STATE, PhiType.COUNTRY, PhiType.LOCATION_OTHER}
_SHORT = 3
_ALONE = re.compile(r"[^\W\d_]+(?:[-'’.]+[^\W\d_]+)*")
_WORDS = Vocabulary("short_values")
_CUE = re.compile(rf"(?i)(?:\b(?:{_WORDS['people']}|{_WORDS['prepositions']})\b[ .:/]*|/ ?)$")
_PERSON_CUE = re.compile(
    rf"(?i)\b(?:{_WORDS['people']}|{_WORDS['calling']}|{_WORDS['kin']})\b[ .:/]*$"
)
_SURNAME_FIRST = re.compile(r"[^\W\d_]{2,}, ?[^\W\d_]{2,}")
_FIGURES = re.compile(r"\d+")
_MONTH = re.compile(rf"(?i)(?<![a-z])(?:{MONTH_STEMS})")
LEAST = 0.6
"""On 67 sample messages of two public converters: below it 27 of 35 wrong replacements in coded
fields and 2 of 9 right ones."""
SURE = 0.85
"""Of names that models mark in short values without a word for a person before them
(`corpora/dev/harm/hl7_values*.tsv`): above it are 65 of 68 identifiers and 4 of 32 clinical
words; the three below are surname, comma, given name."""
_HEARD = 0.5
"""Behind a word for a person."""


def certain(text: str, detections: Sequence[Detection]) -> list[Detection]:
    """The detections of a coded field that count, whoever made them."""
    return [
        one
        for one in detections
        if (
            one.score >= LEAST
            or _is_a_day(text[one.start : one.end])
            or (one.type in PERSONS and one.score >= _HEARD and _is_cued(text, one))
        )
        and not (one.type is PhiType.DATE and not _names_a_day(text[one.start : one.end]))
    ]


def said_surely(text: str, detections: Sequence[Detection]) -> list[Detection]:
    """What models say of a coded field and is sure: no name of nothing but words of results or of
    an organism, none that is not quite sure without a word for a person before it, no letters or
    codes of up to three signs without a cue before them.
    """
    return [
        one
        for one in detections
        if not (one.type in _NAMED and _is_result(text, one))
        and not _is_species(text, one)
        and not (one.score < SURE and _is_doubtful(text, one))
        and not _is_mark(text, one)
    ]


def _is_cued(text: str, vote: Detection) -> bool:
    return _PERSON_CUE.search(text[: vote.start]) is not None


def _is_doubtful(text: str, vote: Detection) -> bool:
    """A name without a word for a person before it that isn't written `Whitlock, Harold`."""
    value = text[vote.start : vote.end]
    return vote.type in _NAMED and not _is_cued(text, vote) and _SURNAME_FIRST.search(value) is None


def _stands_alone(text: str, vote: Detection) -> bool:
    return vote.type in _NAMED and _ALONE.fullmatch(text.strip(" .,;:()")) is not None


def _is_species(text: str, vote: Detection) -> bool:
    """`B. quintana`, or its `B.` alone: an initial and a word in small letters."""
    return vote.type in _NAMED and SPECIES.match(text, vote.start) is not None


def _is_mark(text: str, vote: Detection) -> bool:
    value = text[vote.start : vote.end]
    signs = sum(map(str.isalnum, value))
    if vote.type is PhiType.DATE or signs > _SHORT or value.isdecimal():
        return False
    a_name = signs == _SHORT and value.istitle()
    return not a_name and _CUE.search(text[: vote.start]) is None


@cache
def _results() -> frozenset[str]:
    return listed("results.txt")


@cache
def _given() -> frozenset[str]:
    return frozenset(row[3].casefold() for row in rows("names")[1] if row[0] == "given")


def _is_a_day(value: str) -> bool:
    """Whether figures are a calendar day in whatever order (`03152024`)."""
    return any(end - start == len(value) for start, end, _ in compact(value))


def _is_result(text: str, vote: Detection) -> bool:
    """Whether a name is nothing but words of results; behind a word for a person it is somebody's
    ("called to Crawford"), and so is a given name among others, or one that is no eponym and no
    brand ("Paul").
    """
    if _is_cued(text, vote):
        return False
    whole = text[vote.start : vote.end].casefold().removesuffix("'s").removesuffix("’s")
    words = whole.replace("-", " ").split()
    known = whole in _results() or all(word in _results() or len(word) == 1 for word in words)
    borne = [word for word in words if word in _given()]
    return known and (not borne or (_stands_alone(text, vote) and all(map(is_clinical, borne))))


def _names_a_day(value: str) -> bool:
    """Whether a date names a month and a number, a year, or three figures as in a date: no score
    (`8/9`, `9/9/10`), no strain (`pdm09`) and no day of a schedule (`Mon Wed Fri`, `lunes 3/4`).
    """
    figures = _FIGURES.findall(value)
    if not figures:
        return False
    if _MONTH.search(folded(value)) or any(len(figure) >= _YEAR for figure in figures):
        return True
    small = all(int(figure) <= _TEN and figure[0] != "0" for figure in figures)
    return len(figures) >= _DAY_MONTH_YEAR and not small
