"""Months and weekdays by language, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

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


def weekday_language(value: str) -> str:
    """The language of a value that is the name of a day of the week, whole or short, and nothing
    else; empty for any other.
    """
    return _WEEKDAYS.get(fold(value).lower().strip().removesuffix("."), "")
