"""Numbers in words, English and Spanish: 0 to 99, and years; endings of ordinals in figures."""

from __future__ import annotations

from functools import cache

from stream_deid.lists import numbers
from stream_deid.lists.numbers import UNITS
from stream_deid.text.canonical import like_case
from stream_deid.text.folding import fold

TENS = {"en": ("_",) * 2 + numbers.TENS["en"], "es": ("_",) * 3 + numbers.TENS["es"]}
"""By their first figure; what `UNITS` holds is left out."""


ENDINGS = ("st", "nd", "rd", "th")
"""English endings of ordinals in figures."""


def ordinal_ending(number: int) -> str:
    """The English ending of an ordinal in figures: `st`, `nd`, `rd`, `th`."""
    if 10 <= number % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


_ORDINAL_MARKS = ("ro", "do", "ro", "to", "to", "to", "mo", "vo", "no")


def ordinal_mark(number: int, mark: str) -> str:
    """The Spanish ending `mark` of an ordinal in figures (`do`, `ra`, `er`) as it stands after
    another number (1 to 9); other marks (`º`) stay.
    """
    if len(mark) != 2 or not mark.isalpha() or number > 9:
        return mark
    if mark.lower() == "er" and number in {1, 3}:
        return mark
    return like_case(mark, _ORDINAL_MARKS[number - 1][0] + ("a" if mark[1] in "aA" else "o"))


def spell(n: int, language: str) -> str:
    """`n` (0 to 99) in words, as it stands before a noun."""
    units, tens = UNITS[language], TENS[language]
    if n < len(units):
        return units[n]
    joint = "-" if language == "en" else " y "
    return tens[n // 10] + (joint + units[n % 10] if n % 10 else "")


@cache
def values(language: str) -> dict[str, int]:
    """Numbers 0 to 99 by their folded words, with a space for a hyphen."""
    found = {fold(spell(n, language)).replace("-", " "): n for n in range(100)}
    if language == "es":
        found |= {"uno": 1, "una": 1, "veintiuno": 21}
        found |= {f"{t} y {o}": v + 1 for v, t in _tens_es() for o in ("uno", "una")}
        found |= {f"cero {fold(u)}": i for i, u in enumerate(UNITS["es"][:10]) if i}
        found["cero uno"] = 1
        found |= {f"diez y {fold(u)}": 10 + i for i, u in enumerate(UNITS["es"][:10]) if i > 5}
    else:
        found |= {f"oh {u}": i for i, u in enumerate(UNITS["en"][:10]) if i}
    return found


@cache
def old_ages() -> dict[str, int]:
    """Ninety to a hundred and twenty-nine in the ways to say an age, of both languages, folded,
    with a space for a hyphen.
    """
    small = {lang: {w: n for w, n in values(lang).items() if 0 < n < 30} for lang in ("en", "es")}
    found = {w: n for lang in small for w, n in values(lang).items() if n >= 90}
    found |= {f"ninety{w}": 90 + n for w, n in small["en"].items() if n < 10}
    found |= {"cien": 100, "ciento": 100}
    for head in ("a hundred", "one hundred"):
        found |= {head: 100}
        for joint in (" ", " and "):
            found |= {f"{head}{joint}{w}": 100 + n for w, n in small["en"].items()}
    for joint in (" ", " y "):
        found |= {f"ciento{joint}{w}": 100 + n for w, n in small["es"].items()}
    for word, n in small["es"].items():
        for joint in ("i", "y", " i ", " e ") if n < 10 else ():
            found[f"noventa{joint}{word}"] = 90 + n
    return found


def _tens_es() -> list[tuple[int, str]]:
    return [(10 * i, word) for i, word in enumerate(TENS["es"]) if i > 2]


@cache
def years(language: str) -> dict[str, int]:
    """Years 1900 to 2099 by their folded words, in each way to say them."""
    low = {words: n for words, n in values(language).items() if n or language == "es"}
    found: dict[str, int] = {}
    if language == "en":
        for words, n in low.items():
            two = n >= 10 or words.startswith("oh ")
            found |= {f"nineteen {words}": 1900 + n, f"twenty {words}": 2000 + n} if two else {}
            found |= {f"two thousand {words}": 2000 + n, f"two thousand and {words}": 2000 + n}
        return found | {"two thousand": 2000, "nineteen hundred": 1900}
    for words, n in low.items():
        found |= {f"dos mil {words}": 2000 + n, f"mil novecientos {words}": 1900 + n} if n else {}
    return found | {"dos mil": 2000, "mil novecientos": 1900}


def spell_year(year: int, language: str, *, thousand: bool = False) -> str:
    """A year of four digits in words; `thousand`: as "two thousand twelve" rather than "twenty"."""
    century, rest = divmod(year, 100)
    if language == "es":
        head = "dos mil" if century == 20 else "mil novecientos"
        return f"{head} {_alone(rest)}" if rest else head
    if century == 20 and (rest < 10 or thousand):
        return f"two thousand {spell(rest, 'en')}" if rest else "two thousand"
    head = "twenty" if century == 20 else "nineteen"
    return f"{head} {_two_digits(rest)}" if rest else f"{head} hundred"


def spell_short_year(two: int, language: str) -> str:
    """A year of two digits in words (`oh seven`, `noventa y ocho`)."""
    if language == "en":
        return _two_digits(two)
    return f"cero {_alone(two)}" if two < 10 else _alone(two)


def _two_digits(n: int) -> str:
    return f"oh {UNITS['en'][n]}" if n < 10 else spell(n, "en")


def _alone(n: int) -> str:
    """A Spanish number without a noun after it: `veintiuno`, not `veintiún`."""
    made = spell(n, "es")
    if n % 10 != 1 or n == 11:
        return made
    if n == 1:
        return "uno"
    return "veintiuno" if n == 21 else made + "o"
