"""One spelling for every way that a value is written.

Words are compared as `text.folding.fold` gives them, so that "Muñoz", "MUNOZ" and "Mun\u0303oz"
are one name. Offsets of words refer to the text as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from stream_deid.text.folding import INVISIBLE, MARKS, fold, is_letter, without_accents
from stream_deid.text.memo import remembered


def listed(text: str) -> tuple[str, ...]:
    """The words of a literal list."""
    return tuple(text.split())


_APOSTROPHES = "'’‘`´ʼ"
_ASCII_WORD = re.compile(r"[A-Za-z]+(?:['`][A-Za-z]+)*")
_APOSTROPHES_SET = frozenset(_APOSTROPHES)
_BETWEEN = frozenset(c for c in map(chr, range(128)) if not c.isalpha()) - _APOSTROPHES_SET
"""What no word has in it: other characters may be marks of its letters."""


@remembered
def canonical(text: str) -> str:
    """Letters and digits of a name or number, folded (`O’Brien` -> `obrien`, `A-12` -> `a12`)."""
    folded = fold(text)
    return folded if folded.isalnum() else "".join(c for c in folded if c.isalnum())


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text, `[start, end)`, with its canonical form."""

    start: int
    end: int
    text: str = field(repr=False)
    key: str = field(repr=False)


@remembered
def words(text: str) -> tuple[Word, ...]:
    """The words of `text` in order; a possessive 's is left outside."""
    return tuple(_one_by_one(text))


def first_key(text: str) -> str:
    """The canonical form of its first word, or nothing; what follows that is not gone through."""
    return next((word.key for word in _one_by_one(text)), "")


def last_key(text: str) -> str:
    """The canonical form of its last word, or nothing; what goes before is not gone through."""
    end = len(text)
    while end > 0:
        start = next((at for at in range(end, 0, -1) if text[at - 1] in _BETWEEN), 0)
        if found := words(text[start:end]):
            return found[-1].key
        end = start - 1
    return ""


def _one_by_one(text: str) -> Iterator[Word]:
    if text.isascii():
        yield from (_word(text, *match.span()) for match in _ASCII_WORD.finditer(text))
        return
    start = -1
    for i, char in enumerate(text + " "):
        if is_letter(char):
            start = i if start < 0 else start
        elif start >= 0 and not (_inside(char) or _joins(text, i)):
            yield _word(text, start, i)
            start = -1


def _inside(char: str) -> bool:
    """Marks and invisible characters that belong to the word that they stand in."""
    return not char.isascii() and (char in INVISIBLE or unicodedata.category(char) in MARKS)


def _joins(text: str, i: int) -> bool:
    return text[i : i + 1] in _APOSTROPHES_SET and text[i + 1 : i + 2].isalpha()


def _word(text: str, start: int, end: int) -> Word:
    raw = text[start:end]
    if len(raw) > 2 and raw[-1] in "sS" and raw[-2] in _APOSTROPHES:
        raw = raw[:-2]
    return Word(start, start + len(raw), raw, canonical(raw))


def _letters(text: str) -> int:
    return len(text) if text.isalpha() else sum(c.isalpha() for c in text)


def like_case(model: str, value: str) -> str:
    """`value` written as `model` is: all capitals, all lower case, or its own capitals."""
    if model.isascii():
        if model.isupper() and (len(model) > 2 or model.isalpha()) and _letters(model) > 1:
            return value.upper()
        return value.lower() if model.islower() else value
    letters = [c for c in model if c.isalpha()]
    if not letters:
        return value
    if (
        len(letters) > 1
        and all(not c.islower() for c in letters)
        and any(c.isupper() for c in letters)
    ):
        return value.upper()
    if all(not c.isupper() for c in letters):
        return value.lower()
    return value


def first_like(model: str, value: str) -> str:
    """`value` with a capital at its beginning where `model` has one."""
    return value[:1].upper() + value[1:] if model[:1].isupper() else value


def like_written(model: str, value: str, language: str) -> str:
    """`value` in the case of `model`, and without accents where it has none: in English, and in
    capitals.
    """
    if model.isascii() and (model.isupper() or language != "es"):
        value = without_accents(value)
    return like_case(model, value)
