"""Which words of a name are initials.

One letter is. Two to four capitals are where no vowel is among them or nothing stands beside
them (`JS`, `AK`); listed names never are (`LEE`), nor, alone, what can be said in four letters
(`VOSS`), nor those of the census in three (`POE`), but for staff, who sign so. Small letters
without a vowel are too (`tjw`). Small letters with a vowel that stand alone may be initials or a
short name, and each is replaced by its like:

| letters | staff | others |
|---|---|---|
| two, a listed surname (`wu`, `ng`) | name | name |
| two, listed otherwise (`al`, `bo`) | initials | name |
| two, not listed, consonant and vowel (`jo`) | initials | name |
| two, not listed, else (`ak`) | initials | initials |
| three, not listed, not a syllable (`cjo`, `ems`) | initials | name |
| three, else; four | name | name |

Staff sign with initials; patients and relatives are called by names. A word that the note writes
as a name elsewhere ("Jo Hansen") is that name everywhere (`people`).
"""

from __future__ import annotations

import re

from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.text.canonical import Word

_LONGEST = 4
_VOWELS = frozenset("aeiouy")
_SYLLABLES = frozenset({"cvc", "cvv", "vcv", "vvc"})
_UNSAID = re.compile(r"[^aeiouy]{3}|^[^aeiouy]{2}(?<![^aeiouy][rlhw])")


def are_initials(word: Word, *, alone: bool, staff: bool = False) -> bool:
    """Whether `word` is initials; `alone`: no other word of a name beside it, `staff`: in a
    DOCTOR span.
    """
    key, text = word.key, word.text
    if len(key) == 1:
        return True
    if not (2 <= len(key) <= _LONGEST and text.isascii()):
        return False
    if text.islower() and alone and staff and len(key) == 2:
        return not load_names().label(key).startswith(("family", "both"))
    if key in load_names():
        return False
    vowels = not _VOWELS.isdisjoint(key)
    if text.isupper():
        return not vowels or (alone and not _capital_name(key, staff=staff))
    return text.islower() and (not vowels or (alone and _small_initials(key, staff=staff)))


def can_be_said(key: str) -> bool:
    """Whether letters can be said as a word: no two of no word at the beginning, never three."""
    return _UNSAID.search(key) is None


def _capital_name(key: str, *, staff: bool) -> bool:
    """Whether capitals with a vowel, alone and in no list of names, are a name."""
    census = load_census()
    listed = key in census.family or key in census.sex
    if len(key) == _LONGEST:
        return listed or can_be_said(key)
    return listed and len(key) > 2 and not staff


def _small_initials(key: str, *, staff: bool) -> bool:
    """Whether small letters with a vowel, not listed as a name, are initials."""
    shape = "".join("v" if c in _VOWELS else "c" for c in key)
    if len(key) == 2:
        return staff or shape != "cv"
    return len(key) == 3 and staff and shape not in _SYLLABLES
