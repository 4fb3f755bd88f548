"""A person's name joined in one word, as user names, folders and hashtags have it.

joined = initial family | family initial | given family | family given | title family

A short one may be a word ("thanks" of T. Hanks): it counts only where it stands as in an address.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import re2

from stream_deid.lists.known_words import COMMON
from stream_deid.lists.titles import affixes

_TITLES = sorted(affixes("joined"))
_LONG = 5  # letters of the part that tells who it is
_NO_WORD = 9
_BEFORE, _BEHIND = frozenset("@#\\_~"), frozenset("@_\\")
_NAMED = re2.compile(
    r"(?i)\b(?:user(?:[ _]?(?:name|id))?|usuario|login|logon|account|cuenta|handle)"
    r"[ \t]*(?:[:=#][ \t]*)?$"
)
_PARTS = 6  # of a name at most, so that a record of thousands of words has no millions of pairs


def joined(parts: Sequence[str]) -> Iterator[str]:
    """The joined forms of a name's parts (small letters) that are no common words."""
    for part in parts[:_PARTS]:
        if len(part) >= _LONG and part not in COMMON:
            yield from (title + part for title in _TITLES)
    for first, other in itertools.permutations(parts[:_PARTS], 2):
        if len(other) < _LONG:
            continue
        for form in (first[0] + other, other + first[0], first + other, other + first):
            if form not in COMMON:
                yield form


def is_address(text: str, start: int, end: int) -> bool:
    """Whether a joined name is too long for a word, or stands where a user is named."""
    return (
        end - start >= _NO_WORD
        or text[start - 1 : start] in _BEFORE
        or text[end : end + 1] in _BEHIND
        or text[end : end + 1].isdecimal()
        or _NAMED.search(text[max(0, start - 24) : start]) is not None
    )
