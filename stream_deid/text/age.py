"""Ages: at a day, and whether one as written is of 90 and over (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

from datetime import date
from types import MappingProxyType

from stream_deid.text.linear import linear

THRESHOLD = 90
LONGEST_LIFE = 130

_DIGITS = linear(r"\d+")
_OLD = linear(
    r"(?i)\b(?:ninet(?:y|ies|ieth)|nonagenarian|centenarian|(?:a|one)[- ]hundred|hundredth|"
    r"noventa|nonagenari[oa]|centenari[oa]|cien|ciento)\b"
)


_ROMAN = tuple(zip((100, 90, 10, 9, 5, 4, 1), ("C", "XC", "X", "IX", "V", "IV", "I"), strict=True))


def in_roman(number: int) -> str:
    made = ""
    for value, letters in _ROMAN:
        made += letters * (number // value)
        number %= value
    return made


ROMAN_AGES = MappingProxyType({in_roman(n): n for n in range(THRESHOLD, LONGEST_LIFE) if n != 100})
"""Ages of ninety and over in Roman figures; a C by itself is a letter."""


def age_on(born: date, day: date) -> int:
    """The whole years from a birth to a day."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def ninety_or_over(written: str) -> bool:
    """`"94"`, `"95th"`, `"101"`, `"ninety-two"` are; `"89"`, `"18 months"`, `"4;7"` are not."""
    numbers = [int(digits) for digits in _DIGITS.findall(written) if len(digits) <= 3]
    if numbers:
        return any(THRESHOLD <= number < LONGEST_LIFE for number in numbers)
    return bool(_OLD.search(written))


def age_label(label: str, written: str) -> str:
    """English ages by their number, whatever says that they are one: of 90 and over `AGE`, which
    is an identifier, others `AGE_U90`; any other label as it is.
    """
    if label in ("AGE", "AGE_U90"):
        return "AGE" if ninety_or_over(written) else "AGE_U90"
    return label
