"""Rooms, beds and wards by their numbers: figures change, words of kind stay, names go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from stream_deid.lists.kinds_of_organizations import KIND_WORDS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers.scramble import scramble
from stream_deid.surrogate.numbers.words import ENDINGS, ordinal_ending, ordinal_mark
from stream_deid.text.canonical import Word, like_case, words
from stream_deid.text.edges import ORDINAL_MARKS

_LISTS = Vocabulary("organizations_rooms", "surrogates")

_ROOM_WORDS = _LISTS.words("room_words")
"""Words beside the numbers of rooms that every hospital has."""
_LETTERS = r"[^\W\d_ªº]{1,2}"
_CODE = re.compile(
    rf"(?i)(?P<code>(?:(?<![^\W\d_]){_LETTERS})?\d+(?:{_LETTERS}\d+)*)"
    rf"(?:(?P<mark>{ORDINAL_MARKS})\b|(?P<last>{_LETTERS})(?![^\W\d_]))?"
)
_BETWEEN = re.compile(r"[ .'-]{0,2}")
_LEAST = 3


def are(text: str) -> bool:
    """Whether a place is told by its number and words of kind alone ("Ward 5E", "4 West")."""
    return any(map(str.isdecimal, text)) and not any(True for _ in _names(text))


def replaced(scope: Scope, text: str, name: Callable[[str], str]) -> str:
    """Digits, and letters that touch them, by pattern; what is no word of kind by `name`."""
    numbered = _numbered(scope, text)
    out: list[str] = []
    done = 0
    for start, end in _names(text):
        out += (numbered[done:start], name(text[start:end]))
        done = end
    return "".join((*out, numbered[done:]))


def _numbered(scope: Scope, text: str) -> str:
    """Each run of figures and the letters that touch it by itself: "5E" is one ward in "5E-22",
    "5E-24" and "5E".
    """
    return _CODE.sub(lambda found: _code(scope, found), text)


def _code(scope: Scope, found: re.Match[str]) -> str:
    made = scramble(scope, found["code"] + (found["last"] or ""))
    if not found["mark"]:
        return made
    number = int("".join(filter(str.isdecimal, made[-2:])))
    return made + _ending(number, found["mark"])


def _ending(number: int, mark: str) -> str:
    """The ending of an ordinal, of its language, as it stands behind another number."""
    if mark.lower() in ENDINGS:
        return like_case(mark, ordinal_ending(number))
    return ordinal_mark(number, mark) if number else mark


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Runs of words that are none of kind."""
    run: list[Word] = []
    for word in words(text):
        if len(word.text) < _LEAST or word.key in KIND_WORDS or word.key in _ROOM_WORDS:
            continue
        if run and not _BETWEEN.fullmatch(text[run[-1].end : word.start]):
            yield run[0].start, run[-1].end
            run = []
        run.append(word)
    if run:
        yield run[0].start, run[-1].end
