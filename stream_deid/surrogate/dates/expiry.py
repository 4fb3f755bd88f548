"""Months in which something expires: "exp 09/27" is September 2027, no day of a September.

expiry = ("exp" | "expires" | "cad" | "caduca" | "venc" | "vence" | ...) m "/" yy, from '20 to '49
"""

from __future__ import annotations

import re

BEFORE = 16
"""Characters before it in which a word says so."""
_MONTH_OF_YEAR = re.compile(r"(0?[1-9]|1[0-2])/([2-4]\d)")
_EXPIRES = re.compile(
    r"(?i)\b(?:exp|expir(?:es|y|ation)|cad(?:uca|ucidad)?|venc(?:e|imiento)?)\b[ .:]*$"
)


def as_meant(text: str, before: str) -> str:
    """The month with its year in full; empty where a date is no such month."""
    month = _MONTH_OF_YEAR.fullmatch(text)
    return f"{month[1]}/20{month[2]}" if month and _EXPIRES.search(before) else ""
