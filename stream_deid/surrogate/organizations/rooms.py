"""Rooms, beds and wards by their numbers: figures change, words of kind stay, names go.

| part | becomes |
|---|---|
| floor ("7" of "701A", "7 North", "5E") | another, all by one keyed step |
| room on it ("01") | another, all by one keyed step: rooms of a ward stay side by side |
| letter of a bed, A to D | another of these, all by one keyed step |
| other letters, longer numbers | by pattern |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from stream_deid.lists.kinds_of_organizations import KIND_WORDS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.number_words import ENDINGS, ordinal_ending, ordinal_mark
from stream_deid.surrogate.numbers import spoken_numbers
from stream_deid.surrogate.scramble import scramble
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
_RUN = re.compile(r"\d+|\D+")
_LETTER_RUN = re.compile(r"[^\W\d_]+")
_FLOOR, _ROOM = 2, 2  # figures at most of a floor, and of a room on it ("701", "1204")
_ROOMS = 99
_STEPS = 20
"""By how many numbers rooms move at most: farther, and more of them lose their order."""
_BEDS, _NO_BEDS = "ABCD", "EFGHIJKLMNOPQRSTUVWXYZ"
_TRIES = 8


def are(text: str) -> bool:
    """Whether a place is told by a letter, or by its number and words of kind alone ("Ward 5E", "4
    West").
    """
    numbered = any(map(str.isdecimal, text)) and not any(True for _ in _names(text))
    return numbered or len(text) == 1


def replaced(scope: Scope, text: str, name: Callable[[str], str]) -> str:
    """Digits, and letters that touch them, by pattern; what is no word of kind by `name`."""
    if len(text) == 1:
        return short(scope, text)
    numbered = _numbered(scope, text)
    out: list[str] = []
    done = 0
    for start, end in _names(text):
        out += (numbered[done:start], name(text[start:end]))
        done = end
    return "".join((*out, numbered[done:]))


def said(scope: Scope, text: str, language: str) -> str:
    """A room in words ("five twelve bed two") with other numbers; empty where other words than
    those of rooms stand in it.
    """
    numbers = spoken_numbers.said(text, language)
    keys = {word.key for word in words(text)} - {word.key for word in numbers}
    if not numbers or not keys <= _ROOM_WORDS:
        return ""
    made: list[str] = []
    done = 0
    for word, name in zip(
        numbers, spoken_numbers.other_words(scope, numbers, text, language), strict=True
    ):
        made += (text[done : word.start], name)
        done = word.end
    return "".join((*made, text[done:]))


def short(scope: Scope, text: str) -> str:
    """A bed, bay or chair of two characters at most, as it is in a longer one ("A" of "701A")."""
    if any(map(str.isdecimal, text)):
        return _numbered(scope, text)
    return _LETTER_RUN.sub(lambda found: _letters(scope, found[0]), text)


def _numbered(scope: Scope, text: str) -> str:
    """Each run of figures and the letters that touch it by itself: "5E" is one ward in "5E-22",
    "5E-24" and "5E".
    """
    return _CODE.sub(lambda found: _code(scope, found), text)


def _code(scope: Scope, found: re.Match[str]) -> str:
    """Floors, rooms and letters of beds apart: rooms of a ward stay in one, in their order but for
    the last ones, and beds A to D are among these.
    """
    written = found["code"] + (found["last"] or "")
    made = _RUN.sub(
        lambda run: _figures(scope, run[0]) if run[0].isdecimal() else _letters(scope, run[0]),
        written,
    )
    if not found["mark"]:
        return made
    number = int("".join(filter(str.isdecimal, made[-2:])))
    return made + _ending(number, found["mark"])


def _figures(scope: Scope, written: str) -> str:
    """A floor (a figure), a room (two) or both; longer numbers by pattern."""
    if len(written) > _ROOM + _FLOOR or not written.isascii() or not int(written):
        return scramble(scope, written)
    floor, room = written[:-_ROOM], written[-_ROOM:]
    if not floor:
        return _shifted(scope, written)
    inside = scope.sub("room").integer(_STEPS) + 1
    moved = (int(room) - 1 + inside) % _ROOMS + 1 if int(room) else 0
    return f"{_shifted(scope, floor) if int(floor) else floor}{moved:0{_ROOM}d}"


def _shifted(scope: Scope, written: str) -> str:
    """Another number of as many figures, all by one keyed step; a leading zero stays."""
    least = 10 ** (len(written.lstrip("0")) - 1)
    count = 9 * least
    step = scope.sub("floor", count).integer(min(count - 1, _STEPS)) + 1
    return f"{least + (int(written) - least + step) % count:0{len(written)}d}"


def _letters(scope: Scope, written: str) -> str:
    """Other letters, A to D among themselves where one stands alone; none that was there."""
    alphabet = _BEDS if written.upper() in _BEDS else _NO_BEDS
    if len(written) == 1 and written.upper() in alphabet:
        step = scope.sub("letter", len(alphabet)).integer(len(alphabet) - 1) + 1
        made = alphabet[(alphabet.index(written.upper()) + step) % len(alphabet)]
        return made if written.isupper() else made.lower()
    made = scramble(scope, written)
    for _ in range(_TRIES):
        if set(made.upper()).isdisjoint(written.upper()):
            break
        made = scramble(scope, made)
    return made


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
