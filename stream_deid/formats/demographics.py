"""Answers that say who somebody is, whatever the data type: ages, birth years, postcodes, numbers.

An observation of HL7 v2 or FHIR, or an item of a questionnaire, says by its code or its words what
its value means (`data/demographics.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from stream_deid.labels import PhiType
from stream_deid.lists.calendar import UNITS
from stream_deid.lists.vocabulary import toml
from stream_deid.text.age import LONGEST_LIFE
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

OLDEST = 90
"""From this age on an age identifies (45 CFR 164.514(b)(2)(i)(C))."""

_IN_A_YEAR = {
    word: count
    for unit, count in (("year", 1), ("month", 12), ("week", 52), ("day", 365))
    for word in UNITS[unit]
}
_AGE = re.compile(r"\D{0,3}(\d{1,6}(?:[.,]\d{1,3})?) ?\+?([^\W\d]*)\.?")
_SAID_AGE = linear(
    r"(?:^|[^\w.,/:+-])(\d{2,3}s?)(?: ?(?:-|to|and|or|a|y|o) ?(\d{2,3}s?))?\+?"
    r"(?:[.;)]?(?: ?([a-z]+|%)|[^\w/:.,-]|$)|[.,;)]+(?:[^\w.,]|$))"
)
_LONGEST_END = 5
_NOT_WORDS = re.compile(r"[\W_]+")


def meaning(codes: Iterable[str], words: Iterable[str]) -> PhiType | None:
    """What a value means whose question has these codes and these words; None: nothing of this."""
    by_code, by_words, by_ends, unless = _tables()
    asked = [_plain(text).split() for text in words]
    beside = {word for text in asked for word in text}
    found = (by_code.get(code.strip()) for code in codes)
    said = (by_words.get(" ".join(text)) for text in asked)
    ends = (by_ends.get(" ".join(text[-n:])) for text in asked for n in range(_LONGEST_END, 0, -1))
    meant = (phi for phi in (*said, *ends) if phi is not None and not beside & unless[phi])
    return next((phi for phi in (*found, *meant) if phi is not None), None)


def years(value: str, unit: str = "") -> float | None:
    """The years that an age says, in its unit; None where it says none."""
    found = _AGE.fullmatch(folded(value.strip().casefold()))
    if found is None:
        return None
    said = found[2] or folded(unit.strip().strip(".").casefold())
    in_a_year = _IN_A_YEAR.get(said) if said else 1
    return None if in_a_year is None else float(found[1].replace(",", ".")) / in_a_year


def identifies(value: str, unit: str = "") -> bool:
    """Whether an age does: one of 90 or more, or one that can't be read."""
    age = years(value, unit)
    return age is None or age >= OLDEST


def old_ages(value: str) -> Iterator[tuple[int, int]]:
    """`[start, end)` of each number in a value that speaks of an age, where it is one of 90 or more
    years: `early 90s`, `91-95`, `at 96yo`; of `92 days`, `13/05/94` and `1994` none.
    """
    for found in _SAID_AGE.finditer(folded(value).lower()):
        if found[3] != "%" and _IN_A_YEAR.get(found[3] or "", 1) == 1:
            for group in (1, 2):
                start, end = found.span(group)
                if start >= 0 and OLDEST <= int(value[start:end].rstrip("s")) < LONGEST_LIFE:
                    yield start, end


@cache
def _tables() -> tuple[
    dict[str, PhiType], dict[str, PhiType], dict[str, PhiType], dict[PhiType, frozenset[str]]
]:
    """What is asked by code, by all of its words, by its last words; words that deny it."""
    by_code, by_words, by_ends, unless = {}, {}, {}, {}
    for name, entry in toml("demographics", __package__).items():
        by_code.update(dict.fromkeys(entry.get("loinc", ()), PhiType[name]))
        by_words.update({_plain(text): PhiType[name] for text in entry["words"]})
        by_ends.update({_plain(text): PhiType[name] for text in entry.get("ends", ())})
        unless[PhiType[name]] = frozenset(entry.get("unless", ()))
    return by_code, by_words, by_ends, unless


def _plain(text: str) -> str:
    return _NOT_WORDS.sub(" ", folded(text.casefold()).replace("'", "")).strip()
