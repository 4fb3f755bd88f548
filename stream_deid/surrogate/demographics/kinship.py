"""Nouns of kinship, and the neutral words that they become."""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import Word, first_like, like_case, words
from stream_deid.text.linear import linear

_LISTS = Vocabulary("demographics_kinship", "surrogates")

_KIN_EN = _LISTS.words("kin_en")
_KIN_ES = _LISTS.words("kin_es")
_KIN = _KIN_EN | _KIN_ES
_KIN_PLAIN = _LISTS.words("kin_plain")


def is_kin(word: Word) -> bool:
    """Whether a word is a noun of kinship, singular or plural."""
    key = _SMALL.sub(r"\1", word.key)
    if any(one in _KIN for one in (word.key, key)) or not key.endswith("s"):
        return word.key in _KIN or key in _KIN
    return key[:-1] in _KIN or (key.endswith("es") and key[:-2] in _KIN)


_SMALL = linear(r"(?:it|ill|ic)([oa]s?)$")
"""What Spanish makes of a noun of kinship: "sobrinita", "hijillo"."""


def is_kin_phrase(text: str) -> bool:
    """Whether a RELATIVE span holds kinship only, no name."""
    tokens = words(text)
    return any(is_kin(w) for w in tokens) and all(is_kin(w) or w.key in _KIN_PLAIN for w in tokens)


def kin_noun(word: Word, language: str) -> str:
    """The neutral word for a noun of kinship, with its number and case."""
    key = word.key
    plural = key.endswith("s") and key not in _KIN
    noun = "familiar" if language == "es" else "relative"
    if key in {"familiar", "relative"}:
        noun = "allegado" if language == "es" else "family member"
    if plural:
        noun += "es" if noun.endswith("r") else "s"
    return like_case(word.text, first_like(word.text, noun))
