"""Which words of an organisation's name are letters (`NGH`, `UCSF`) and become other letters.

A name in capitals (`MAPLE` in a header) is the name that the text writes `Maple`, so capitals alone
make no letters of what can be said, or is a listed name.
"""

from __future__ import annotations

from stream_deid.lists.lexicon import load_names, load_places
from stream_deid.surrogate.names.initials import can_be_said
from stream_deid.text.canonical import Word

_LONGEST_SPANISH = 7
_SHORTEST, _LONGEST, _LONGEST_ALONE = 2, 6, 5
_LONGEST_SPELT = 4  # letters that no word begins with ("PSJA")
_SHORTEST_SMALL = 3
_VOWELS = frozenset("aeiou")


def are(word: Word, *, alone: bool) -> bool:
    """Whether a word is letters: without a vowel, or in capitals and `alone` in a name."""
    size = len(word.key)
    if not _SHORTEST <= size <= _LONGEST or _is_listed(word.key):
        return False
    if not set(word.key) & _VOWELS:
        small = size >= _SHORTEST_SMALL and "y" not in word.key
        return word.text.isupper() or small
    if word.text.isupper() and size <= _LONGEST_SPELT and not can_be_said(word.key):
        return True
    as_word = size == _LONGEST_ALONE and can_be_said(word.key)
    return alone and word.text.isupper() and size <= _LONGEST_ALONE and not as_word


def is_spanish(text: str, word: Word) -> bool:
    """Whether a word in capitals is letters: one that touches a digit, or among other words where
    it is no word ("CEMEX Norte" is "Cemex Norte").
    """
    if not word.text.isupper() or len(word.key) > _LONGEST_SPANISH:
        return False
    touching = text[: word.start][-1:].isdecimal() or text[word.end :][:1].isdecimal()
    as_word = len(word.key) >= _LONGEST_ALONE and can_be_said(word.key)
    return touching or (len(word.key) > 1 and not text.isupper() and not as_word)


def _is_listed(key: str) -> bool:
    """Whether a word is a listed name of a person or a town, in capitals too."""
    return key in load_places().named or bool(load_names().label(key))


def ends_number(text: str, word: Word) -> bool:
    """Whether a word is the ending of the ordinal before it (`509th`)."""
    return word.key in {"st", "nd", "rd", "th"} and text[: word.start][-1:].isdecimal()
