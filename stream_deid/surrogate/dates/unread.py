"""What a model marks as a date and nobody can read as one: all of it need not become a tag.

Tried in this order, for a whole tag reads as censored and hides nothing more:

weekday  = two letters in small, a day           "mi 23", as "Mi 23"
part     = the longest part that is read         "8/Oct 7" of "8/Oct 7am": the date moves; numbers
           beside it stay as an hour, an ordinal, or change; words that nobody is called stay
month    = the longest part that names a month   "Oct wt", "three April thirtieth", likewise
number   = words of a number                      "mil doscientos": another number
feast    = words, the first of a feast           "fiestas de Moros": another day of the year
name     = one or two capitalised words          "Borda", which a model took for a day
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence

from stream_deid.lists.calendar import MONTHS
from stream_deid.lists.name_words import is_nothing_else, is_word
from stream_deid.lists.numbers import DAYS
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.dates.reading.slots import DateReading
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import codes, spoken_numbers
from stream_deid.surrogate.scramble import scramble_digits
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

_LISTS = Vocabulary("dates_unread", "surrogates")
_FEASTS = _LISTS.words("feasts")
_HOUR = re.compile(rf"(?i)[ \t]?(?:{_LISTS['hours']})(?![^\W\d])|[:h]\d\d")
_ORDINAL = re.compile(r"\d+[.]?[ºª°]")
_WORD = re.compile(r"[^\W\dºª]")
_SMALL_DAY = re.compile(r"(?a)[a-z]{2}\.?[ \t]\d{1,2}")
_PIECE = re.compile(r"\S+")
_MOST_PIECES = 8
_MOST_WORDS = 2
_OF_MOVED = "shift"


def salvaged(
    text: str, after: str, calendar: Calendar, scope: Scope, render: Callable[[str], str]
) -> tuple[str, str] | None:
    """(replacement, strategy) of a DATE span `text` that can't be read, None where only a tag is
    left; `after` is what follows it, `render` gives the surrogate of a name.
    """
    if _SMALL_DAY.fullmatch(text):
        made, how = calendar.replace(text[0].upper() + text[1:])
        if how != "tag":
            return made[0].lower() + made[1:], how
    moved = _part(text, after, calendar, scope, _tells) or _part(
        text, after, calendar, scope, _names_month
    )
    if moved is not None:
        return moved
    if any(map(str.isdecimal, text)):
        return None
    if number := _number(text, calendar.language, scope):
        return number, ""
    found = words(text)
    if len(found) > 1 and found[0].key in _FEASTS:
        return _some_day(scope.sub("feast", *(word.key for word in found)), calendar.language), ""
    capital = all(word.text[0].isupper() for word in found)
    return (render(text), "") if capital and 0 < len(found) <= _MOST_WORDS else None


def _part(
    text: str,
    after: str,
    calendar: Calendar,
    scope: Scope,
    tells: Callable[[Sequence[DateReading]], bool],
) -> tuple[str, str] | None:
    """The longest row of pieces whose dates are such as `tells` wants, moved; the rest as it may
    stay.
    """
    pieces = [match.span() for match in _PIECE.finditer(text)]
    count = len(pieces)
    if not 1 < count <= _MOST_PIECES:
        return None
    for size in range(count - 1, 0, -1):
        for at in range(count - size + 1):
            start, end = pieces[at][0], pieces[at + size - 1][1]
            head, tail = text[:start], text[end:]
            beside = head + " " + tail
            if _may_be_name(beside) or _has_ordinal(beside, calendar.language):
                continue
            if not tells(calendar.read(text[start:end]) or ()):
                continue
            made, how = calendar.replace(text[start:end])
            if how == _OF_MOVED:
                return _beside(head, made, scope) + made + _beside(tail, after, scope), how
    return None


def _tells(found: Sequence[DateReading]) -> bool:
    """Whether a part states the day of a month, or of a week with its number."""
    return bool(found) and all(
        r.day is not None and (r.month is not None or r.weekday is not None) for r in found
    )


def _names_month(found: Sequence[DateReading]) -> bool:
    """Whether a part states a month or a season."""
    return bool(found) and all(r.month is not None or r.season is not None for r in found)


def _may_be_name(text: str) -> bool:
    """Whether a word beside a date may be somebody's name: one in small letters that is nothing
    else, or one with a capital that is no listed word.
    """
    return any(
        is_nothing_else(word.key)
        if word.text.islower()
        else is_listed_name(word.key) or not (is_word(word.key) or is_term(word.key))
        for word in words(text)
        if _WORD.search(word.text)
    )


def _has_ordinal(text: str, language: str) -> bool:
    """Whether a day of a month in words stands beside a date ("three April" of "thirtieth")."""
    days = {fold(day) for day in DAYS[language]}
    return any(word.key in days for word in words(text))


def _number(text: str, language: str, scope: Scope) -> str:
    """Another number in words for one in words, or nothing."""
    said = {word.key for word in spoken_numbers.said(text, language)}
    telling = {w.key for w in words(text) if not spoken_numbers.is_counting(w)}
    return codes.code(scope.sub("number"), text, language) if said and said >= telling else ""


def _beside(text: str, after: str, scope: Scope) -> str:
    """Numbers beside a date: an hour or an ordinal stays, others change."""
    if not any(map(str.isdecimal, text)) or _ORDINAL.search(text + after[:1]):
        return text
    if _HOUR.match(after):
        return text
    return scramble_digits(scope.sub("beside"), text)


def _some_day(scope: Scope, language: str) -> str:
    """Some day of the year in words."""
    month = scope.integer(12, "month")
    day = 1 + scope.integer(monthrange(2023, month + 1)[1], "day")
    name = MONTHS[language][month]
    return f"{day} de {name}" if language == "es" else f"{name.capitalize()} {day}"
