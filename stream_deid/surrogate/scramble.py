"""Identifiers of digits and letters: same length, separators and kind of each character.

The characters that carry the identifier are a number in mixed radix, moved along one keyed cycle
through all of their patterns (`Scope.cycle`): one to one within a scope, and never the same.
The scope is the patient, not the type, and separators don't count, so that "123-45-6789" and
"123456789" agree wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stream_deid.surrogate.keys import Scope
from stream_deid.text.linear import linear

_DIGITS = "0123456789"
_FROM_ONE = _DIGITS[1:]
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER = _UPPER.lower()
_PLACES = {c: (alphabet, i) for alphabet in (_DIGITS, _UPPER, _LOWER)
           for i, c in enumerate(alphabet)}  # fmt: skip
_SHAPES = {n: f"{n}." for n in (9, 10, 26)}
_CHUNK = 48


def _alphabet(char: str) -> str:
    """The characters that may replace a letter or digit that is not ASCII."""
    if char.isdecimal():
        zero = ord(char) - int(char)
        return "".join(chr(zero + i) for i in range(10))
    return _UPPER if char.isupper() else _LOWER


def _place(char: str, *, leads: bool) -> tuple[str, int]:
    """(alphabet of a character, its index there); a leading digit but 0 never becomes 0."""
    if leads and char in _FROM_ONE:
        return _FROM_ONE, int(char) - 1
    known = _PLACES.get(char)
    if known is not None:
        return known
    alphabet = _alphabet(char)
    at = alphabet.find(char)
    return alphabet, at if at >= 0 else ord(char) % len(alphabet)


_STAR = ""  # of private use: no letter, no digit, in no note
_MASK = linear(rf"(?:\(?[Xx*•#{_STAR}]{{2,}}\)?[-. /]*)+")
_CROSSES = re.compile(r"(?<![^\W\d_])(?:X{2,}|x{2,})(?![^\W\d_])")


def masked(text: str) -> tuple[str, str]:
    """What masks the beginning of a number (`XXX-XX-`), and what it leaves to be read (`4471`)."""
    found = _MASK.match(text)
    at = found.end() if found is not None else 0
    if not (at == len(text) or text[at].isdecimal()):
        at = 0
    return text[:at], text[at:]


def starred(text: str, least: int) -> str:
    """`text` with the crosses that mask as stars: at its beginning, or `least` at once."""
    if "xx" not in text.lower():
        return text
    mask, shown = masked(text)
    return _CROSSES.sub(_stars, mask) + _CROSSES.sub(
        lambda m: _stars(m) if len(m[0]) >= least else m[0], shown
    )


def _stars(crosses: re.Match[str]) -> str:
    return _STAR * len(crosses[0])


def unstarred(text: str, hidden: str, made: str) -> str:
    """A surrogate of `hidden` (`starred(text)`) with the crosses of `text` in order again."""
    crosses = iter([c for c, star in zip(text, hidden, strict=True) if star == _STAR])
    return "".join([next(crosses, "") if c == _STAR else c for c in made])


def _cycle(scope: Scope, places: Sequence[tuple[str, int]], salt: int) -> list[str]:
    shape = "".join([_SHAPES[len(alphabet)] for alphabet, _ in places])
    sizes = [len(alphabet) for alphabet, _ in places]
    made = scope.sub("number", shape, salt).cycle_places(sizes, [at for _, at in places])
    return [alphabet[at] for (alphabet, _), at in zip(places, made, strict=True)]


def scramble(scope: Scope, text: str, salt: int = 0) -> str:
    """`text` with every letter and digit replaced by its kind; other characters stay."""
    where = [i for i, c in enumerate(text) if c.isalnum()]
    letters = list(text)
    for start in range(0, len(where), _CHUNK):
        block = where[start : start + _CHUNK]
        places = [_place(text[i], leads=start + k == 0) for k, i in enumerate(block)]
        for i, char in zip(block, _cycle(scope.sub(start), places, salt), strict=True):
            letters[i] = char
    return "".join(letters)


def other_digits(scope: Scope, digits: str) -> str:
    """Another run of as many digits (0 to 9, zeros may lead); one to one for each length."""
    return "".join(
        _other(
            scope.sub("digits", len(digits), *([start] if start else [])),
            digits[start : start + _CHUNK],
        )
        for start in range(0, len(digits), _CHUNK)
    )


def _other(scope: Scope, digits: str) -> str:
    return f"{scope.cycle(10 ** len(digits), int(digits)):0{len(digits)}d}"


def scramble_digits(scope: Scope, text: str, salt: int = 0) -> str:
    """`text` with its digits replaced; everything else stays (telephones, house numbers)."""
    where = [i for i, c in enumerate(text) if c.isdecimal()]
    if not where:
        return text
    digits = "".join([text[i] for i in where])
    letters = list(text)
    for i, char in zip(where, scramble(scope, digits, salt), strict=True):
        letters[i] = char
    return "".join(letters)
