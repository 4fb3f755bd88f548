"""Days of the week that stand apart from the date that they are of.

"3/15/2021 (Monday)" beside a moved date tells the offset but for whole weeks: 85 of 592 are left
after one note (docs/attacks.md). So a day that stands beside a date moves with it: in brackets
behind one, or before or behind one that fell on that day, a few words between them or not
("Monday's visit of 3/15/2021", "3/15/2021, which was a Monday"), as a letter too ("M 3/15", "3/15
(M)", "3/15 M: stable").

A day by its name elsewhere ("admitted Thursday") is as often the day of a date in the note and
moves as well, in both languages: one alone; in short ("Fri: home", "on Thurs") where what stands
around it says that it is one. Days of a habit stay: several in a row ("dialysis
Monday and Thursday"), each or every one, and those that a feast is called by ("Ash Wednesday").

behind = DATE [time] ("(" | blank | "," | "-") day                  "3/15/2021 (Monday)"
before = ["("] day ["." | ")" | "," | ":"] DATE                     "Mon, 3/15/2021"
       | DAY ["'s"] word{0,4} ["," | "."] ["date:" | "fecha:"] DATE     "Monday's visit of 3/15"
saying = DATE [time] [","] ["which" | "that" | "que"] ("was a" | "fue" | ...) DAY
       | DATE [time] ("day" | "dia" | ...) ":" DAY                  a field of its own
letter = LETTER DATE | DATE "(" LETTER ")" | DATE LETTER (mark | end | small word)
alone  = DAY | SHORT ":" word | ("on" | "el" | ...) SHORT           "Fri: home", "on Thurs"
       | SHORT ["."] ("am" | "morning" | "tarde" | ...)             "Fri am", "Wed. night"
habit  = ("every" | "cada" | "los" | ...) DAY | DAY ("and" | "y" | "," | ...) DAY, which stays
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from types import MappingProxyType

from stream_deid.lists.calendar import WEEKDAYS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.dates import day_letters
from stream_deid.surrogate.dates.reading.words import weekday_of
from stream_deid.text.folding import fold

LISTS = Vocabulary("dates_weekdays", "surrogates")

Place = tuple[int, int]
_FULL = MappingProxyType(
    {code: "|".join((*WEEKDAYS[code], *map(fold, WEEKDAYS[code]))) for code in ("en", "es")}
)
_SHORT = MappingProxyType({code: LISTS[f"short_{code}"] for code in _FULL})
_TIME = r"(?:[ \t,]{0,2}(?:at |@ ?)?\d{1,2}:\d\d(?::\d\d)?(?:[ \t]?[ap]\.?m\.?)?)?"
_NO_VALUE = r"(?![ \t]*(?::|\d(?!\d{3}\b)))"  # but an hour: "1/8/24 Mon 0640"
_BEHIND = MappingProxyType(
    {
        language: re.compile(
            _TIME + r"(?:[ \t]?(?P<open>[(\[])|[ \t,-]{1,3})[ \t]?"
            rf"(?P<day>(?:{full})\b|(?:{_SHORT[language]})\b{_NO_VALUE})",
            re.IGNORECASE,
        )
        for language, full in _FULL.items()
    }
)
_BEFORE = MappingProxyType(
    {
        language: re.compile(
            rf"(?<![^\W_])(?P<open>[(\[])?(?P<day>{full}|{_SHORT[language]})"
            r"\.?[)\],:]?[ \t-]{1,3}$",
            re.IGNORECASE,
        )
        for language, full in _FULL.items()
    }
)
_LEADING = MappingProxyType(
    {
        language: re.compile(
            rf"(?<![^\W_])(?P<day>{full})(?:'s)?(?:[ \t]+(?:{LISTS[f'leads_{language}']})){{0,4}}"
            r"[,.]?[ \t]*\n?[ \t]*(?:(?:date|fecha)[ \t]*:[ \t]*)?$",
            re.IGNORECASE,
        )
        for language, full in _FULL.items()
    }
)
_SAYING = MappingProxyType(
    {
        language: re.compile(
            rf"{_TIME}(?:,?[ \t]+(?:(?:which|that|and|que)[ \t]+)?(?:it[ \t]+)?"
            rf"(?:{LISTS[f'says_{language}']})[ \t]+(?:(?:an?|un|el)[ \t]+)?"
            rf"|[.,;]?[ \t]*\n?[ \t]*(?:{LISTS[f'field_{language}']})[ \t]*:[ \t]*)"
            rf"(?P<day>{full})\b",
            re.IGNORECASE,
        )
        for language, full in _FULL.items()
    }
)
_FARTHEST = 64
_WIDE = 160
ANY_DAY = -1
"""Of a date that states no year, in a note that tells none."""


def beside(text: str, date: Place, language: str, weekday: int | None) -> Iterator[Place]:
    """The places of days before or behind a date that fell on `weekday` (None: unknown)."""
    start, end = date
    low = max(0, start - _FARTHEST)
    head, tail = text[low:start], text[end : end + _FARTHEST]
    before = _BEFORE[language].search(head) or _LEADING[language].search(head)
    behind = _BEHIND[language].match(tail) or _SAYING[language].match(tail)
    for match, at in ((before, low), (behind, end)):
        if match is not None and (
            match.groupdict().get("open") or _is(match["day"], weekday, language)
        ):
            yield at + match.start("day"), at + match.end("day")


_LETTER_BEFORE = re.compile(r"(?<![^\s(\[,;:/|-])(?P<day>[A-Z][A-Za-z]?)[.,]?[ \t]{1,3}$")
_LETTER_BEHIND = re.compile(r"[ \t]?[(\[](?P<day>[A-Z][A-Za-z]?)[)\]]")
_COUNTED = re.compile(r"(?<![/.-])(?<!\d)(?:\d{1,3}\.)?\d{1,3}[ \t]?(?:y/?o?)?[ \t]?$")
"""What makes a sex or a unit of a letter ("67 F", "101.2 F"); no date ("6/3 y V 8/3")."""


def letters(text: str, date: Place, language: str, weekday: int | None) -> Iterator[Place]:
    """The places of days in letters right before a date that fell on `weekday`, and in brackets
    right behind it.
    """
    start, end = date
    low = max(0, start - _FARTHEST)
    before = _LETTER_BEFORE.search(text[low:start])
    behind = _LETTER_BEHIND.match(text, end)
    for match, at in ((before, low), (behind, 0)):
        if match is None or (match is before and _COUNTED.search(text[low : at + match.start()])):
            continue
        days = day_letters.days_of(match["day"], language)
        if days and (weekday in days or weekday == ANY_DAY):
            yield at + match.start("day"), at + match.end("day")


def _is(word: str, weekday: int | None, language: str) -> bool:
    found = weekday_of(fold(word), language)
    return found is not None and weekday in (found[0], ANY_DAY)


_LETTER_AFTER = re.compile(
    r"[ \t](?P<day>[A-Z][a-z]?)(?=[ \t]{0,2}(?:[-–:;,.|)\]\n]|$)|[ \t]+[a-z(])"
)
_SIDES = frozenset("RLSDVI")
_CLOSED = re.compile(r"[ \t]{0,2}(?:[-–:|\n]|$)")
_MONTH = 31
Marked = tuple[Place, Sequence[int], int | None, int | None]


def is_marked(text: str, end: int) -> bool:
    """Whether something like a day in letters stands right behind a date that ends at `end`."""
    return _LETTER_AFTER.match(text, end) is not None


def following(
    text: str, dates: Sequence[tuple[Place, int | None, int | None]], language: str
) -> Iterator[tuple[Place, int]]:
    """The places of days in letters right behind dates, without brackets, and the days that they
    stand for: where the date fell on that day, or, its year unknown, where another date is as many
    days away as its letter. `dates`: place, number of the day in any one year, day of the week.
    """
    marked: list[Marked] = []
    for (_, end), number, weekday in dates:
        days: Sequence[int]
        match = _LETTER_AFTER.match(text, end)
        days = day_letters.days_of(match["day"], language) if match else ()
        if match and days and (match["day"] not in _SIDES or _CLOSED.match(text, match.end())):
            marked.append((match.span("day"), days, number, weekday))
    for place, days, number, weekday in marked:
        if weekday == ANY_DAY:
            day = next(_in_step(days, number, marked), None)
        else:
            day = weekday if weekday in days else None
        if day is not None:
            yield place, day


def _in_step(days: Sequence[int], number: int | None, marked: Sequence[Marked]) -> Iterator[int]:
    for _, others, other, _ in marked:
        if number is not None and other is not None and 0 < abs(other - number) <= _MONTH:
            apart = other - number
            yield from (day for day in days if any((o - day - apart) % 7 == 0 for o in others))


_NAME = MappingProxyType(
    {
        code: re.compile(
            rf"(?<![\w/-])(?P<day>{full}|{LISTS[f'sure_{code}']})(?![\w/-])", re.IGNORECASE
        )
        for code, full in _FULL.items()
    }
)
_CAPITAL = MappingProxyType({"en": "(?=[A-Z])", "es": ""})
"""Before short names: "wed" is a word."""
_HABIT_BEFORE = re.compile(rf"(?i)(?<![^\W_])(?:{LISTS['habits']})[ \t]+$")
_LABELLED = MappingProxyType(
    {
        code: re.compile(
            rf"(?m)(?:^|(?<=[ \t(]))(?P<day>{capital}(?i:{LISTS[f'alone_{code}']}))"
            r"\.?:(?=[ \t]*[^\W\d])"
        )
        for code, capital in _CAPITAL.items()
    }
)
_BEHIND_WORD = MappingProxyType(
    {
        code: re.compile(
            rf"(?<![^\W_])(?i:{LISTS[f'behind_{code}']})[ \t]+"
            rf"(?P<day>{capital}(?i:{LISTS[f'alone_{code}']}))(?![\w/-])"
        )
        for code, capital in _CAPITAL.items()
    }
)
_PART_OF_DAY = MappingProxyType(
    {
        code: re.compile(
            rf"(?<![\w/-])(?P<day>{capital}(?i:{LISTS[f'alone_{code}']}))"
            rf"\.?[ \t]+(?i:{LISTS[f'part_{code}']})\b"
        )
        for code, capital in _CAPITAL.items()
    }
)
_AMOUNT = MappingProxyType(
    {
        code: re.compile(rf"(?<![^\W_]){capital}(?i:{LISTS[f'alone_{code}']})\.?:[ \t]*\d")
        for code, capital in _CAPITAL.items()
    }
)
_SHORTS = "|".join(LISTS[f"{name}_{code}"] for code in _FULL for name in ("sure", "alone"))
_EITHER = "|".join((*_FULL.values(), rf"\b(?:{_SHORTS})\b"))
_LINK = rf"[ \t]*(?:[,/&+-][ \t]*)?(?:\b(?:{LISTS['rows']})\b[ \t]*)?"
_ROW_BEFORE = re.compile(rf"(?i)(?:{_EITHER})s?{_LINK}$")
_ROW_AFTER = re.compile(rf"(?i){_LINK}(?:{_EITHER})")


def alone(text: str, language: str) -> Iterator[Place]:
    """The places of single days by their names, in order, but those of a habit or a feast."""
    forms = (
        _NAME[language], _LABELLED[language], _BEHIND_WORD[language], _PART_OF_DAY[language],
    )  # fmt: skip
    found = chain.from_iterable(form.finditer(text) for form in forms)
    single = (one for one in found if _single(text, one, language, labelled=one.re is forms[1]))
    yield from sorted({one.span("day") for one in single})


def _single(text: str, match: re.Match[str], language: str, *, labelled: bool) -> bool:
    start, end = match.span("day")
    before = text[max(0, start - _FARTHEST) : start]
    row = _ROW_BEFORE.search(before) or _ROW_AFTER.match(text, end)
    if labelled and not row:
        row = _AMOUNT[language].search(_line_around(text, start))
    return not row and not _HABIT_BEFORE.search(before)


def _line_around(text: str, at: int) -> str:
    """What of the line of a place stands near it: amounts by days are a plan."""
    before = text[max(0, at - _WIDE) : at].rpartition("\n")[2]
    return before + text[at : at + _WIDE].partition("\n")[0]
