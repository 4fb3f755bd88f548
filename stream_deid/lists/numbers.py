"""Numbers and days of the month in words by language, and expressions of them in folded text."""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_LISTS = Vocabulary("numbers", "")
_LANGUAGES = ("en", "es")

UNITS = MappingProxyType({code: _LISTS.ordered(f"units_{code}") for code in _LANGUAGES})
"""From zero, as they stand before a noun: to nineteen, in Spanish to twenty-nine."""
TENS = MappingProxyType({code: _LISTS.ordered(f"tens_{code}") for code in _LANGUAGES})
"""Those that follow."""
HUNDREDS_ES = _LISTS.ordered("hundreds_es")
"""From two hundred."""
TENS_EN = "|".join(TENS["en"])
ONES = "|".join(UNITS["en"][1:10])
TEENS = "|".join(UNITS["en"][10:])
_ES = tuple(map(fold, UNITS["es"]))
TENS_ES = "|".join(TENS["es"])
TWO_TO_NINE_ES, TEN_TO_TWENTY_ES = "|".join(_ES[2:10]), "|".join(_ES[10:21])
ONES_ES = f"uno|{TWO_TO_NINE_ES}"
OLD_EN = (
    rf"(?:ninety(?:[- ]?(?:{ONES}))?|(?:a|one)[- ]hundred"
    rf"(?:[- ](?:and[- ])?(?:{TEENS}|twenty(?:[- ]?(?:{ONES}))?|{ONES}))?)"
)
"""Ninety to a hundred and twenty-nine, as an age is said."""
OLD_ES = (
    rf"(?:noventa(?:[ ]?[yie][ ]?(?:un[oa]?|{TWO_TO_NINE_ES}))?"
    rf"|ciento[ ](?:y[ ])?(?:veinti(?:un[oa]?|{TWO_TO_NINE_ES})|{TEN_TO_TWENTY_ES}"
    rf"|{TWO_TO_NINE_ES}|un[oa]?)|cien(?:to)?)"
)
"""The same in Spanish, folded."""

_ORDINALS, _TENTHS = _LISTS.ordered("ordinals_en"), _LISTS.ordered("tens_of_days_en")
ORDINALS_EN = "|".join(
    (rf"(?:{'|'.join(TENS['en'][:2])})[- ](?:{'|'.join(_ORDINALS[:9])})", *_ORDINALS, *_TENTHS)
)
"""Up to the thirty-ninth."""
DAYS = MappingProxyType(
    {
        "en": (
            *(*_ORDINALS, _TENTHS[0], *(f"{TENS['en'][0]}-{one}" for one in _ORDINALS[:9])),
            *(_TENTHS[1], f"{TENS['en'][1]}-{_ORDINALS[0]}"),
        ),
        "es": (
            *("primero", *UNITS["es"][2:21], "veintiuno", *UNITS["es"][22:]),
            *(TENS["es"][0], f"{TENS['es'][0]}-y-uno"),
        ),
    }
)
"""The days of a month, from the first."""
