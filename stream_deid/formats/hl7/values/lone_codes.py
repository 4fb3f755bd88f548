"""What stands alone where a code belongs and is on no list of codes: a word, a long number.

Any token that stands alone looks like a code. So a word is held against lists: codes and clinical
words stay, listed names are somebody's, other words are examined. Where a field has a table of HL7
(`people`: segments that say who is who, what visit this is, who pays) an eponym is no code
and a long number neither; orders, results, diagnoses and drugs have codes without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from stream_deid.detect.words.substances import is_substance
from stream_deid.formats.hl7.maps.field_map import Closed
from stream_deid.formats.placeholders import is_placeholder
from stream_deid.labels import PhiType
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary, genera, results
from stream_deid.note import Span
from stream_deid.text.folding import fold

_PEOPLE = (
    "MSA", "ERR", "EVN", "PID", "PD1", "NK1", "PV1", "PV2", "MRG", "GT1", "IN1", "IN2", "IN3",
    "ROL", "PRT", "STF", "PRD", "CTD", "RF1", "AUT", "ACC", "DB1", "ARV", "PDA", "CON", "SCH",
    "RGS", "AIG", "AIL", "AIP",
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{4,}")
_LETTERS = re.compile(r"[^\W\d_]+")
_LONG_NUMBER = re.compile(r"\d{8,}")
_TESTED = re.compile(rf"(?i)\b(?:{Vocabulary('short_values')['tested']})\b")
_OF_A_TEST = re.compile(r"(?:OBX\[\d+\]-3|OBR\[\d+\]-4)(?!\d)")
_LEAST_NAME = 3
"""A shorter word in small letters joins others (`called to`), whoever is called To."""
_EXAMINED = 5
"""Letters of a word that may be a name which no list holds."""


def names(text: str, path: str, codes: Closed, asked: str = "") -> Iterator[Span]:
    """The listed names and long numbers in a token; none is a food where one is `asked` for."""
    if not _is_token(text) or is_substance(text, asked):
        return
    people = path.startswith(_PEOPLE)
    for word in _WORD.finditer(text):
        if is_listed_name(word[0]) and not _is_code(word[0], codes, people=people):
            yield Span(*word.span(), PhiType.DOCTOR)
    if people:
        yield from (Span(*number.span(), PhiType.IDNUM) for number in _LONG_NUMBER.finditer(text))


def is_test(text: str, path: str, beside: Sequence[str]) -> bool:
    """Whether a token is the code of what is written beside it, and no name before a given name
    (`GENO^CYP2C19`, not `GENO^MARIA`): a word beside itself is no name (`GROSS^Gross`), and what
    begins with it and is called a test or an agent is one (`ROSS^Ross River virus`).
    """
    said = " ".join(beside)
    own = text.strip().lower()
    words = [word[0] for word in _LETTERS.finditer(said)]
    words = [word for word in words if len(word) >= _LEAST_NAME or not word.islower()]
    if path.startswith(_PEOPLE) or not words:
        return False
    if words[0].lower() == own and _TESTED.search(said) is not None:
        return True
    return not any(is_listed_name(word) and not word.lower() == own in COMMON for word in words)


def is_thing(text: str, start: int, end: int, path: str) -> bool:
    """Whether a word in small letters between others of a test's name is what everybody calls a
    thing so (`Kidney stone analysis`), whoever is called Stone.
    """
    word = text[start:end]
    between = bool(text[:start].strip()) and bool(text[end:].strip())
    return between and word.islower() and word in results() and _OF_A_TEST.match(path) is not None


def is_unknown(text: str, path: str, codes: Closed) -> bool:
    """Whether a token is a word on no list."""
    word = _WORD.fullmatch(text.strip())
    if word is None or len(word[0]) < _EXAMINED:
        return False
    return not _is_code(word[0], codes, people=path.startswith(_PEOPLE))


def _is_token(text: str) -> bool:
    return not re.search(r"\s", text.strip())


def _is_code(word: str, codes: Closed, *, people: bool) -> bool:
    if codes.holds(word) or is_placeholder(word):
        return True
    return not people and (fold(word).lower() in _results() or is_clinical(word))


@cache
def _results() -> frozenset[str]:
    return results() | genera()
