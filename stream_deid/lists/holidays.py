"""Holidays: their names, what day each is, and what a text that says one means by it.

`data/holidays.tsv` is the one list: patterns, surrogates, training notes and attacks take theirs
from here. The day of a name in a year is `surrogate.dates.holidays`'.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from stream_deid.lists.vocabulary import rows
from stream_deid.text.folding import fold

ALONE, CUED = "alone", "cued"


@dataclass(frozen=True, slots=True)
class Holiday:
    """A row of the list: `language` is empty for both, `rule` where the name tells no day."""

    name: str
    language: str
    rule: tuple[str, ...]
    found: str
    uses: frozenset[str]


HOLIDAYS = tuple(
    Holiday(
        name, language, () if rule == "-" else tuple(rule.split()), found,
        frozenset(uses[0].split("|")) if uses else frozenset(),
    )
    for name, language, rule, found, *uses in rows("holidays")[1]
)  # fmt: skip


def used(use: str) -> tuple[str, ...]:
    """The names that serve for something (`drawn`, `closed`), in the order of the list."""
    return tuple(one.name for one in HOLIDAYS if use in one.uses)


def names(language: str, *found: str) -> tuple[str, ...]:
    """The names that patterns of a language take for a date, folded, the longest first."""
    taken = {
        fold(one.name)
        for one in HOLIDAYS
        if one.found in (found or (ALONE, CUED)) and one.language in (language, "")
    }
    return tuple(sorted(taken, key=lambda name: (-len(name), name)))


def expression(some: tuple[str, ...]) -> str:
    """Any of these names with any blanks, with or without full stops and hyphens."""
    written = (re.escape(name).replace(r"\.", r"\.?").replace(r"\-", "[- ]?") for name in some)
    return "|".join(name.replace(r"\ ", r"[ \t]+") for name in written)
