"""Words that a scan broke with blanks: what a model takes for a name is a piece of a word.

broken = piece " " piece      together a word, neither alone: "Alm uerzo", "Ap ellido", "M édico"
"""

from __future__ import annotations

import re

from stream_deid.lists.field_labels import is_label
from stream_deid.lists.kin import is_kin_noun
from stream_deid.lists.name_words import is_word
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_WORDS = re.compile(r"[^\W\d_]+(?:[ ][^\W\d_]+){0,2}")
_PIECE_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,8})[ ]\Z")
_PIECE_AFTER = re.compile(r"[ ]([a-zà-ÿ]{1,10})(?![^\W\d_])")
_LITTLE = Vocabulary("no_person").words("little")
_HEADINGS = Vocabulary("name_words").words("broken")
_LEAST, _NEAR, _SHORT = 4, 12, 2


def is_broken(text: str, start: int, end: int) -> bool:
    """Whether a span is a word in pieces, or a piece of one that goes on beside it."""
    value = text[start:end]
    if _WORDS.fullmatch(value) is None:
        return False
    pieces = value.split(" ")
    if len(pieces) > 1 and _one_word(pieces):
        return True
    after = _PIECE_AFTER.match(text, end, min(len(text), end + _NEAR))
    before = _PIECE_BEFORE.search(text, max(0, start - _NEAR), start)
    goes_on = after is not None and _one_word([*pieces, after[1]])
    return goes_on or (before is not None and value.islower() and _one_word([before[1], *pieces]))


def _one_word(pieces: list[str]) -> bool:
    """Whether pieces are none by themselves and together a word that nobody is called by."""
    low = [fold(piece).lower() for piece in pieces]
    joined = "".join(low)
    if len(joined) < _LEAST or any(map(_known, low)) or not all(p.islower() for p in pieces[1:]):
        return False
    return _known(joined) and not is_listed_name(joined)


def _known(word: str) -> bool:
    if len(word) <= _SHORT:
        return word in _LITTLE
    return (
        word in _HEADINGS or is_word(word) or is_term(word) or is_label(word) or is_kin_noun(word)
    )
