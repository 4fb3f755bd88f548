"""Days of the week in one or two letters: which days they may be, and the letters of another day.

A letter may stand for two days ("T", "S"; Spanish "M"); the date beside it tells which. Another day
is written in the same habit: `R` and `U` among single letters, two letters among two.
"""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_LISTS = Vocabulary("dates_day_letters", "surrogates")
_HABITS = MappingProxyType(
    {
        code: tuple(_LISTS.ordered(f"{name}_{code}") for name in ("letters", "mixed", "pairs"))
        for code in ("en", "es")
    }
)
"""By language: seven single letters, single ones where they tell the day, two letters each."""
_EITHER = MappingProxyType({code: _LISTS.table(f"either_{code}") for code in ("en", "es")})


def days_of(letters: str, language: str) -> tuple[int, ...]:
    """The days (Monday: 0) that such letters, written with a capital, may stand for."""
    if not letters[:1].isupper() or len(letters) > 2:
        return ()
    key = fold(letters)
    days = [day for habit in _HABITS[language] for day, own in enumerate(habit) if own == key]
    more = map(int, _EITHER[language].get(key, "").split())
    return tuple(dict.fromkeys((*days, *more)))


def moved(letters: str, language: str, days: int, weekday: int | None = None) -> str:
    """The letters of the day that comes so many days after the one that `letters` stand for:
    `weekday`, where they may be that.
    """
    may = days_of(letters, language)
    day = weekday if weekday in may else may[0]
    key, (single, mixed, pairs) = fold(letters), _HABITS[language]
    habit = single if key in single and key not in mixed else mixed
    if len(key) == 2:
        habit = pairs
    made = habit[(day + days) % 7]
    return made.upper() if len(letters) > 1 and letters.isupper() else made.capitalize()
