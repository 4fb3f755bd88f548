"""Halves of names: the word that goes on behind a name that was found; of pairs of coordinates.

half = initial Name            "A." of "Asst: A. Blood"
     | name word age sex       "abimbola" of "abimbola sunday, 61f"
     | letter of dotted letters "a.g.m." of which a model marked "a"
     | name "/" listed name    "Garrido" of "Cir: Amo/Garrido"
     | name "-" Name           "Cole" of "Abernathy-Cole"
     | initial name            "M." of "Verifica: M. Alondra"
     | letters "/" name        "CW" of "Verified CW/M. Lark"
     | decimal "," decimal     both of "46.786, -92.100" of which one was found
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stream_deid.detect.patterns.names.words import NO_INITIALS
from stream_deid.detect.settle.fusion.spans import WEAK
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.name_words import is_word
from stream_deid.lists.namesakes import is_abbreviation, is_clinical
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded

DETECTOR = "other-half@1"
_INITIAL = re.compile(r"[A-Z]\.?")
_SURNAME = re.compile(r"\.? ?([A-Z][a-z]{2,})(?![A-Za-z'.])")
_MATE = re.compile(r"/([A-Z][a-z]{2,})(?![A-Za-z'/-]|\.[A-Za-z])")
_HYPHENED = re.compile(r"-([A-Z][a-z]{2,})(?![A-Za-z'-])")
_DOTTED = re.compile(r"(?<![\w.])[A-Za-z](?:\.[A-Za-z]){1,3}(?![\w])")
_NO_NAME = Vocabulary("no_person").words("dotted")
_LONE_INITIAL = re.compile(r"(?m)(?:^|[:/,(;&|][ ]?|[ ]{2})([A-Z]\.)[ ]?\Z")
_SIGNED_BEFORE = re.compile(r"(?m)(?:^|[ ])([A-Z]{2,3})/(?:[A-Z]\.[ ]?)?\Z")
_AROUND = 8
_SURE = 0.7
_PLACE = re.compile(
    r"(?<![\w.])-?\d{1,2}\.\d{3,8} ?[,;/ ] ?-?\d{1,3}\.\d{3,8}(?![\w]|\.\d)", re.ASCII
)
_LONGEST_PLACE = 28
_DECIMAL = re.compile(r"-?\d{1,3}\.\d{3,8}", re.ASCII)
_AGED = re.compile(
    r" ([A-Za-z][A-Za-z'-]{2,14}),? ?\(?\d{1,3} ?(?:y/?o|yr|f|m|yof|yom|a|anos)(?![A-Za-z])",
    re.IGNORECASE,
)


def other_halves(text: str, found: Sequence[Finding]) -> list[Detection]:
    """The words behind names in `found` that belong to them."""
    shown = folded(text)
    return [
        *_other_coordinates(shown, found),
        *(
            Detection(start, end, one.type, DETECTOR, one.score, one.label)
            for one in found
            if one.type in PERSONS
            for start, end in (*_written_with(shown, one), *_going_on(shown, one))
        ),
    ]


def _other_coordinates(shown: str, found: Sequence[Finding]) -> Iterator[Detection]:
    """The pair of decimals of which a finding is one or a part: both are replaced, as one place."""
    for one in found:
        if not _DECIMAL.fullmatch(shown, one.start, one.end):
            continue
        low = max(0, one.start - _LONGEST_PLACE)
        for pair in _PLACE.finditer(shown, low, one.end + _LONGEST_PLACE):
            if pair.start() <= one.start and one.end <= pair.end():
                yield Detection(*pair.span(), PhiType.LOCATION_OTHER, DETECTOR, 1.0)


def _written_with(shown: str, one: Finding) -> Iterator[tuple[int, int]]:
    """All of the dotted letters of which a finding is a part, the name behind its slash."""
    if one.end - one.start <= _AROUND:
        low = max(0, one.start - _AROUND)
        hits = _DOTTED.finditer(shown, low, one.end + _AROUND)
        told = (hit.span() for hit in hits if hit[0].lower() not in _NO_NAME)
        yield from ((a, b) for a, b in told if a <= one.start < one.end <= b + 1)
    sure = one.score >= _SURE
    for beginning in (_LONE_INITIAL, _SIGNED_BEFORE):
        hit = beginning.search(shown, max(0, one.start - _AROUND), one.start)
        if sure and hit is not None and not _clinical(hit[1]):
            yield hit.span(1)
    mate = _MATE.match(shown, one.end)
    if mate is not None and is_listed_name(mate[1]) and not is_clinical(mate[1]):
        yield mate.span(1)
    second = _HYPHENED.match(shown, one.end)
    if second is not None and sure and _is_a_name(second[1]) and shown[one.start].isupper():
        yield one.start, second.end(1)


def _is_a_name(word: str) -> bool:
    """Whether a word behind a name and its hyphen may be one: listed, or no word that is known."""
    low = word.lower()
    known = is_term(low) or is_word(low) or is_clinical(low)
    return (is_listed_name(low) and not is_term(low)) or not known


def _clinical(letters: str) -> bool:
    """Whether letters are an abbreviation of the clinic or somebody's credential as well."""
    return letters.lower() in NO_INITIALS or is_abbreviation(letters)


def _going_on(shown: str, one: Finding) -> Iterator[tuple[int, int]]:
    """A name with the surname behind its initial, or the word before an age."""
    if one.score < WEAK:
        return
    initial = _INITIAL.fullmatch(shown[one.start : one.end])
    behind = (_SURNAME if initial else _AGED).match(shown, one.end)
    if behind is not None and (not initial or shown[one.start - 1 : one.start] in ("", " ")):
        yield one.start, behind.end(1)
