"""Words beside names that models take for names where they stand alone.

title   = TITLE ["."] Name                           "Sr. Toro", of which "Sr" alone was marked
day     = ("los" | "on" | ...) day | short day hour  "los domingos", "mtg Thur 1400"
said    = "comma" | "punto" | ...                    signs in a dictation
service = "llamo a nefro", "renal aware"             in small letters
answer  = ":" "k" ("." | "," | end)                  in a chat
normal  = word "nl"                                  "labs nl."
"""

from __future__ import annotations

import re2

from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.calendar import WRITTEN_WEEKDAYS
from stream_deid.lists.known_words import SAID
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import folded

_WORDS = Vocabulary("no_person")
_TYPES = PERSONS | {PhiType.RELATIVE}
_NEARBY = 24
_SHORT = 5
_TITLES = _WORDS.words("titles")
_SERVICES = _WORDS.words("services")
_ANSWERS = _WORDS.words("answers")
_NORMAL = _WORDS.words("normal")
_NAME_AFTER = re2.compile(r"^\.?[ \t]+[A-Z]")
_DAY = re2.compile(rf"(?:{WRITTEN_WEEKDAYS['en']}|{WRITTEN_WEEKDAYS['es']})s?")
_BEFORE_DAY = re2.compile(rf"(?i)\b(?:{_WORDS['before_day']})[ ]$")
_HOUR = re2.compile(r"^\.?,?[ ](?:at |@ ?|a las )?(?:[01]\d|2[0-3])(?:[:.]?[0-5]\d)\b")
_SAID_BEFORE = re2.compile(r": ?$")
_CLOSED = re2.compile(r"^[ ]?(?:[.,;!)\n]|$)")
_LOOKED_AT = re2.compile(r"\pL{2,} $")


def no_person(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span of a person is a word that stands beside names or where they do."""
    if phi_type not in _TYPES or end - start > _LONGEST:
        return False
    written = folded(text[start:end]).strip(".")
    word = written.lower()
    before, after = folded(text[max(0, start - _NEARBY) : start]), folded(text[end : end + _NEARBY])
    if word in _TITLES:
        return _NAME_AFTER.match(after) is not None
    if _DAY.fullmatch(word):
        return _is_day(written, before, after)
    if not written.islower():
        return False
    return (
        word in SAID
        or word in _SERVICES
        or (word in _ANSWERS and bool(_SAID_BEFORE.search(before) and _CLOSED.match(after)))
        or (word in _NORMAL and bool(_LOOKED_AT.search(before) and _CLOSED.match(after)))
    )


_LONGEST = 16


def _is_day(written: str, before: str, after: str) -> bool:
    """A day of the week: in small letters or short behind a word of time, short before an hour."""
    short = len(written.strip(".")) <= _SHORT
    if short and _HOUR.match(after):
        return True
    return (short or written.islower()) and _BEFORE_DAY.search(before) is not None
