"""Codes, numbers and coded elements: which piece of one may stay.

An element is id, text, system; twice; then versions and the original text. Its text is trusted
where an id and a known coding system stand beside it. A lone token is a code; words beside others
are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from stream_deid.formats.hl7.er7.components import at
from stream_deid.formats.short_values import few_words
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import is_stamp

# All of these are matched whole against single fields or pieces of one, and none can match one
# text in two ways, so that they take linear time.
_CODE = re.compile(r"[^\s]{1,40}")
_NUMBER = r"(?:\d{1,7}(?:[.,]\d{0,7})?|[.,]\d{1,7}) ?"
_NUMERIC = re.compile(rf"[<>=~ ]{{0,3}}(?:{_NUMBER})?(?:[-/:^] ?(?:{_NUMBER})?){{0,3}}%?")
_SYSTEMS = Vocabulary("coding_systems", "", "stream_deid.formats.hl7")
_SYSTEM = re.compile(f"{_SYSTEMS['named']}|{_SYSTEMS['local']}")
_LOCAL = re.compile(_SYSTEMS["local"])
_LONG = re.compile(_SYSTEMS["long"])
"""Those whose codes are numbers of eight digits and more."""
_NAME = 5
_TEXTS = (1, 4, 8)


class Piece(Enum):
    """What a piece of a coded element is: `NUMBER` a long number of a public system, `PUBLIC`
    anything else of one, `CODE` of a local system or none, `DATE`, `WORDS` to be examined.
    """

    EMPTY = "empty"
    NUMBER = "number"
    PUBLIC = "public"
    CODE = "code"
    DATE = "date"
    WORDS = "words"


def read(values: Sequence[str], *, examine_text: bool) -> Iterator[Piece]:
    """What each component of an element is; `examine_text`: no text of one is trusted."""
    lone = sum(map(bool, values)) == 1
    for number, value in enumerate(values):
        is_text = number in _TEXTS
        system = _system(values, number)
        if not value:
            yield Piece.EMPTY
        elif system and not (examine_text and is_text):
            if _LOCAL.fullmatch(system):
                yield Piece.CODE
            else:
                yield Piece.PUBLIC if is_text else _public(value, system)
        elif is_stamp(value):
            yield Piece.DATE
        elif (examine_text and (is_text or lone)) or not _looks_like_code(value, lone=lone):
            yield Piece.WORDS
        else:
            yield Piece.CODE


def is_prose(values: Sequence[str], number: int) -> bool:
    """Whether words are a sentence that somebody typed where no code stands."""
    coded = number in _TEXTS and any(at(values, first) for first in (1, 4))
    return not coded and not few_words(values[number])


def is_local(system: str) -> bool:
    """Whether a coding system is called as those of a sender of its own are (`L`, `99LAB`)."""
    return _LOCAL.fullmatch(system) is not None


def _public(code: str, system: str) -> Piece:
    """A code of a public system; none is a word as long as a name."""
    if code.isalpha() and len(code) >= _NAME:
        return Piece.CODE
    return Piece.NUMBER if _LONG.fullmatch(system) else Piece.PUBLIC


def _system(values: Sequence[str], number: int) -> str:
    """The known coding system of a component that has an id beside it, or the empty string."""
    group = 3 * (number // 3)
    found = at(values, group + 3)
    known = number < 6 and at(values, group + 1) and _SYSTEM.fullmatch(found)
    return found if known else ""


def _looks_like_code(value: str, *, lone: bool) -> bool:
    if _NUMERIC.fullmatch(value):
        return True
    if not _CODE.fullmatch(value):
        return False
    return lone or len(value) <= 3 or any(c.isdecimal() for c in value)
