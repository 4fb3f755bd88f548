"""The words of dates in English and Spanish: months, weekdays, ordinals, holidays, seasons."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from rapidfuzz.distance import OSA

from stream_deid.lists.calendar import (
    MONTHS,
    OTHER_MONTHS,
    OTHER_WEEKDAYS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
)
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.memo import remembered

_LISTS = Vocabulary("dates_words", "surrogates")

ROMAN = _LISTS.ordered("roman")
SEASONS = MappingProxyType(
    {
        "en": (("winter",), ("spring", "springtime"), ("summer", "summertime"), ("fall", "autumn")),
        "es": (("invierno",), ("primavera",), ("verano",), ("otoño", "otono")),
    }
)
_SEASONS = {
    form: (index, lang)
    for lang, seasons in SEASONS.items()
    for index, forms in enumerate(seasons)
    for form in forms
}
_SHORTEST_MISSPELT = 5
_SHORTEST_BEGINNING = 3
_BASQUE_CASES = ("", *_LISTS.ordered("basque_cases"))
_BASQUE = {
    stem + case: (month, len(stem))
    for month, stem in enumerate(MONTHS["eu"], 1)
    for case in _BASQUE_CASES
}
FILLER = _LISTS.words("filler")


def month_of(word: str, language: str) -> tuple[int, str, str] | None:
    """(month, language, `full` or `short`) of a folded word; the note's language first."""
    return _month_table(language).get(word)


@cache
def _month_table(language: str) -> dict[str, tuple[int, str, str]]:
    found: dict[str, tuple[int, str, str]] = {}
    for lang in (language, "es" if language == "en" else "en", "ca", "gl"):
        for forms, form in ((MONTHS, "full"), (SHORT_MONTHS, "short")):
            for month, name in enumerate(forms[lang], 1):
                found.setdefault(fold(name), (month, lang, form))
        for name, month in OTHER_MONTHS.get(lang, {}).items():
            found.setdefault(name, (month, lang, "full" if len(name) > 6 else "short"))
    return found


@remembered
def misspelt_month(word: str, language: str) -> tuple[int, str] | None:
    """(month, language) of a folded word that is one slip away from a month of five letters."""
    if len(word) < _SHORTEST_MISSPELT:
        return None
    for name, (month, lang, form) in _month_table(language).items():
        if form == "full" and len(name) >= _SHORTEST_MISSPELT and (
            OSA.distance(word, name, score_cutoff=1) <= 1
        ):  # fmt: skip
            return month, lang
    return None


@remembered
def broken_off(word: str, language: str) -> tuple[str, int, str] | None:
    """(`M` or `W`, month or weekday, language) of a folded word that begins one month or weekday
    of the note's language alone: `abri`, `vier`.
    """
    if len(word) < _SHORTEST_BEGINNING:
        return None
    named = (("M", MONTHS[language], 1), ("W", WEEKDAYS[language], 0))
    begun = [
        (kind, at, language)
        for kind, names, first in named
        for at, name in enumerate(names, first)
        if fold(name).startswith(word)
    ]
    return begun[0] if len(begun) == 1 else None


def basque_month(word: str) -> tuple[int, int] | None:
    """(month, length of its stem) of a folded Basque month in any case: `urriaren`, `azaroak`."""
    return _BASQUE.get(word)


TUESDAY = "mrt"
"""What stands for the Spanish `mar` where it is no month (`tuesdays`)."""


def as_tuesday(text: str) -> str:
    """What is read of a Spanish day of the week that is all of a text: `mar` is no month there."""
    return text.replace(text.strip(" ."), TUESDAY) if fold(text).strip(" .") == "mar" else ""


def weekday_of(word: str, language: str) -> tuple[int, str, str] | None:
    """(weekday from Monday = 0, language, `full` or `short`) of a folded word."""
    table = _weekday_table(language)
    return table.get(word) or table.get(word.removesuffix("s"))


@cache
def _weekday_table(language: str) -> dict[str, tuple[int, str, str]]:
    found: dict[str, tuple[int, str, str]] = {}
    for lang in (language, "es" if language == "en" else "en", "ca", "gl", "eu"):
        for forms, form in ((WEEKDAYS, "full"), (SHORT_WEEKDAYS, "short")):
            for weekday, name in enumerate(forms.get(lang, ())):
                found.setdefault(fold(name), (weekday, lang, form))
        for name, weekday in OTHER_WEEKDAYS.get(lang, {}).items():
            found.setdefault(name, (weekday, lang, "full" if len(name) > 5 else "short"))
    found[TUESDAY] = (1, "es", "short")
    return found


def season_of(word: str) -> tuple[int, str] | None:
    """(season from winter = 0, language) of a folded word."""
    return _SEASONS.get(word)
