"""Whether the dates of a note have the day or the month first.

stated  = yyyy ["-"] mm ["-"] dd         as messages state a day
written = n sign n sign yyyy             one sign ("/", "." or "-") in both places
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_STATED = re.compile(r"((?:18|19|20)\d\d)-?(\d\d)-?(\d\d)")
_WRITTEN = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")


def day_first(texts: Sequence[str], language: str) -> bool:
    """Whether day stands before month in a note: by language, unless its dates show otherwise,
    those that can be read one way alone, else those of a day that the message states as well.

    Two numbers with a dash and no year show nothing: a range of results looks alike (`12-16`).
    """
    votes = _by_themselves(texts) or _by_stated_days(texts)
    return votes > 0 if votes else language == "es"


def _by_themselves(texts: Iterable[str]) -> int:
    votes = 0
    for text in texts:
        fields = text.strip().replace("-", "/").replace(".", "/").split("/")
        if "-" in text and len(fields) < 3:
            continue
        if len(fields) >= 2 and all(f.isdecimal() and len(f) <= 2 for f in fields[:2]):
            first, second = int(fields[0]), int(fields[1])
            votes += (first > 12 >= second > 0) - (second > 12 >= first > 0)
    return votes


def _by_stated_days(texts: Iterable[str]) -> int:
    """`11/06/1973` beside the record's `19730611`."""
    stated = {tuple(map(int, m.groups())) for t in texts if (m := _STATED.match(t.strip()))}
    votes = 0
    for text in texts:
        if found := _WRITTEN.fullmatch(text.strip()):
            first, second, year = int(found[1]), int(found[3]), int(found[4])
            votes += ((year, second, first) in stated) - ((year, first, second) in stated)
    return votes
