"""One name of a place or an institution is one thing in all of a note.

Models call "MUSE7" a place here and a hospital there; two types are two surrogates, and a reader
sees two things. So a value that stands several times takes the type of its surest finding, and the
one word by which an institution is called is that institution, whatever else it was taken for,
where the record states it or the note names it in full ("Ashlar Clinic"). A surname and who bears a
title or another name stay a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stream_deid.detect.record.institutions import by_word
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.terms import is_listed_name
from stream_deid.lists.titles import any_of
from stream_deid.note import Finding, Known
from stream_deid.text.folding import fold

_PLACES = ORGANIZATIONS | {PhiType.LOCATION_OTHER}
_TITLE = re.compile(rf"(?i)(?:^|[^a-z])(?:{any_of('cue', 'title')})\.? $")
_REACH = 12
_MISTAKEN = _PLACES | PERSONS | {PhiType.CITY, PhiType.OTHER, PhiType.DEVICE, PhiType.PROFESSION}


def one_kind(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]], known: Sequence[Known] = ()
) -> list[tuple[Finding, ...]]:
    """The findings in each of `texts`, of one type wherever the same words are found; `known`: what
    the record states.
    """
    stated, named = by_word(known), _named(texts, findings)
    if stated or named:
        findings = [
            tuple(_stated(stated, named, text, one) for one in found)
            for text, found in zip(texts, findings, strict=True)
        ]
    surest: dict[str, Finding] = {}
    for text, found in zip(texts, findings, strict=True):
        for one in found:
            if one.type in _PLACES:
                words = _words(text, one)
                if one.score > surest.setdefault(words, one).score:
                    surest[words] = one
    return [
        tuple(_as(surest, text, one) for one in found)
        for text, found in zip(texts, findings, strict=True)
    ]


def _named(texts: Sequence[str], findings: Sequence[tuple[Finding, ...]]) -> Mapping[str, Known]:
    """The institutions that a note names in full, by the word that they are called by."""
    whole: list[Known] = []
    for text, found in zip(texts, findings, strict=True):
        for one in found:
            value = text[one.start : one.end]
            full = " " in value.strip()
            if (full and one.type in ORGANIZATIONS) or (
                one.type in PERSONS
                and (full or _TITLE.search(text[max(0, one.start - _REACH) : one.start]))
            ):
                whole.append(Known(one.type, value))
    return by_word(whole)


def _stated(
    stated: Mapping[str, Known], named: Mapping[str, Known], text: str, one: Finding
) -> Finding:
    if not text or one.type not in _MISTAKEN:
        return one
    words = _words(text, one)
    if one.type in PERSONS and is_listed_name(words):
        return one
    of = stated.get(words) or (named.get(words) if one.type in PERSONS else None)
    return one if of is None else replace(one, type=of.type, label="", rivals=())


def _as(surest: dict[str, Finding], text: str, one: Finding) -> Finding:
    if one.type not in _PLACES:
        return one
    best = surest[_words(text, one)]
    return replace(one, type=best.type, label=best.label) if best.type != one.type else one


def _words(text: str, one: Finding) -> str:
    return fold(text[one.start : one.end]).lower()
