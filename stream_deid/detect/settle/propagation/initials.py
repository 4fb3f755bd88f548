"""Initials of people whom the note names: who signs, who is told, who was seen.

initials = of all words of a name, without its particles, of the first and the last
         | letters that are found twice and more           "TM" of a column of who took it
place    = (line | ";" | "(" | "-" | "/" | "by" | ...) INITIALS (line | ";" | ")" | "/" | ...)

Initials that are an abbreviation of the clinic as well ("PT") count where they are all of a line,
begin a chain of initials that is ("MD/NTS-KP") or stand in brackets behind the name itself. Who
goes on to speak may have a middle name that the note doesn't tell ("Samir Rafi", "(SMR): ...").
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

from stream_deid.detect.settle.fusion.spans import WEAK
from stream_deid.labels import PERSONS
from stream_deid.lists.known_words import PARTICLES, TITLES
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded

DETECTOR = "initials-of@1"
_WORDS = Vocabulary("initials")
_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
_SIGNED = re.compile(
    rf"(?m)(?P<before>^[ \t]*|[;|(/>~-][ ]?|\b(?:{_WORDS['signing']})[ :]{{1,2}})"
    r"(?P<v>[A-Z]{2,3})(?P<after>[ \t]*$|[ ]?[;|)/]|[ ]?[-,][ ]|[ ][0-9O]{1,2}:[0-9O]{2}\b)"
)
_CHAIN = re.compile(r"[ \t]*[A-Z]{2,4}(?:[/-][A-Za-z]{2,4}){1,3}[ \t]*")
_NO_INITIALS = _WORDS.words("no_initials")
_MOST_WORDS = 5
_LONGEST_LINE = 24
_Named = dict[str, Finding]


def initialled(texts: Sequence[str], found: Sequence[Sequence[Finding]]) -> list[list[Detection]]:
    """Initials in each of `texts` of the people that `found` names in any of them."""
    named: _Named = {}
    for text, findings in zip(texts, found, strict=True):
        for one in findings:
            if one.type in PERSONS and one.score >= WEAK:
                for letters in _initials(folded(text[one.start : one.end])):
                    named.setdefault(letters, one)
    named = {**_signing_often(texts, found), **named}
    return [
        list(_signed(text, named, {one.end for one in findings})) if named else []
        for text, findings in zip(texts, found, strict=True)
    ]


def _signing_often(texts: Sequence[str], found: Sequence[Sequence[Finding]]) -> _Named:
    """Letters in capitals that were found at least twice, as those of a column are."""
    once: _Named = {}
    again: _Named = {}
    for text, findings in zip(texts, found, strict=True):
        for one in findings:
            letters = text[one.start : one.end]
            if one.type in PERSONS and one.score >= WEAK and _LETTERS.fullmatch(letters):
                (again if letters in once else once)[letters] = one
    return again


_LETTERS = re.compile(r"[A-Z]{2,3}")


def _initials(name: str) -> Iterator[str]:
    last, comma, first = name.partition(",")
    words = _WORD.findall(f"{first} {last}" if comma else name)
    words = [word for word in words if word.lower() not in TITLES]
    bare = [word for word in words if word.lower() not in PARTICLES]
    if len(bare) < 2 or len(words) > _MOST_WORDS:
        return
    for chosen in (words, bare, (bare[0], bare[-1])):
        yield "".join(word[0] for word in chosen).upper()


def _signed(text: str, named: _Named, ends: Container[int]) -> Iterator[Detection]:
    for hit in _SIGNED.finditer(folded(text)):
        one = named.get(hit["v"])
        alone = not hit["before"].strip() and not hit["after"].strip()
        alone = alone or (hit["before"][:1] == "(" and hit.start() - 1 in ends)
        alone = alone or _CHAIN.fullmatch(_line_of(text, hit.start("v"))) is not None
        alone = alone or hit["after"][-1:].strip().isalnum()  # an hour
        clinical = hit["v"].lower() in _NO_INITIALS or is_abbreviation(hit["v"])
        if one is None and text[hit.end("v") : hit.end("v") + 2] == "):":  # a middle name unsaid
            one = named.get(hit["v"][0] + hit["v"][-1])
        if one is not None and (alone or not clinical):
            yield Detection(*hit.span("v"), one.type, DETECTOR, min(one.score, 0.9), one.label)


def _line_of(text: str, at: int) -> str:
    """The line of `text` that holds the character at `at`, as far as initials may go."""
    first = text.rfind("\n", max(0, at - _LONGEST_LINE), at) + 1
    return text[first : at + _LONGEST_LINE].partition("\n")[0] if first or at == 0 else ""
