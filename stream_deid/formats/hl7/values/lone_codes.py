"""What stands alone where a code belongs and is on no list of codes: a word, a long number.

Any token that stands alone looks like a code. So a word is held against lists: codes and clinical
words stay, listed names are somebody's, other words are examined. Where a field has a table of HL7
(`people`: segments that say who is who, what visit this is, who pays) an eponym is no code
and a long number neither; orders, results, diagnoses and drugs have codes without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from stream_deid.detect.words.substances import is_substance
from stream_deid.detect.words.terms import WORD
from stream_deid.formats.hl7.er7.components import at
from stream_deid.formats.hl7.maps.field_map import Closed
from stream_deid.formats.placeholders import is_placeholder
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import is_day_word
from stream_deid.lists.known_words import COMMON, PARTICLES, TITLES
from stream_deid.lists.name_words import is_word
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import given_names, is_listed_name
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
_LEAST_CODE = 2
_LEAST_NAME = 3
"""A shorter word in small letters joins others (`called to`), whoever is called To."""
_EXAMINED = 5
"""Letters of a word that may be a name which no list holds."""


def names(text: str, path: str, codes: Closed, asked: str = "") -> Iterator[Span]:
    """The listed names and long numbers in a token; none is a food where one is `asked` for. What a
    hyphen joins to a name is a part of it (`MBEKI-ROSS`), unless it is a thing called after several
    (`Howell-Jolly`).
    """
    if not _is_token(text) or is_substance(text, asked):
        return
    people = path.startswith(_PEOPLE)
    for run in WORD.finditer(text):
        parts = list(_LETTERS.finditer(text, *run.span()))
        if not people and len(parts) > 1 and any(is_clinical(part[0]) for part in parts):
            continue
        named = [_is_name(part[0], codes, people=people) for part in parts]
        if not any(named):
            continue
        for part, is_name in zip(parts, named, strict=True):
            if is_name or not _is_code(part[0], codes, people=people):
                yield Span(*part.span(), PhiType.DOCTOR)
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


def shortens(code: str, text: str, path: str) -> bool:
    """Whether the code of a test is made of letters of its text, in order and from a word's first
    (`NOTT^Nottingham Hip Fracture Score`, `MARGIN^Closest margin`), and that text is a test's: a
    word of it is of the clinic or of everyday language, and none a given name. Elsewhere one of
    these words begins with it (`CARD^Cardiology`), but a day's (`MON^Monday`).
    """
    letters = "".join(_LETTERS.findall(fold(code))).lower()
    said = [fold(word).lower() for word in _LETTERS.findall(text)]
    if len(letters) < _LEAST_CODE or not said:
        return False
    known = [word for word in said if len(word) >= _LEAST_NAME and _is_everyday(word)]
    if _OF_A_TEST.match(path) is None and not _begins(letters, known):
        return False
    if not known or any(_is_given(word) for word in said if word not in known):
        return False
    return any(_holds_in_order(letters, said[first:]) for first in range(len(said)))


def _begins(letters: str, words: Sequence[str]) -> bool:
    return len(letters) >= _LEAST_NAME and any(
        word.startswith(letters) and word != letters and not is_day_word(word) for word in words
    )


def persons(values: Sequence[str], path: str, codes: Closed) -> Mapping[int, PhiType]:
    """What the components of a person are, who stands where codes belong, by their index: number,
    family and given name (`1447^LUNDGREN^KAI`: no given name is a coding system), or the two names
    alone (`DUONG^VAN`).
    """
    first, family, given = (at(values, number) for number in (1, 2, 3))
    if any(map(str.isdecimal, first)) and _are_names(family, given, codes):
        everyday = _is_everyday(fold(family).lower())
        return {} if everyday else {0: PhiType.IDNUM, 1: PhiType.DOCTOR, 2: PhiType.DOCTOR}
    alone = not any(value.strip() for value in values[2:])
    if path.startswith(_PEOPLE) and alone and _are_names(first, family, codes):
        return {0: PhiType.DOCTOR, 1: PhiType.DOCTOR}
    return {}


def _are_names(family: str, given: str, codes: Closed) -> bool:
    low = fold(given).lower()
    return (
        family.isalpha()
        and _is_name(family, codes, people=True)
        and not _is_code(given, codes, people=True)
        and (_is_given(low) or low in PARTICLES)
    )


def staff(values: Sequence[str], number: int, codes: Closed) -> PhiType | None:
    """What component `number` is of a coded element whose text is somebody's listed name: the name,
    or the number of its bearer (`7712^Ravi Mukhopadhyay`). With a title it is for models to cut.
    """
    said = [fold(word).lower() for word in _LETTERS.findall(at(values, 2))]
    bare = [word for word in said if len(word) >= _LEAST_NAME and word not in TITLES]
    if not any(_is_name(word, codes, people=False) for word in bare) or any(
        _is_everyday(word) or _is_code(word, codes, people=False) for word in bare
    ):
        return None
    if number == 0:
        code = PhiType.IDNUM if any(map(str.isdecimal, values[0])) else PhiType.USERNAME
        return code if len(values[0]) >= _LEAST_NAME else None
    titled = any(word in TITLES for word in said)
    return PhiType.DOCTOR if number == 1 and not titled else None


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


def _holds_in_order(letters: str, said: Sequence[str]) -> bool:
    """Whether `letters` stand in these words in order, from the first one's first on."""
    run = iter("".join(said))
    return letters[0] == said[0][0] and all(letter in run for letter in letters)


def _is_everyday(word: str) -> bool:
    return is_word(word) or word in _results() or is_clinical(word)


def _is_given(word: str) -> bool:
    return word in given_names()


def _is_name(word: str, codes: Closed, *, people: bool) -> bool:
    long = _WORD.fullmatch(word) is not None
    return long and is_listed_name(word) and not _is_code(word, codes, people=people)


def _is_token(text: str) -> bool:
    return not re.search(r"\s", text.strip())


def _is_code(word: str, codes: Closed, *, people: bool) -> bool:
    if codes.holds(word) or is_placeholder(word):
        return True
    return not people and (fold(word).lower() in _results() or is_clinical(word))


@cache
def _results() -> frozenset[str]:
    return results() | genera()
