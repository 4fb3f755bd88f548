"""The years of an age that is told by no number of its own.

told = ROMAN | figures that a blank or sign parts    "XCIV", "9 4", "9-4"
     | n "years" ("shy" | "short") "of" m            "7 years shy of 100": 93
     | "faltan" n "años para" m | "a" n "años de" m  "faltan dos años para los cien": 98
     | ("tenth" | "11th" | "décima" | ...) "decade"  90
"""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate import number_words
from stream_deid.text.age import ROMAN_AGES, THRESHOLD
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_AGES = Vocabulary("ages")
_PARTED = linear(r" ?[-_*|:~'\x{2010}-\x{2015}] ?")
_SPACED = linear(r"(9|1 [01]) (\d)")
_DECADE = linear(rf"(?:{_AGES['old_decades']}|{_AGES['old_decades_es']})\b.*")
_SHORT = linear(
    rf"(.+?)(?: years?)? (?:{_AGES['short_of']}) (?:turning |being )?(.+)"
    r"|(?:le )?faltan? (.+?)(?: anos?)? para (?:cumplir )?(?:los )?(.+?)(?: anos)?"
    r"|a (.+?) anos? de (?:cumplir )?(?:los )?(.+)"
)
_HUNDRED, _SOME = 100, 3


def told(text: str) -> int | None:
    """The years that a text tells in one of these ways; None for others."""
    value = " ".join(text.split())
    if value in ROMAN_AGES:
        return ROMAN_AGES[value]
    low = fold(value)
    figures = _PARTED.sub(" ", low)
    if _SPACED.fullmatch(figures):
        return int(figures.replace(" ", ""))
    if _DECADE.fullmatch(low):
        return THRESHOLD
    short = _SHORT.fullmatch(low)
    if short is None:
        return None
    missing, age = (part for part in short.groups() if part is not None)
    whole = _number(age)
    return (_HUNDRED if whole is None else whole) - (_number(missing) or _SOME)


def _number(said: str) -> int | None:
    """A number in figures or words; None for "a few", "her hundredth"."""
    said = said.replace("-", " ")
    if said.isdecimal():
        return int(said)
    if said in ("a", "an"):
        return 1
    known = (number_words.old_ages(), number_words.values("en"), number_words.values("es"))
    return next((table[said] for table in known if said in table), None)
