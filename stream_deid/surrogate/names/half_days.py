"""Whether initials are those of half a day (`8:30 PM`, `this AM`, `Monday p.m.`)."""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import canonical, words

BEFORE = 26
"""Characters before it in which what tells it stands."""
_HALVES = frozenset({"am", "pm"})
_DAY_WORDS = Vocabulary("by_type", "surrogates").words("day_words")
"""Words before `AM` that make it a half of the day."""


def is_one(core: str, before: str) -> bool:
    """Whether `core` is half a day, behind `before`."""
    if canonical(core) not in _HALVES:
        return False
    before = before.rstrip()
    if before[-1:].isdecimal():
        return True
    said = words(before)
    return bool(said) and said[-1].end == len(before) and said[-1].key in _DAY_WORDS
