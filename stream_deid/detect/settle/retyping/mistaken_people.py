"""People whom models take for houses are people.

An initial and a surname ("D. Park") are nobody's house, and a listed name that the note elsewhere
says of a person ("fiancee Destiny", "M. Banks") isn't one either where nobody goes, stays or works
there ("Collateral from Destiny").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stream_deid.detect.settle.fusion.spans import WEAK
from stream_deid.detect.settle.retyping.one_type import PLACES_BY_NAME
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.people import is_listed_name
from stream_deid.note import Finding
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

_INITIAL = re.compile(r"[A-Z]\. ?([A-Z][a-z]+)")
_GONE_TO = re.compile(r"(?i)(?:^|[^a-z])(?:at|to|in|of|@|via|near|outside|the|de|del|en|al?) $")
_GOING = 12


def as_people(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]]
) -> list[tuple[Finding, ...]]:
    """The findings in each of `texts`, those made people that were taken for houses. A text that is
    not examined is empty here: its findings stay as they are.
    """
    persons: dict[str, Finding] = {}
    for text, found in zip(texts, findings, strict=True):
        for one in found:
            if text and one.type in PERSONS and one.score >= WEAK:
                for word in words(text[one.start : one.end]):
                    if persons.setdefault(word.key, one).score < one.score:
                        persons[word.key] = one
    return [
        tuple(_as_person(persons, text, one) if text else one for one in found)
        for text, found in zip(texts, findings, strict=True)
    ]


def _as_person(persons: Mapping[str, Finding], text: str, one: Finding) -> Finding:
    if one.type not in PLACES_BY_NAME:
        return one
    value = text[one.start : one.end]
    if (initial := _INITIAL.fullmatch(value)) and is_listed_name(initial[1]):
        return replace(one, type=PhiType.DOCTOR, label="", rivals=())
    first, _, last = fold(value).lower().partition(" ")
    whole = last.isalpha() and is_listed_name(first) and is_listed_name(last)
    of = persons.get(last if whole else first) if value.replace(" ", "").isalpha() else None
    if value.islower() and text[one.start - 1 : one.start] not in ("", "\n"):
        return one  # "dont chase the wbc" of a nurse Chase
    if (
        of is None
        or of.score < one.score
        or not (whole or is_listed_name(value))
        or _is_gone_to(text, one)
    ):
        return one
    return replace(one, type=of.type, label=of.label, rivals=())


def _is_gone_to(text: str, one: Finding) -> bool:
    """Whether a house stands where one goes, stays or works."""
    return _GONE_TO.search(text[max(0, one.start - _GOING) : one.start]) is not None
