"""The days that a record states, in any written form.

day = three of day, month, year in any order but with the year at an end, parted by signs
    "04 09 1951", "4|9|1951", "IV/9/1951", "Apr9,1951", "April nine 1951", "dob4/9/51"

A year of two digits counts beside a month by its name, or with one sign of dates between all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from stream_deid.budget import check
from stream_deid.detect.record.written_forms import WrittenForms, date_forms, stated_day
from stream_deid.lists.calendar import MONTHS, SHORT_MONTHS
from stream_deid.lists.numbers import DAYS, UNITS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.view import View

_PIECE = re.compile(r"[a-z]+|[0-9]+")
_SIGNS = re.compile(r"[^a-z0-9]{0,3}")
_DATED = re.compile(r"[0-9]+([-/.])[0-9]+\1[0-9]+")
_LONGEST = 32
_ROMAN = {
    word: n for n, word in enumerate(Vocabulary("dates_words", "surrogates").ordered("roman"), 1)
}
_MONTHS = {
    name: n
    for table in (MONTHS, SHORT_MONTHS)
    for code in ("en", "es")
    for n, month in enumerate(table[code], 1)
    for name in (fold(month), fold(month)[:3])
}
_WRITTEN_MONTHS = _ROMAN | _MONTHS
_FILLERS = Vocabulary("record_known").words("in_dates")
_DAYS = {fold(word): n for code in ("en", "es") for n, word in enumerate(DAYS[code], 1)} | {
    fold(word): n for code in ("en", "es") for n, word in enumerate(UNITS[code]) if n
}

Piece = tuple[int, int, str]


class StatedDays:
    """Days that are looked for all at once; a value that is no day is none."""

    __slots__ = ("_days", "_forms")

    def __init__(self, values: Iterable[str]) -> None:
        values = tuple(values)
        self._forms = WrittenForms(form for value in values for form in date_forms(value))
        days = filter(None, map(stated_day, values))
        self._days = frozenset((day.year, day.month, day.day) for day in days)

    def __len__(self) -> int:
        return len(self._days)

    def spans(self, view: View) -> Iterator[tuple[int, int]]:
        """Where one of them stands."""
        if not self._days:
            return
        yield from self._forms.spans(view)
        last: list[Piece] = []
        for run in _PIECE.finditer(view.lower):
            check()
            if run[0] in _FILLERS:
                continue
            piece = run.start(), run.end(), run[0]
            last = [*last[-2:], piece]
            if len(last) > 2 and self._is_day(view.lower, last):
                yield last[0][0], piece[1]

    def _is_day(self, text: str, pieces: Sequence[Piece]) -> bool:
        start, end = pieces[0][0], pieces[2][1]
        if end - start > _LONGEST or not _joined(text, start, end):
            return False
        words = [piece[2] for piece in pieces]
        named = any(word in _MONTHS for word in words)
        short = named or _DATED.fullmatch(text, start, end) is not None
        for year, one, other in ((words[2], *words[:2]), (words[0], *words[1:])):
            for y in _years(year, short=short):
                for month, day in ((one, other), (other, one)):
                    if (y, _number(month, _WRITTEN_MONTHS), _number(day, _DAYS)) in self._days:
                        return True
        return False


def _joined(text: str, start: int, end: int) -> bool:
    """Whether nothing but a few signs and fillers parts what stands there."""
    at = start
    for run in _PIECE.finditer(text, start, end):
        if not _SIGNS.fullmatch(text, at, run.start()):
            return False
        at = run.end()
    return True


def _years(word: str, *, short: bool) -> tuple[int, ...]:
    if not word.isdecimal() or len(word) not in (2, 4):
        return ()
    if len(word) == 4:
        return (int(word),)
    return (1900 + int(word), 2000 + int(word)) if short else ()


def _number(word: str, words: Mapping[str, int]) -> int:
    """A month or day of one or two figures, or by one of `words`; 0 for none."""
    if word.isdecimal():
        return int(word) if len(word) < 3 else 0
    return words.get(word, 0)
