"""Months and weekdays by language, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LISTS = Vocabulary("calendar", "")


def _by_language(name: str, *languages: str) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({code: _LISTS.ordered(f"{name}_{code}") for code in languages})


MONTHS = _by_language("months", "en", "es", "ca", "gl", "eu")
SHORT_MONTHS = _by_language("short_months", "en", "es", "ca", "gl")
WEEKDAYS = _by_language("weekdays", "en", "es", "ca", "gl", "eu")
WRITTEN_MONTHS, WRITTEN_WEEKDAYS = (
    MappingProxyType({code: _LISTS[f"{name}_{code}"] for code in ("en", "es")})
    for name in ("written_months", "written_weekdays")
)
"""Expressions of months and weekdays as people write them, whole or short, folded."""
OTHER_MONTHS, OTHER_WEEKDAYS = (
    MappingProxyType(
        {
            code: {word: int(number) for word, number in _LISTS.table(f"{name}_{code}").items()}
            for code in ("en", "es")
        }
    )
    for name in ("other_months", "other_weekdays")
)
"""Other spellings, folded, with the number of the month or weekday (from Monday = 0)."""
UNITS = MappingProxyType(
    {unit: _LISTS.words(f"units_{unit}") for unit in ("year", "month", "week", "day", "hour")}
)
"""Words for units of time, both languages, folded."""
_WEEKS = Vocabulary("weeks")
ANY_WEEK = rf"(?:{'|'.join(_WEEKS[name] for name in ('sure', 'capitals', 'dated'))})"
"""Before the number of a week, in folded text, however short."""
COUNTED_DAY, COUNTED_WEEK = _LISTS["counted_days"], rf"(?:{_LISTS['counted_weeks']})\.?"
"""Before the number of a day or week in its year, in folded text."""
OF, THE_YEAR = rf"(?:{_LISTS['of']})", rf"(?:[ ](?:{_LISTS['year']}))?"
SHORT_WEEKDAYS = _by_language("short_weekdays", "en", "es", "ca")
_WEEKDAYS = {
    fold(name).lower(): code
    for code in ("en", "es")
    for name in (*WEEKDAYS[code], *SHORT_WEEKDAYS[code], *OTHER_WEEKDAYS[code])
}
_DAY_WORDS = frozenset(
    fold(word).lower() for words in (*MONTHS.values(), *WEEKDAYS.values()) for word in words
)


def is_day_word(word: str) -> bool:
    """Whether a folded word in small letters is a month or a weekday in any of the languages."""
    return word in _DAY_WORDS


def is_day_of_course(before: str, after: str) -> bool:
    """Whether a figure counts the days of what stands behind it ("día 3 de fluoxetina"); `before`
    and `after`: the text around it, folded, in small letters.
    """
    said = _BEHIND_DAY.match(after) if _DAY_BEFORE.search(before) else None
    return said is not None and not is_day_word(said[1]) and said[1] not in _OF_MONTHS


_DAY_BEFORE = linear(r"\b(?:dia|day) $")
_BEHIND_DAY = linear(r"^ (?:de|of) ([a-z]{3,})\b")
_OF_MONTHS = _LISTS.words("behind_days") | {
    fold(word).lower()
    for words in (*SHORT_MONTHS.values(), *OTHER_MONTHS.values())
    for word in words
}


def weekday_language(value: str) -> str:
    """The language of a value that is the name of a day of the week, whole or short, and nothing
    else; empty for any other.
    """
    return _WEEKDAYS.get(fold(value).lower().strip().removesuffix("."), "")
