"""Whole dates of three fields: between other characters, and with other signs between the fields.

`8/28/25-10/26/25`; `4,9,1951`, `04:09:1951`, `4|9|1951`, `1951年4月9日`

whole = n "/" n "/" ([century] yy), no figure or stroke on either side, a day and a month in it
"""

from __future__ import annotations

import re

from stream_deid.text.days import day_month

_DATE = re.compile(r"(?a)(?<![\d/])(\d{1,2})/(\d{1,2})/((?:19|20)?\d\d)(?![\d/])")

_SIGN = r"[ ]?[^\w\s/.-][ ]?"
_OF_DAY = r"[ ]?[^\W\d_a-zA-Z][ ]?"  # the words for year, month and day of East Asia
_OTHER = re.compile(
    rf"(\d{{1,2}})({_SIGN})(\d{{1,2}})(\2)(\d{{4}})"
    rf"|(\d{{4}})({_SIGN})(\d{{1,2}})(\7)(\d{{1,2}})"
    rf"|(\d{{4}})({_OF_DAY})(\d{{1,2}})({_OF_DAY})(\d{{1,2}})(?:{_OF_DAY})?"
)


def with_strokes(text: str) -> str:
    """A whole date with a year of four figures and any other sign between all of its fields, with
    strokes in their places; other texts as they are.
    """
    found = _OTHER.fullmatch(text)
    if found is None:
        return text
    first, sign, second, other, third = (part for part in found.groups() if part is not None)
    made = f"{first}{_stroke(sign)}{second}{_stroke(other)}{third}"
    return made.ljust(len(text))


def _stroke(sign: str) -> str:
    return "/" + " " * (len(sign) - 1)


def dates(text: str) -> list[tuple[int, int]]:
    """Where the whole dates of a text stand, in either order of day and month."""
    return [
        found.span() for found in _DATE.finditer(text) if day_month(int(found[1]), int(found[2]))
    ]
