"""Whether an age as it is written is one of 90 and over (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import re2

THRESHOLD = 90
LONGEST_LIFE = 130

_DIGITS = re2.compile(r"\d+")
_OLD = re2.compile(
    r"(?i)\b(?:ninet(?:y|ies|ieth)|nonagenarian|centenarian|(?:a|one)[- ]hundred|hundredth|"
    r"noventa|nonagenari[oa]|centenari[oa]|cien|ciento)\b"
)


def ninety_or_over(written: str) -> bool:
    """`"94"`, `"95th"`, `"101"`, `"ninety-two"` are; `"89"`, `"18 months"`, `"4;7"` are not."""
    numbers = [int(digits) for digits in _DIGITS.findall(written) if len(digits) <= 3]
    if numbers:
        return any(THRESHOLD <= number < LONGEST_LIFE for number in numbers)
    return bool(_OLD.search(written))
