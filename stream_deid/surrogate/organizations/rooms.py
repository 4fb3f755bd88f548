"""Rooms, beds and wards by their numbers: figures change, words of kind stay, names go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from stream_deid.lists.kinds_of_organizations import KIND_WORDS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers.scramble import scramble
from stream_deid.text.canonical import Word, words

_LISTS = Vocabulary("organizations_rooms", "surrogates")

_ROOM_WORDS = _LISTS.words("room_words")
"""Words beside the numbers of rooms that every hospital has."""
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[ .'-]{0,2}")
_LEAST = 3


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
    kept = {i for match in _ORDINAL.finditer(text) for i in range(*match.span())}
    places = [i for i, ch in enumerate(text) if i not in kept and _is_numbers(text, i, ch)]
    letters = list(text)
    for i, ch in zip(places, scramble(scope, "".join(text[i] for i in places)), strict=True):
        letters[i] = ch
    return "".join(letters)


def _is_numbers(text: str, i: int, ch: str) -> bool:
    touches = text[i - 1 : i].isdecimal() or text[i + 1 : i + 2].isdecimal()
    return ch.isdecimal() or (ch.isalpha() and touches)


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
