"""Whole dates of three fields between other characters: `8/28/25-10/26/25`.

whole = n "/" n "/" ([century] yy), no figure or stroke on either side, a day and a month in it
"""

from __future__ import annotations

import re

from stream_deid.text.days import day_month

_DATE = re.compile(r"(?a)(?<![\d/])(\d{1,2})/(\d{1,2})/((?:19|20)?\d\d)(?![\d/])")


def dates(text: str) -> list[tuple[int, int]]:
    """Where the whole dates of a text stand, in either order of day and month."""
    return [
        found.span() for found in _DATE.finditer(text) if day_month(int(found[1]), int(found[2]))
    ]
