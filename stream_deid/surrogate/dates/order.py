"""Whether the dates of a note have the day or the month first."""

from __future__ import annotations

from collections.abc import Iterable


def day_first(texts: Iterable[str], language: str) -> bool:
    """Whether day stands before month in a note: by language, unless its dates show otherwise.

    Two numbers with a dash and no year show nothing: a range of results looks alike (`12-16`).
    """
    votes = 0
    for text in texts:
        fields = text.strip().replace("-", "/").replace(".", "/").split("/")
        if "-" in text and len(fields) < 3:
            continue
        if len(fields) >= 2 and all(f.isdecimal() and len(f) <= 2 for f in fields[:2]):
            first, second = int(fields[0]), int(fields[1])
            votes += (first > 12 >= second > 0) - (second > 12 >= first > 0)
    return votes > 0 if votes else language == "es"
