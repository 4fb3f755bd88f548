"""Letters with full stops beside organisations that name nobody: forms of companies, titles."""

from __future__ import annotations

import re

from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.places.street_names import ARTICLES
from stream_deid.text.canonical import last_key, words

SHORT = Vocabulary("organizations_rename", "surrogates").words("short")
"""Forms of companies, `C.S.` (centro de salud); folded, without full stops."""
_FORM = re.compile(r"(?<=\w),? S\. ?[ALC]\.(?: ?[UL]\.)?$")
_DOTTED = re.compile(r"(?:[A-Z]\. ?){2,4}")
_CITIZENS = affixes("citizen", "title")


def at_end(text: str) -> re.Match[str] | None:
    """The form of a company at the end of its name."""
    return _FORM.search(text)


def is_form(text: str) -> bool:
    """Whether a whole value is the form of a company, with full stops (`S.C.L.`)."""
    if _DOTTED.fullmatch(text) is None:
        return False
    return "".join(word.key for word in words(text)) in SHORT


def is_citizen(text: str, before: str, language: str) -> bool:
    """Whether a letter is the title of a citizen in Spanish (`el C. José Soto`)."""
    alone = language == "es" and len(text) == len("C.") and text.endswith(".")
    return alone and text[0].lower() in _CITIZENS and last_key(before) in ARTICLES
