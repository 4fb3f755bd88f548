"""The labels of fields: every label that a list of the patterns knows, as one question.

A label never is an identifier by itself, whoever asks (`detect.settle.bare_labels`).
"""

from __future__ import annotations

from functools import cache

import re2

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_LISTS = {
    "ids_en": ("records", "plans", "accounts", "licences", "devices", "vehicles", "cases", "short"),
    "ids_es": (
        "persons", "insured", "plans", "visits", "licences", "staff", "devices", "vehicles",
        "cases", "rooms",
    ),
    "names_en": ("staff_labels", "labels", "logins"),
    "places_en": ("rooms",),
    "field_labels": ("further", "clinical"),
}  # fmt: skip
_OWN = Vocabulary("field_labels")
OFFICES = _OWN.words("offices")
"""Offices that are called by who holds them ("Warden's office"), folded."""
POSTS = _OWN.words("posts")
"""Posts that stand for whoever has them ("seen by NP"), folded."""
INSIDE = _OWN.words("inside")
"""Places inside a house that have a number ("Bay 2"), folded."""
CLINICAL = _OWN.words("clinical")
"""Labels of two letters that mean something clinical too, folded."""


@cache
def _labels() -> re2.Pattern[str]:
    pieces = [Vocabulary(subject)[name] for subject, names in _LISTS.items() for name in names]
    return re2.compile(f"(?i)(?:{'|'.join(pieces)})")


@cache
def is_label(word: str) -> bool:
    """Whether a word is a label of a field in any list, and no name of an organisation there."""
    key = fold(word).lower()
    return key not in _OWN.words("names") and _labels().fullmatch(key) is not None
