"""Whether a capital says anything: none does that a sentence or a line in capitals asks for."""

from __future__ import annotations

import re

_SIGN = 5
_LOUD = 3
"""Lines of so few words may be names alone, whose capitals say something."""


def is_sign(value: str) -> bool:
    """Whether a value is one word in capitals, long enough to be told from an abbreviation."""
    return len(value) >= _SIGN and value.isalpha() and value.isupper()


def starts_sentence(text: str, at: int) -> bool:
    """Whether a sentence, a line or a list item begins at `at`."""
    head = text[max(0, at - 4) : at].rstrip(" \t\"'(*-")
    return not head or head[-1] in ".!?:\n;"


def shouting(text: str, start: int, end: int) -> bool:
    """Whether the line around `[start, end)` is in capitals, and more than a name."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    line = text[first : last if last >= 0 else len(text)]
    return line.isupper() and len(line.split()) > _LOUD


_CAPITALISED = re.compile(r"\b[^\W\d_a-zà-ÿ][a-zà-ÿ]")
_AROUND = 60


def amid_capitals(text: str, start: int, end: int) -> bool:
    """Whether a word with a capital stands near a span, so that its small letters say something."""
    return _CAPITALISED.search(text, max(0, start - _AROUND), end + _AROUND) is not None
