"""The names of people: `names.tsv`, those that most bear, and `census.tsv`, others of the census;
`names_spanish.tsv`, given names of Spanish-speaking countries that are known and never drawn.

Who asks whether a word is a name asks here, with the word folded as the list is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from stream_deid.lists.vocabulary import rows
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import fold


@cache
def names_table() -> tuple[str, list[list[str]]]:
    """(version, rows of kind, sex, origin and name) of the names that people bear most."""
    return rows("names")


@cache
def census_table() -> list[list[str]]:
    """Rows of kind, sex, origin and names of the census."""
    return rows("census")[1]


@cache
def spanish_table() -> list[list[str]]:
    """Rows as of the census: Spanish names with first letters that few names of its have."""
    return rows("names_es")[1]


@cache
def known_table() -> list[list[str]]:
    """Rows as of the census: given names that are told from other words and stand for nobody's."""
    return rows("names_spanish")[1]


@cache
def shared_table() -> list[list[str]]:
    """Rows as of the census: given names in `names.tsv` that English and Spanish have alike."""
    return rows("names_shared")[1]


def given_first() -> Iterator[str]:
    """Known given names that are no surname more often, as they are written."""
    for _, _, origin, listed in known_table():
        yield from listed.split("|") if origin == "known" else ()


def more_tables() -> list[list[str]]:
    """The rows of all tables but that of the names that people bear most, those to draw first."""
    return [*spanish_table(), *census_table(), *known_table()]


def names_by_kind() -> Iterator[tuple[str, list[str]]]:
    """(given or family, names as they are written) of any list."""
    for kind, _, _, listed in (*names_table()[1], *more_tables()):
        yield kind, listed.split("|")


@cache
def most_borne() -> frozenset[str]:
    """Given names and surnames that people bear most, folded."""
    return frozenset(fold(row[3]) for row in names_table()[1])


@cache
def given_names(origin: str = "") -> frozenset[str]:
    """Given names that people bear most, folded; of an origin alone, where one is asked for."""
    given = (row for row in names_table()[1] if row[0] == "given")
    return frozenset(fold(row[3]) for row in given if origin in ("", row[2]))


@cache
def all_given_names() -> frozenset[str]:
    """Given names of either list, folded."""
    table = (listed for kind, listed in names_by_kind() if kind == "given")
    return frozenset(fold(name) for listed in table for name in listed)


@cache
def surnames() -> frozenset[str]:
    """Surnames of either list, canonical."""
    table = (listed for kind, listed in names_by_kind() if kind == "family")
    return frozenset(canonical(name) for listed in table for name in listed)


@cache
def listed_names() -> frozenset[str]:
    """Given names and surnames of either list, folded."""
    return frozenset(fold(name) for _, listed in names_by_kind() for name in listed)


def is_listed_name(word: str) -> bool:
    """Whether a word is among the given names and surnames of the lists."""
    return fold(word) in listed_names()
