"""Nouns of kinship, and the neutral words that they become."""

from __future__ import annotations

from stream_deid.lists.kin import KIN, KIN_PLAIN, is_kin_noun
from stream_deid.text.canonical import Word, first_like, like_case, words


def is_kin(word: Word) -> bool:
    """Whether a word is a noun of kinship, singular or plural."""
    return is_kin_noun(word.key)


def is_kin_phrase(text: str) -> bool:
    """Whether a RELATIVE span holds kinship only, no name."""
    tokens = words(text)
    return any(is_kin(w) for w in tokens) and all(is_kin(w) or w.key in KIN_PLAIN for w in tokens)


def kin_noun(word: Word, language: str) -> str:
    """The neutral word for a noun of kinship, with its number and case."""
    key = word.key
    plural = key.endswith("s") and key not in KIN
    noun = "familiar" if language == "es" else "relative"
    if key in {"familiar", "relative"}:
        noun = "allegado" if language == "es" else "family member"
    if plural:
        noun += "es" if noun.endswith("r") else "s"
    return like_case(word.text, first_like(word.text, noun))
