"""Amounts of money, which tell nobody.

money = ("bill" | "paid" | "fee" | ...) ["of" | "is" | ":"] [currency] n     "bill 6500, paid 4000"
      | currency n | n currency                                       "Rs 6500", "850 USD"

A number behind "no" or "#" is the bill's.
"""

from __future__ import annotations

from stream_deid.detect.quantities.number import Number
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_WORDS = Vocabulary("money")
_CURRENCY = rf"(?:(?i:{_WORDS['currencies']})\.?|[$€£₹₦])"
_BEFORE = linear(
    rf"(?:(?i:(?:^|[^\pL])(?:{_WORDS['paid']})(?: (?:of|is|was|for))?[ :=]{{1,2}}){_CURRENCY}?[ ]?"
    rf"|(?:^|[^\pL]){_CURRENCY}[ ]?)$"
)
_AFTER = linear(rf"^[ ]?{_CURRENCY}(?:[^\pL]|$)")
_AMOUNT = linear(r"\d{2,5}(?:[.,]\d{2,3}){0,2}(?:/-)?")


def is_money(number: Number) -> bool:
    """Whether a number is an amount of money."""
    if _AMOUNT.fullmatch(number.core) is None:
        return False
    return _BEFORE.search(number.before) is not None or _AFTER.match(number.rest) is not None
