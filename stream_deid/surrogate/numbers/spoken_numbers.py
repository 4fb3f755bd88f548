"""Numbers that are said: `four one seven`, `forty-one`, `dos cero nueve`.

Single digits, teens, tens and Spanish hundreds in words are each replaced by another of their kind,
keyed by the whole number; words of counting (`double`, `hundred`, `mil`) and of signs (`punto`,
`dash`) stay.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from stream_deid.lists.numbers import HUNDREDS_ES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate import number_words
from stream_deid.surrogate.keys import Scope
from stream_deid.text.canonical import Word, like_case, words

_HUNDRED = 100
COUNTING = Vocabulary("numbers_spoken", "surrogates").words("counting")


@cache
def _listed(language: str) -> dict[str, tuple[int, str]]:
    """Words of one number each (0 to 29, tens, Spanish hundreds): its value and language."""
    other = "es" if language == "en" else "en"
    found = {"oh": (0, "en")}
    for lang in (other, language):
        named = number_words.values(lang).items()
        found |= {key: (value, lang) for key, value in named if " " not in key}
    return found | {key: (_HUNDRED * i, "es") for i, key in enumerate(HUNDREDS_ES, 2)}


def said(text: str, language: str) -> list[Word]:
    """The number words of a text; words of counting only where there are others."""
    listed = _listed(language)
    return [word for word in words(text) if word.key in listed]


def is_counting(word: Word) -> bool:
    """Whether a word multiplies or repeats the numbers beside it."""
    return word.key in COUNTING


def values(found: list[Word], language: str) -> list[int]:
    """The values of number words."""
    return [_listed(language)[word.key][0] for word in found]


def spelled(model: Word, value: int, language: str) -> str:
    """`value` in words, in the language and case of the number word `model`."""
    return like_case(model.text, number_words.spell(value, _listed(language)[model.key][1]))


def other_words(scope: Scope, found: list[Word], text: str, language: str) -> list[str]:
    """For each number word another one of its kind; one after a ten (`forty-one`) is no zero."""
    listed = _listed(language)
    whole = ".".join(word.key for word in found)
    after_ten = {id(b) for a, b in pairwise(found) if _is_compound(a, b, text, language)}
    made: list[str] = []
    for i, word in enumerate(found):
        value, lang = listed[word.key]
        drawn = scope.sub("said", whole, i)
        low, size, unit = _kind(value, lang, after_ten=id(word) in after_ten)
        moved = low + unit * drawn.cycle(size, (value - low) // unit)
        name = number_words.spell(moved, lang) if moved < _HUNDRED else _hundreds(moved)
        made.append(like_case(word.text, name))
    return made


def _hundreds(value: int) -> str:
    return HUNDREDS_ES[value // _HUNDRED - 2]


def _is_compound(ten: Word, unit: Word, text: str, language: str) -> bool:
    value = _listed(language)[ten.key][0]
    joint = text[ten.end : unit.start].strip()
    return 20 <= value < _HUNDRED and value % 10 == 0 and joint in {"-", "", "y"}


def _kind(value: int, language: str, *, after_ten: bool) -> tuple[int, int, int]:
    """(least, how many, step) of the numbers that may stand for a number word."""
    if value < 10:
        return (1, 9, 1) if after_ten and value else (0, 10, 1)
    if value < 20:
        return 10, 10, 1
    if value >= _HUNDRED:
        return 2 * _HUNDRED, len(HUNDREDS_ES), _HUNDRED
    if language == "es":
        return (20, 10, 1) if value < 30 else (30, 7, 10)
    return 20, 8, 10
