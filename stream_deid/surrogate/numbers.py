"""Identifiers of digits and letters: same length, separators and kind of each character.

The characters that carry the identifier are a number in mixed radix, moved along one keyed cycle
through all of their patterns (`Scope.cycle`): one to one within a scope, and never the same.
The scope is the patient, not the type, and separators don't count, so that "123-45-6789" and
"123456789" agree wherever they stand.
"""

from __future__ import annotations

from collections.abc import Sequence

from stream_deid.surrogate.canonical import fold
from stream_deid.surrogate.derive import Scope

_DIGITS = "0123456789"
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER = _UPPER.lower()
_CHUNK = 48


def _alphabet(char: str, *, leads: bool) -> str:
    if "0" <= char <= "9":
        return _DIGITS[1:] if leads and char != "0" else _DIGITS
    if "A" <= char <= "Z":
        return _UPPER
    if "a" <= char <= "z":
        return _LOWER
    if char.isdecimal():
        zero = ord(char) - int(char)
        return "".join(chr(zero + i) for i in range(10))
    return _UPPER if char.isupper() else _LOWER


def canonical(text: str) -> str:
    """Letters and digits of an identifier, folded."""
    return "".join(c for c in fold(text) if c.isalnum())


def _index(alphabet: str, char: str) -> int:
    at = alphabet.find(char)
    return at if at >= 0 else ord(char) % len(alphabet)


def _cycle(scope: Scope, chars: Sequence[str], alphabets: Sequence[str], salt: int) -> list[str]:
    value, size = 0, 1
    for char, alphabet in zip(chars, alphabets, strict=True):
        value = value * len(alphabet) + _index(alphabet, char)
        size *= len(alphabet)
    shape = "".join(str(len(a)) + "." for a in alphabets)
    value = scope.sub("number", shape, salt).cycle(size, value)
    made: list[str] = []
    for alphabet in reversed(alphabets):
        value, at = divmod(value, len(alphabet))
        made.append(alphabet[at])
    return made[::-1]


def scramble(scope: Scope, text: str, salt: int = 0) -> str:
    """`text` with every letter and digit replaced by its kind; other characters stay."""
    places = [i for i, c in enumerate(text) if c.isalnum()]
    letters = list(text)
    for start in range(0, len(places), _CHUNK):
        block = places[start : start + _CHUNK]
        alphabets = [_alphabet(text[i], leads=start + k == 0) for k, i in enumerate(block)]
        chars = [text[i] for i in block]
        made = _cycle(scope.sub(start), chars, alphabets, salt)
        for i, char in zip(block, made, strict=True):
            letters[i] = char
    return "".join(letters)


def other_digits(scope: Scope, digits: str) -> str:
    """Another run of as many digits (0 to 9, zeros may lead); one to one for each length."""
    if not digits:
        return ""
    size = 10 ** len(digits)
    return f"{scope.sub('digits', len(digits)).cycle(size, int(digits)):0{len(digits)}d}"


def scramble_digits(scope: Scope, text: str, salt: int = 0) -> str:
    """`text` with its digits replaced; everything else stays (telephones, house numbers)."""
    places = [i for i, c in enumerate(text) if c.isdecimal()]
    if not places:
        return text
    digits = "".join(text[i] for i in places)
    letters = list(text)
    for i, char in zip(places, scramble(scope, digits, salt), strict=True):
        letters[i] = char
    return "".join(letters)
