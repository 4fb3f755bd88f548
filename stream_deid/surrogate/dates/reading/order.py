"""Whether the dates of a note have the day or the month first.

stated  = yyyy ["-"] mm ["-"] dd         as messages state a day
named   = n ["of" | "de"] MONTH [yyyy]    "5 Feb 2025"
written = n sign n sign yyyy             one sign ("/", "." or "-") in both places
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from stream_deid.surrogate.dates.reading.words import month_of
from stream_deid.text.folding import fold

_STATED = re.compile(r"((?:18|19|20)\d\d)-?(\d\d)-?(\d\d)")
_YEAR = r"(?:,? \d{4})?"
_DAY_NAMED = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ([A-Za-z]{{3,9}})\.?{_YEAR}")
_NAMED_DAY = re.compile(rf"([A-Za-z]{{3,9}})\.? (\d{{1,2}})(?:st|nd|rd|th)?{_YEAR}")
_WRITTEN = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})")


def day_first(texts: Sequence[str], language: str) -> bool:
    """Whether day stands before month in a note: by language, unless its dates show otherwise,
    whole ones that can be read one way alone, else those of a day that an English note states by
    the name of its month as well, days without a year that can be read one way, those of a day
    that the message states. How a note writes days with names of months tells nothing: Americans
    write "5 Feb 2025" as well.

    Two numbers with a dash and no year show nothing: a range of results looks alike (`12-16`). Nor
    does `12/21` where the day stands first by language: it is a month and a year there.
    """
    by_language = language == "es"
    fields = [text.strip().replace("-", "/").replace(".", "/").split("/") for text in texts]
    whole = [f for f in fields if len(f) > 2]
    short = [f for f, text in zip(fields, texts, strict=True) if len(f) == 2 and "-" not in text]
    days = [f for f in short if not (by_language and _vote(f) < 0)]
    votes = (
        sum(map(_vote, whole))
        or (0 if by_language else _by_named_days(texts, [*whole, *short]))
        or sum(map(_vote, days))
        or _by_stated_days(texts)
    )
    return votes > 0 if votes else by_language


def _by_named_days(texts: Iterable[str], fields: Iterable[Sequence[str]]) -> int:
    """`5/2` beside `5 Feb 2025`."""
    days = {(day, month) for day, month in _named(texts) if day != month}
    return sum((f in days) - (f[::-1] in days) for f in _numbers(fields))


def _numbers(fields: Iterable[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """The first two figures of dates."""
    for first, second in (f[:2] for f in fields):
        if first.isdecimal() and second.isdecimal():
            yield int(first), int(second)


def _named(texts: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Day and month of dates with the name of the month."""
    for text in texts:
        first, then = _DAY_NAMED.fullmatch(text.strip()), _NAMED_DAY.fullmatch(text.strip())
        if found := first or then:
            day, name = (found[1], found[2]) if first else (found[2], found[1])
            if month := month_of(fold(name), "en"):
                yield int(day), month[0]


def _vote(fields: Sequence[str]) -> int:
    """1 where the first of a date's fields can only be a day, -1 where the second can only be."""
    if not all(f.isdecimal() and len(f) <= 2 for f in fields[:2]):
        return 0
    first, second = int(fields[0]), int(fields[1])
    return (first > 12 >= second > 0) - (second > 12 >= first > 0)


def _by_stated_days(texts: Iterable[str]) -> int:
    """`11/06/1973` beside the record's `19730611`."""
    stated = {tuple(map(int, m.groups())) for t in texts if (m := _STATED.match(t.strip()))}
    votes = 0
    for text in texts:
        if found := _WRITTEN.fullmatch(text.strip()):
            first, second, year = int(found[1]), int(found[3]), int(found[4])
            votes += ((year, second, first) in stated) - ((year, first, second) in stated)
    return votes
