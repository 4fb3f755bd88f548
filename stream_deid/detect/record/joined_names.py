"""A person's name joined in one word, as user names, folders and hashtags have it.

joined = initial family | family initial | given family | family given | title family

A short one may be a word ("thanks" of T. Hanks): it counts only where it stands as in an address.

login  = initial short | short initial | given short | short given | given initial, and digits

Of a surname of two to four letters ("Li") that is all that tells ("ALI2"), so digits have to follow
that make no clinical code with it ("SPO2"), or a word has to say that it is a user.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from stream_deid.lists.known_words import COMMON
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_CODES = Vocabulary("record_known").words("lettered_codes")
_FOLLOWING = linear(r"\d{1,4}\b")
_LEAST = 3
_TITLES = sorted(affixes("joined"))
_LONG = 5  # letters of the part that tells who it is
_NO_WORD = 9
_BEFORE, _BEHIND = frozenset("@#\\_~"), frozenset("@_\\")
_NAMED = linear(
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


def logins(parts: Sequence[str]) -> Iterator[str]:
    """The forms of a name with a short part (small letters) that are somebody's before digits."""
    for first, other in itertools.permutations(parts[:_PARTS], 2):
        if len(other) >= _LONG:
            continue
        forms = (first[0] + other, other + first[0], first + other, other + first, first + other[0])
        yield from (form for form in forms if len(form) >= _LEAST and form not in COMMON)


def login_at(text: str, start: int, end: int) -> int:
    """Where the login ends whose letters stand at `[start, end)`; 0 where they are none."""
    if text[start - 1 : start].isalnum():
        return 0
    digits = _FOLLOWING.match(text, end)
    if digits is None:
        return end if _NAMED.search(text[max(0, start - 24) : start]) else 0
    return 0 if text[start : digits.end()].lower() in _CODES else digits.end()


def is_address(text: str, start: int, end: int) -> bool:
    """Whether a joined name is too long for a word, or stands where a user is named."""
    return (
        end - start >= _NO_WORD
        or text[start - 1 : start] in _BEFORE
        or text[end : end + 1] in _BEHIND
        or text[end : end + 1].isdecimal()
        or _NAMED.search(text[max(0, start - 24) : start]) is not None
    )
