"""The labels of fields: every label that a list of the patterns knows, as one question.

A label never is an identifier by itself, whoever asks (`detect.settle.filtering.bare_labels`).
"""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_OWN = Vocabulary("field_labels")
OFFICES = _OWN.words("offices")
"""Offices that are called by who holds them ("Warden's office"), folded."""
POSTS = _OWN.words("posts")
"""Posts that stand for whoever has them ("seen by NP"), folded."""
RANKS = _OWN.words("ranks")
"""Ranks before an office ("Deputy Coroner"), folded."""
INSIDE = _OWN.words("inside")
"""Places inside a house that have a number ("Bay 2"), folded."""
KINDS_OF_HOUSES = _OWN.words("kinds_of_houses")
"""What houses and their parts are, folded."""
HOUSES_ALONE = linear(rf"(?:{_OWN['houses_alone']})")
"""Kinds of houses, payers and employers where none is named, Spanish, folded, small."""
LETTERS = _OWN.words("letters")
"""Abbreviations of three letters and more that are hardly anybody's initials, folded."""
CLINICAL = _OWN.words("clinical")
"""Labels of two letters that mean something clinical too, folded."""


_NAMES = _OWN.words("names")
_PIECES = [
    Vocabulary(subject)[name]
    for subject, names in _OWN.table("lists").items()
    for name in names.split()
]
_LABELS = linear(f"(?i)(?:{'|'.join(_PIECES)})")


def is_label(word: str) -> bool:
    """Whether a word is a label of a field in any list, and no name of an organisation there."""
    key = fold(word).lower()
    return key not in _NAMES and _LABELS.fullmatch(key) is not None
