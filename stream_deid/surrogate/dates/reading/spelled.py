"""Dates that are written out: `march third nineteen forty-nine`, `uno de enero de dos mil veinte`.

Numbers in words can be cut in more than one way (`two twenty six fifty one`), so every cut is
tried and the one that states most of a date wins. Slots of spelled numbers have the name
`spelled`, and are written back in words.

date   = (number | month | day of the week | filler)+      five of the first three at most
number = words of a day, an ordinal or a year, five at most | figures of one, two or four
echo   = number "(" the same in figures ")"                "cinco (5)"
filler = "of" | "de" | "comma" | "slash" | "barra" | ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

from stream_deid.lists.numbers import DAYS
from stream_deid.surrogate import number_words
from stream_deid.surrogate.dates.reading import words as cal
from stream_deid.surrogate.dates.reading.items import DateItem, hidden
from stream_deid.surrogate.dates.reading.read import single
from stream_deid.surrogate.dates.reading.slots import DateReading, Slot, is_valid
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear
from stream_deid.text.memo import remembered

SPELLED = "spelled"
_TOKEN = linear(r"\pL+|\d+")
_FILLER = cal.FILLER | {"comma", "coma", "slash", "barra", "guion", "dash"}
_LONGEST = 5  # words of a number: "mil novecientos noventa y nueve"
_MOST = 500  # cuts that are tried
_MOST_TOKENS = 16
_MOST_ITEMS = 5  # weekday, day, day again in figures, month, year

Token = tuple[str, int, int]


@remembered
def read_spelled(
    text: str, language: str, *, day_first: bool, pivot: int
) -> list[DateReading] | None:
    """The one date that `text` states with numbers in words, or None.

    `language`, `day_first` and `pivot` as in `read.read`.
    """
    tokens = [(fold(m.group()), m.start(), m.end()) for m in _TOKEN.finditer(hidden(text))]
    if len(tokens) > _MOST_TOKENS or not _all_known(tokens, language):
        return None
    best: DateReading | None = None
    for count, items in enumerate(_cuts(tokens, 0, language, _MOST_ITEMS)):
        if count > _MOST:
            break
        reading = _reading(items, day_first=day_first, pivot=pivot)
        if reading is None or _ends_on_a_day(reading):
            continue
        if _alone(items):
            return [reading]
        if best is None or len(reading.slots) > len(best.slots):
            best = reading
    return [best] if best is not None else None


def _ends_on_a_day(reading: DateReading) -> bool:
    """Whether a day stands behind month and year, as nobody says it: "march of twenty twenty two"
    is no second of March 2020.
    """
    return [slot.part for slot in reading.slots if slot.part != "w"] == _NEVER_SAID


_NEVER_SAID = ["m", "y", "d"]


def _alone(items: list[DateItem]) -> bool:
    """Whether a text is one year of four digits and nothing else."""
    return len(items) == 1 and items[0].form == "4"


def _reading(items: list[DateItem], *, day_first: bool, pivot: int) -> DateReading | None:
    if not any(item.name == SPELLED for item in items):
        return None
    kept = [a for i, a in enumerate(items) if not (i and _echo(items[i - 1], a))]
    worded = any(item.kind in "MR" for item in kept)
    for item in kept:
        item.before = "" if worded else "/"
    reading = single(kept, day_first=day_first, pivot=pivot)
    if reading is None or not is_valid(reading):
        return None
    return _with_echoes(reading, items)


def _echo(left: DateItem, right: DateItem) -> bool:
    """Whether figures repeat the number in words before them: `cinco (5)`."""
    same = left.value == right.value and right.kind == "N"
    return same and left.name == SPELLED and not right.name


def _with_echoes(reading: DateReading, items: list[DateItem]) -> DateReading:
    parts = {slot.start: slot.part for slot in reading.slots}
    slots = [
        Slot(parts[a.start], b.start, b.end, b.form, b.language, b.value)
        for a, b in pairwise(items)
        if _echo(a, b) and a.start in parts
    ]
    return replace(reading, slots=tuple(sorted((*reading.slots, *slots), key=lambda s: s.start)))


@cache
def _number_words(language: str) -> frozenset[str]:
    """Every word that is part of a spelled number."""
    tables = (number_words.years(language), number_words.values(language), _ordinals(language))
    return frozenset(word for table in tables for phrase in table for word in phrase.split())


def _all_known(tokens: list[Token], language: str) -> bool:
    """Whether some token spells a number, and every token can be part of a date."""
    numbers = _number_words(language)
    return any(word in numbers for word, _, _ in tokens) and all(
        word in numbers
        or word in _FILLER
        or word.isdecimal()
        or cal.month_of(word, language)
        or cal.weekday_of(word, language)
        for word, _, _ in tokens
    )


def _cuts(tokens: list[Token], at: int, language: str, room: int) -> Iterator[list[DateItem]]:
    """Every way to read the tokens from `at` on as at most `room` items, longest numbers first."""
    if at == len(tokens):
        yield []
        return
    for item, end in _items(tokens, at, language):
        if item.kind and not room:
            continue
        for rest in _cuts(tokens, end, language, room - bool(item.kind)):
            yield [replace(item), *rest] if item.kind else rest


def _items(tokens: list[Token], at: int, language: str) -> Iterator[tuple[DateItem, int]]:
    """The items that may begin at a token, with the token after each."""
    word, start, end = tokens[at]
    if word.isdecimal():
        form = "4" if len(word) == 4 else "2" if len(word) == 2 else "1"
        if len(word) in {1, 2, 4}:
            yield DateItem("N", int(word), start, end, form, language), at + 1
        return
    month, weekday = cal.month_of(word, language), cal.weekday_of(word, language)
    if month:
        yield DateItem("M", month[0], start, end, month[2], month[1]), at + 1
    if weekday:
        yield DateItem("W", weekday[0], start, end, weekday[2], weekday[1]), at + 1
    for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
        phrase = " ".join(token[0] for token in tokens[at : at + size])
        for kind, value, form in _numbers(phrase, language):
            name = SPELLED if kind == "N" else ""
            stop = tokens[at + size - 1][2]
            yield DateItem(kind, value, start, stop, form, language, name), at + size
    if word in _FILLER:
        yield DateItem("", 0, start, end, "", language), at + 1


def _numbers(phrase: str, language: str) -> Iterator[tuple[str, int, str]]:
    """(kind, value, form) of each number that a phrase spells."""
    year = number_words.years(language).get(phrase)
    if year is not None:
        yield "N", year, "4"
    ordinal = _ordinals(language).get(phrase)
    if ordinal is not None:
        yield "O", ordinal, "word"
    value = number_words.values(language).get(phrase)
    if value is not None:
        yield "N", value, "2" if value > 9 or phrase.startswith(("oh ", "cero ")) else "1"


@cache
def _ordinals(language: str) -> dict[str, int]:
    found = {fold(o).replace("-", " "): i for i, o in enumerate(DAYS[language], 1)}
    return found if language == "en" else {"primero": 1}
