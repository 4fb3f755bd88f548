"""Parts of a year or of a month: `Q3 2020`, `primer trimestre`, `1st half of May`, `late '19`.

A part is read as (which, of how many) with the year or month that it is a part of, moves by its
middle day, and is written back as the part in which the moved day lies: digits as digits, words
as words. `early`, `mid` and `late` (`principios`, `mediados`, `finales`) are thirds of a year, or
of the month beside them. Decades (`late 1980s`) say less than a year and are left to
`dates.reading.read`.

part   = ordinal ("quarter" | "half" | "week" | "trimestre" | "quincena" | ...)   "2nd half"
       | ("quarter" | "trimestre" | ...) n                                        "trimestre 3"
       | "Q" n | n "Q" | "T" n | n "T" | "H" n | n "H" | "S" n | n "S"            "Q3", "2T", "1H"
       | ("early" | "mid" | "principios" | "finales" | ...)
date   = part [of] [month] [["FY"] year] | n "Q" yy | "Q" n yy                           "3Q20"
decade = n "'s" | "anos" | "decada" | "los" n, which is left
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

from stream_deid.lists.numbers import DAYS
from stream_deid.surrogate.dates.reading import words as cal
from stream_deid.surrogate.dates.reading.items import DateItem, items_of
from stream_deid.surrogate.dates.reading.slots import DateReading, Slot, full_year, is_valid
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LAST = -1
_MONTHS = 12
_MIDDLES = {2: (8, 23), 3: (5, 15, 25), 5: (4, 11, 18, 25, 28)}
"""The middle days of the halves, thirds and weeks of a month."""
_NO_LETTERS = frozenset("0123456789/.-: ")
_OF_YEAR = {
    "quarter": 4, "trimestre": 4, "trim": 4, "half": 2, "mitad": 2, "semestre": 2,
    "cuatrimestre": 3, "bimestre": 6,
}  # fmt: skip
_OF_MONTH = {"half": 2, "mitad": 2, "quincena": 2, "week": 5, "semana": 5}
_ENGLISH = linear(
    r"(?i)\b(first|second|third|fourth|fifth|last|1st|2nd|3rd|[45]th)[ -](quarter|half|week)\b"
)
_SPANISH = linear(
    r"(?i)(?:^|[^\pL\d])(primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|[uú]ltim[oa]"
    r"|[1-6]\s?(?:º|ª|°|er|r[oa]|d[oa]|t[oa]|o|a)|[1-6]\.\s?[ºª]|iii?|i|iv|vi?)"
    r"\.?\s+(trimestre|trim|semestre|cuatrimestre|bimestre|mitad|quincena|semana)\b\.?"
)
_NUMBERED = linear(
    r"(?i)\b(trimestre|semestre|cuatrimestre|bimestre|quarter)\s+([1-6]|iii?|i|iv|vi?)\b"
)
_CODES = (
    (linear(r"(?i)\b(?:q([1-4])|([1-4])q|([1-4])t|t([1-4]))(?:\b|_)"), 4),
    (linear(r"\b(?:H([12])|([12])H|S([12])|([12])S)\b"), 2),
)
_FISCAL = re.compile(r"\bFY(?=[ ']?\d)")  # a year of accounts
_GLUED_YEAR = linear(r"(?i)\b(?:([1-4])q|q([1-4])|([1-4])t)(\d{2})\b")  # 3Q20
_DECADE = linear(r"(?i)\d['’]?s\b|\b(?:a[ñn]os|d[eé]cada)\b|\blos\s+\d")
_YEAR_WORD = frozenset({"year", "ano"})
_EDGES = (
    ("early", "mid", "late"), ("beginning", "middle", "end"), ("start", "middle", "end"),
    ("principios", "mediados", "finales"), ("inicios", "mediados", "finales"),
    ("comienzos", "mediados", "finales"), ("principio", "mediados", "final"),
    ("inicio", "mediados", "final"), ("primeros", "mediados", "últimos"),
    ("principios", "mediados", "fines"), ("principios", "mediados", "fin"),
)  # fmt: skip
_EDGE = {fold(word): (i, k) for i, row in reversed(list(enumerate(_EDGES)))
         for k, word in enumerate(row, 1)}  # fmt: skip
_ORDINALS = {
    "en": DAYS["en"][:6],
    "es": ("primer", "segund", "tercer", "cuart", "quint", "sext"),
}


_GATE = re.compile("(?i)" + "|".join(sorted({*_OF_YEAR, *_OF_MONTH, *chain(*_EDGES), *_EDGE}))
                    + "|[qths][1-4]|[1-4][qths]")  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Found:
    """A part in a text: its stretch, the slot of its number, how many a year or month has.

    `alone`: it may stand without its year.
    """

    start: int
    end: int
    slot: Slot
    of_year: int | None
    of_month: int | None
    alone: bool = True


def read_part(text: str, language: str, pivot: int) -> list[DateReading] | None:
    """The one part of a year or month that `text` states, or None where it states none.

    `pivot` is the last year that two digits can mean.
    """
    bare = _NO_LETTERS.issuperset(text) or not _GATE.search(text)
    found = None if bare else next(_found(text), None)
    if found is None:
        return None
    rest = text[: found.start] + " " * (found.end - found.start) + text[found.end :]
    items = _rest(rest, language)
    if items is None or next(_found(rest), None) is not None:
        return None
    month = next((item for item in items if item.kind == "M"), None)
    year = next((item for item in items if item.kind != "M"), None)
    of = found.of_month if month is not None else found.of_year
    told = found.alone or month is not None or year is not None or _says_year(rest)
    if of is None or not told:
        return None
    reading = _reading(found.slot, of, month, year, pivot)
    return [reading] if is_valid(reading) else None


def narrows(text: str) -> bool:
    """Whether `text` may state a part of a year, and so more than the year that is read in it."""
    return any(w.key in _EDGE for w in words(text)) and not _DECADE.search(text)


def middle(year: int, month: int | None, part: tuple[int, int]) -> date:
    """The middle day of part (which, of how many) of a year or month; a week one of 5 or 52."""
    which, of = part
    if of > _MONTHS:
        return date.fromisocalendar(year, which, 4)
    if month is not None:
        return date(year, month, _MIDDLES[of][which - 1])
    size = _MONTHS // of
    first = size * (which - 1) + size // 2 + 1
    return date(year, first, 15 if size % 2 else 1)


def part_of(day: date, of: int, *, month: bool) -> int:
    """Which of `of` parts of its month or year a day lies in; the fifth week counts as fourth."""
    if not month:
        return (day.month - 1) // (_MONTHS // of) + 1
    if of == 2:
        return 1 + (day.day > 15)
    return min((day.day - 1) // 10 + 1, 3) if of == 3 else min((day.day - 1) // 7 + 1, 4)


def last_part(of: int) -> int:
    """The number of the last of `of` parts; the last week of a month is the fourth."""
    return 4 if of == 5 else of


def edge(raw: str, which: int) -> str:
    """`early`, `mid` or `late` (1 to 3) in the words of `raw`, lower case."""
    return _EDGES[_EDGE[fold(raw)][0]][which - 1]


def ordinal(raw: str, which: int, language: str) -> str:
    """A number of a part in words, in the gender and shortness of `raw`, lower case."""
    made = _ORDINALS[language][which - 1]
    if language == "en":
        return made
    feminine = fold(raw).endswith("a")
    short = which in {1, 3} and not feminine
    return made if short else made + ("a" if feminine else "o")


def _found(text: str) -> Iterator[_Found]:
    """The parts that a text names, with their numbers as slots."""
    return chain(_ordinals(text), _codes(text), _edges(text))


def _ordinals(text: str) -> Iterator[_Found]:
    for pattern, language in ((_ENGLISH, "en"), (_SPANISH, "es")):
        for match in pattern.finditer(text):
            yield _counted(match, 1, fold(match.group(2)), language)
    for match in _NUMBERED.finditer(text):
        yield _counted(match, 2, fold(match.group(1)), "es")


def _counted(match: Any, group: int, unit: str, language: str) -> _Found:
    raw = match.group(group)
    value, form = _number(raw, language)
    start, end = match.span(group)
    slot = Slot("q", start, end, form, language, value)
    whole = min(match.start(1), match.start(2)), max(match.end(1), match.end(2))
    return _Found(*whole, slot, _OF_YEAR.get(unit), _OF_MONTH.get(unit))


def _number(raw: str, language: str) -> tuple[int, str]:
    """(value, form) of the number of a part; the last one is -1."""
    key = fold(raw)
    if key.startswith(("last", "ultim")):
        return _LAST, "last"
    if key[0].isdecimal():
        return int(key[0]), "ordinal" if len(key) > 1 else "quarter"
    if key in cal.ROMAN:
        return cal.ROMAN.index(key) + 1, "roman"
    named = _ORDINALS[language]
    return next(i for i, name in enumerate(named, 1) if key.startswith(name)), "word"


def _codes(text: str) -> Iterator[_Found]:
    for pattern, of in (*_CODES, (_GLUED_YEAR, 4)):
        for match in pattern.finditer(text):
            group = next(i for i in range(1, 5) if match.group(i))
            start, end = match.span(group)
            slot = Slot("q", start, end, "quarter", "en", int(match.group(group)))
            stop = match.end() - (2 if pattern is _GLUED_YEAR else 0)
            yield _Found(match.start(), stop, slot, of, None, alone=of == 4)


def _edges(text: str) -> Iterator[_Found]:
    if _DECADE.search(text):
        return
    for word in words(text):
        if word.key in _EDGE:
            which = _EDGE[word.key][1]
            slot = Slot("q", word.start, word.end, "edge", "en", which)
            yield _Found(word.start, word.end, slot, 3, 3, alone=False)


def _rest(text: str, language: str) -> list[DateItem] | None:
    """The month and year around a part, or None where anything else stands there."""
    plain = _FISCAL.sub("  ", text.replace("_", " "))
    items = items_of(plain, language)
    if items is None:
        filler = all(w.key in cal.FILLER for w in words(plain))
        return [] if filler and not any(c.isdecimal() for c in plain) else None
    kinds = "".join("Y" if _is_year(item) else item.kind for item in items)
    return items if kinds in {"M", "Y", "MY", "YM"} else None


def _is_year(item: DateItem) -> bool:
    return item.kind == "A" or (item.kind == "N" and item.form in {"2", "4"})


def _says_year(rest: str) -> bool:
    return any(w.key in _YEAR_WORD for w in words(rest))


def _reading(
    part: Slot, of: int, month: DateItem | None, year: DateItem | None, pivot: int
) -> DateReading:
    slots = [part]
    if month is not None:
        slots.append(Slot("m", month.start, month.end, month.form, month.language, month.value))
    stated: int | None = None
    if year is not None:
        slots.append(Slot("y", year.start, year.end, "4" if year.form == "4" else "2"))
        stated = year.value if year.form == "4" else full_year(year.value, pivot)
    which = last_part(of) if part.value == _LAST else min(part.value, of)
    return DateReading(
        tuple(sorted(slots, key=lambda slot: slot.start)),
        stated,
        month.value if month is not None else None,
        part=(which, of),
    )
