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
    if any(one in KIN for one in (word, key)) or not key.endswith("s"):
        return word in KIN or key in KIN
    return key[:-1] in KIN or (key.endswith("es") and key[:-2] in KIN)


_SMALL = linear(r"(?:it|ill|ic)([oa]s?)$")
"""What Spanish makes of a noun of kinship: "sobrinita", "hijillo"."""
