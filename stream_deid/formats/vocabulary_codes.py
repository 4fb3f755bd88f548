"""Codes of public vocabularies that prove themselves by a check digit, where no system stands by.

SNOMED CT: 6 to 18 digits, the last by Verhoeff, the two before it the partition (00 to 05, 10 to
15); LOINC: up to six digits, a hyphen, the last by Luhn.
"""

from __future__ import annotations

import re

_SNOMED = re.compile(r"[1-9]\d{2,14}[01][0-5]\d")
_LOINC = re.compile(r"(\d{1,6})-(\d)")
_TURN = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def proves_itself(code: str) -> bool:
    """Whether a token is a code of SNOMED CT or LOINC by its form and check digit."""
    if found := _LOINC.fullmatch(code):
        return _luhn(found[1]) == int(found[2])
    return _SNOMED.fullmatch(code) is not None and _verhoeff(code) == 0


def _luhn(digits: str) -> int:
    total = 0
    for number, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 if number % 2 else 2)
        total += value // 10 + value % 10
    return -total % 10


def _verhoeff(digits: str) -> int:
    """0 where the last digit is right: the dihedral group of order ten, turned by place."""
    check = 0
    for number, digit in enumerate(reversed(digits)):
        value = int(digit)
        for _ in range(number % 8):
            value = _TURN[value]
        check = _product(check, value)
    return check


def _product(a: int, b: int) -> int:
    if a < 5:
        return (a + b) % 5 + (0 if b < 5 else 5)
    return (a - b) % 5 + (5 if b < 5 else 0)
