"""Numbers in words by language, and expressions of them in folded text."""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary

_LISTS = Vocabulary("numbers", "")
_LANGUAGES = ("en", "es")

UNITS = MappingProxyType({code: _LISTS.ordered(f"units_{code}") for code in _LANGUAGES})
"""From zero, as they stand before a noun: to nineteen, in Spanish to twenty-nine."""
TENS = MappingProxyType({code: _LISTS.ordered(f"tens_{code}") for code in _LANGUAGES})
"""Those that follow."""
TENS_EN = "|".join(TENS["en"])
ONES = "|".join(UNITS["en"][1:10])
TEENS = "|".join(UNITS["en"][10:])
ONES_ES = "|".join(("uno", *UNITS["es"][2:10]))
