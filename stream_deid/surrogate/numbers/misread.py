"""Digits that a scan read as letters (`l-8OO-55S-O1Z2`), in values that have digits alone, and the
letters of a telephone's keys (`1-800-FLOWERS`, ITU-T E.161).

Taken for letters they would stay, and tell digits of the number.
"""

from __future__ import annotations

import re

from stream_deid.text.keypad import KEYS
from stream_deid.text.linear import Expression

_READ = str.maketrans("OoQlISsZzB", "0001155228")
_WRITTEN = {"0": "Oo", "1": "lI", "5": "Ss", "2": "Zz", "8": "B"}
_MIXED = re.compile(r"[0-9OoQlISsZzB]+(?:[-. ()/]+[0-9OoQlISsZzB]+)*")
_ON_KEYS = re.compile(r"(?<=[0-9]-)[A-Z]{4,7}(?![A-Za-z])")
_LEAST = 7
_LEAST_DIGITS = 3


def digits(text: str, until: Expression | None = None) -> str:
    """`text`, as long, with the digits that its letters stand for; as it is where it has other
    letters. `until`: what ends the number (an extension).
    """
    if text.isascii() and not any(map(str.isalpha, text)):
        return text
    found = until.search(text) if until is not None else None
    end = found.start() if found is not None else len(text)
    head = text[:end]
    match = _MIXED.fullmatch(head.strip().lstrip("+( "))
    if match is None or sum(c.isalnum() for c in head) < _LEAST:
        return text
    if sum(map(str.isdecimal, head)) < _LEAST_DIGITS:
        return text
    return head.translate(_READ) + text[end:]


def dialled(text: str) -> str:
    """A telephone number with the digits of the keys that its letters name."""
    return _ON_KEYS.sub(lambda match: match[0].translate(KEYS), text)


def as_written(text: str, made: str) -> str:
    """The surrogate `made` of what `text` was read as, misread where `text` is and it can be."""
    if len(made) != len(text):
        return made
    return "".join(
        _WRITTEN.get(new, new)[:1] if old.isalpha() and not new.isalpha() else new
        for old, new in zip(text, made, strict=True)
    )
