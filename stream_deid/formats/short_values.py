"""Results of a few words: a score, a titre, an organism, in whatever format they come.

A short value is no note: what models hardly believe isn't replaced there
(`detect/settle/filtering/certain`). What a test asks for (`data/asked.toml`) says where that would
be wrong: one that asks for a date has a date, one that asks for a person or an institution a name.
"""

from __future__ import annotations

import re

from stream_deid.lists.calendar import is_day_word, weekday_language
from stream_deid.lists.people import surnames
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import fold, folded

FEW_WORDS = 9
"""A value of more is a sentence."""
_MOST_PIECES = 2 * FEW_WORDS
_PAIR = re.compile(r"\d[/-]\d")
_NO_WORD = re.compile(r"\d{1,3}(?:[.,]\d{1,2})?[%,;.]?|[^\W\d_][,;.]?")
_ASKED = Vocabulary("asked", folder="", package=__package__)
_KINDS = ("dates", "persons", "institutions")
_ASKS_FOR_MORE = re.compile(rf"(?i)\b(?:{'|'.join(_ASKED[kind] for kind in _KINDS)})\b")
_ASKS_FOR_A_DATE = re.compile(rf"(?i)\b(?:{_ASKED['dates']})\b")
_ASKS_FOR_A_PERSON = re.compile(rf"(?i)\b(?:{_ASKED['persons']})\b")
_ASKS_FOR_A_LOT = re.compile(rf"(?i)\b(?:{_ASKED['lots']})\b")
_ASKS_FOR_A_WEEKDAY = re.compile(rf"\b(?:{_ASKED['weekdays']}|{_ASKED['dates']})\b")
_OF_A_WEEK = re.compile(rf"\b(?:{_ASKED['of_a_week']})\b")
_WEEKLY = re.compile(rf"\b(?:{_ASKED['weekly']})\b")
_COUNTED = re.compile(rf"\b(?:{Vocabulary('moments')['tests_of_days']})\b")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|[_./-]+")
_MONTHS_TOO = frozenset({"mar"})
_USER_NAME = re.compile(r"([A-Z])[A-Z]?([A-Z]{4,14})\d{0,3}|([a-z])[a-z]?([a-z]{4,14})\d{0,3}")
_LONGEST_NAMES = 300
"""Of what is asked no more is looked at."""


def few_words(value: str) -> bool:
    """Whether a value may be a result: one line of a few words. Plain figures and letters alone are
    none (`N 62 L 24 M 8 E 4 B 1 meta 1`), unless a pair stands among them that may be a day.
    """
    pieces = value.split(maxsplit=_MOST_PIECES)
    if "\n" in value.strip() or len(pieces) > _MOST_PIECES:
        return False
    if len(pieces) <= FEW_WORDS:
        return True
    before = ("", *pieces)
    may_be_days = any(
        _PAIR.search(piece) and not is_day_word(fold(last).lower().strip(",.:"))
        for last, piece in zip(before, pieces, strict=False)
    )
    words = sum(_NO_WORD.fullmatch(piece) is None for piece in pieces)
    return words <= FEW_WORDS and not may_be_days


def asks_for_more(names: str) -> bool:
    """Whether a test of these names asks for a date, a person or an institution."""
    return _ASKS_FOR_MORE.search(names[:_LONGEST_NAMES]) is not None


def asks_for_a_date(names: str) -> bool:
    """Whether a test of these names asks for a date: `2/14` is one there."""
    return _ASKS_FOR_A_DATE.search(names[:_LONGEST_NAMES]) is not None


def asks_for_a_person(names: str) -> bool:
    """Whether a test of these names asks for a person."""
    return _ASKS_FOR_A_PERSON.search(names[:_LONGEST_NAMES]) is not None


def asks_for_a_lot(names: str) -> bool:
    """Whether a test of these names asks for the lot of a vaccine."""
    return _ASKS_FOR_A_LOT.search(names[:_LONGEST_NAMES]) is not None


def counts_days(names: str) -> bool:
    """Whether a test of these names asks for a day as machines count it."""
    return _COUNTED.search(_said(names)) is not None


def tells_weekday(value: str, names: str) -> bool:
    """Whether a value is a day of the week, and a test of these names asks when something was: who
    knows the date beside it as it was moved would know by how much, but for whole weeks. What
    repeats by the week, or is open on a day, stays.
    """
    if not weekday_language(value) or not asks_for_a_weekday(names):
        return False
    month = fold(value).lower().strip() in _MONTHS_TOO
    return not month or _OF_A_WEEK.search(_said(names)) is not None


def asks_for_a_weekday(names: str) -> bool:
    """Whether the answer to a test or question of these names, where it is a day of the week, says
    when something was.
    """
    said = _said(names)
    return _ASKS_FOR_A_WEEKDAY.search(said) is not None and _WEEKLY.search(said) is None


def _said(names: str) -> str:
    """What is asked in words: capitals, hyphens and the like part them as blanks do."""
    return fold(_HUMP.sub(" ", names[:_LONGEST_NAMES])).lower()


def is_user_name(value: str, names: str) -> bool:
    """Whether the answer of a test that asks for a person is a user name: one or two initials and
    a listed surname in one word (`LMOSS`).
    """
    if not asks_for_a_person(names):
        return False
    value = folded(value)
    if _USER_NAME.fullmatch(value) is None:
        return False
    letters = canonical(value.rstrip("0123456789"))
    return any(letters[initials:] in surnames() for initials in (1, 2))
