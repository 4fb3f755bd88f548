"""Nouns of kinship, English and Spanish, folded, and the words that stand among them."""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_LISTS = Vocabulary("demographics_kinship", "surrogates")

KIN = _LISTS.words("kin_en") | _LISTS.words("kin_es")
KIN_PLAIN = _LISTS.words("kin_plain")


def is_kin_noun(word: str) -> bool:
    """Whether a folded word is a noun of kinship, singular or plural."""
    key = _SMALL.sub(r"\1", word)
    return not KIN.isdisjoint({word, key, key.removesuffix("s"), key.removesuffix("es")})


_SMALL = linear(r"(?:it|ill|ic)([oa]s?)$")
"""What Spanish makes of a noun of kinship: "sobrinita", "hijillo"."""
