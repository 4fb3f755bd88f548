"""A word that stands alone where a code, a relative address or a version belongs.

The form of a code says nothing of what it is: `GUTIERREZ` has it too. So what no public vocabulary
vouches for is held against closed lists, as HL7 v2's codes are (`hl7/values/lone_codes.py`): the
codes and names of elements of the specification, the words of HL7's tables and clinical words stay,
listed names are somebody's, other words are examined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache

from stream_deid.formats.fhir.definitions.specification import specification
from stream_deid.formats.hl7.maps.field_map import Closed, field_map
from stream_deid.formats.hl7.values import numeric_values
from stream_deid.formats.placeholders import is_placeholder
from stream_deid.labels import PhiType
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import genera, results
from stream_deid.note import Span
from stream_deid.text.folding import fold

_LETTERS = re.compile(r"[^\W\d_]+")
_PIECES = re.compile(r"[^\W\d_a-z]+(?![a-z])|[^\W\d_a-z]?[^\W\d_A-Z]+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}:\S+")
_NAMED = 4
"""Letters of a word that may be a listed name."""
_EXAMINED = 5
"""Letters of a word that may be a name which no list holds."""


class Lone(Enum):
    """What becomes of a listed name that stands alone."""

    REPLACED = "replaced"
    EXAMINED = "examined"
    KEPT = "kept"


def found(text: str, lone: Lone) -> list[Span]:
    """What has to go of a token: listed names, and ten digits that are a telephone number."""
    if lone is not Lone.REPLACED or not _is_token(text):
        return []
    if numeric_values.is_telephone(text.strip()):
        return [Span(0, len(text), PhiType.PHONE)]
    return list(_names(text))


def is_doubtful(text: str, lone: Lone) -> bool:
    """Whether a token has to be examined: one word that is on no list, nor made of such
    (`ombCategory`), or a listed name where words of a product stand.
    """
    if lone is Lone.KEPT or not _is_token(text):
        return False
    return _is_unknown(text) or any(_names(text))


def _names(text: str) -> Iterator[Span]:
    for at, word in _words(text):
        if len(word) >= _NAMED and is_listed_name(word) and not _is_code(word):
            yield Span(at, at + len(word), PhiType.DOCTOR)


def _is_unknown(text: str) -> bool:
    plain = text.strip()
    return (
        len(plain) >= _EXAMINED
        and _LETTERS.fullmatch(plain) is not None
        and not _is_code(plain)
        and not all(len(piece) < _NAMED or _is_code(piece) for _, piece in _words(plain))
    )


def _is_token(text: str) -> bool:
    return not re.search(r"\s", text.strip()) and not _SCHEME.fullmatch(text.strip())


def _words(text: str) -> Iterator[tuple[int, str]]:
    """The words of a token; `firstName` is two."""
    for run in _LETTERS.finditer(text):
        pieces = list(_PIECES.finditer(run[0]))
        if "".join(piece[0] for piece in pieces) != run[0]:
            yield run.start(), run[0]
        else:
            yield from ((run.start() + piece.start(), piece[0]) for piece in pieces)


def _is_code(word: str) -> bool:
    low = fold(word).lower()
    return low in _own() or _codes().holds(word) or is_placeholder(word) or is_clinical(word)


def _codes() -> Closed:
    return field_map().listed["code"]


@cache
def _own() -> frozenset[str]:
    """Words of the specification's codes, types and elements, of results and of organisms."""
    found: set[str] = set()
    for path, elements in specification().children.items():
        for name in (*path.split("."), *elements):
            found.update(piece.lower() for _, piece in _words(name))
        for element in elements.values():
            for code in element.codes:
                found.update(piece.lower() for _, piece in _words(code))
    found.update(piece.lower() for part in specification().parts for _, piece in _words(part))
    return frozenset(found) | results() | genera()
