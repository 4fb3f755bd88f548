"""Results of a few words: a score, a titre, an organism, in whatever format they come.

A short value is no note: what models hardly believe isn't replaced there (`detect/settle/certain`).
What a test asks for (`data/asked.toml`) says where that would be wrong: one that asks for a date
has a date, one that asks for a person or an institution a name.
"""

from __future__ import annotations

import re

from stream_deid.lists.people import surnames
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import folded

FEW_WORDS = 9
"""A value of more is a sentence."""
_ASKED = Vocabulary("asked", folder="", package=__package__)
_KINDS = ("dates", "persons", "institutions")
_ASKS_FOR_MORE = re.compile(rf"(?i)\b(?:{'|'.join(_ASKED[kind] for kind in _KINDS)})\b")
_ASKS_FOR_A_DATE = re.compile(rf"(?i)\b(?:{_ASKED['dates']})\b")
_ASKS_FOR_A_PERSON = re.compile(rf"(?i)\b(?:{_ASKED['persons']})\b")
_USER_NAME = re.compile(r"([A-Z])[A-Z]?([A-Z]{4,14})\d{0,3}|([a-z])[a-z]?([a-z]{4,14})\d{0,3}")
_LONGEST_NAMES = 300
"""Of what is asked no more is looked at."""


def few_words(value: str) -> bool:
    """Whether a value may be a result: one line of a few words."""
    return "\n" not in value.strip() and len(value.split()) <= FEW_WORDS


def asks_for_more(names: str) -> bool:
    """Whether a test of these names asks for a date, a person or an institution."""
    return _ASKS_FOR_MORE.search(names[:_LONGEST_NAMES]) is not None


def asks_for_a_date(names: str) -> bool:
    """Whether a test of these names asks for a date: `2/14` is one there."""
    return _ASKS_FOR_A_DATE.search(names[:_LONGEST_NAMES]) is not None


def is_user_name(value: str, names: str) -> bool:
    """Whether the answer of a test that asks for a person is a user name: one or two initials and
    a listed surname in one word (`LMOSS`).
    """
    if not _ASKS_FOR_A_PERSON.search(names[:_LONGEST_NAMES]):
        return False
    value = folded(value)
    if _USER_NAME.fullmatch(value) is None:
        return False
    letters = canonical(value.rstrip("0123456789"))
    return any(letters[initials:] in surnames() for initials in (1, 2))
