"""Ordinary words that are somebody's name, where they stand as the word."""

from __future__ import annotations

import re

from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.text.capitals import amid_capitals, starts_sentence

_WORDS = Vocabulary("name_words")
_FINDING = re.compile(rf" (?:{_WORDS['findings']})\b")
_SMALL = _WORDS.words("small")
"""Listed names that in small letters are a word of findings too."""
_DONE = re.compile(rf"(?i) (?:also |likely |probably )?(?:{_WORDS['to_be_done']})\b")
_AUXILIARIES = _WORDS.words("auxiliaries")
_VERB = 24


def stands_as_word(text: str, start: int, end: int) -> bool:
    """Whether an ordinary word that is somebody's name stands as the word: in small letters in a
    (folded) text that has capitals, or with a capital before what is examined or found ("Colon
    cancer", "Mano derecha").
    """
    word = text[start:end]
    if word.islower() and word not in _SMALL and word not in ordinary():
        return False
    if word.islower():
        return amid_capitals(text, start, end)
    known = word.istitle() and word.lower() in ordinary()
    return known and _FINDING.match(text, end) is not None


def is_auxiliary(text: str, start: int, end: int) -> bool:
    """Whether a capitalised word that is a name too is the verb of a note's short sentence: "Will
    need review"; of a person it would need an ending ("Will needs review").
    """
    word = text[start:end]
    if word.lower() not in _AUXILIARIES or not word.istitle():
        return False
    return starts_sentence(text, start) and _DONE.match(text[end : end + _VERB]) is not None
