"""One name of a place or an institution is one thing in all of a note.

Models call "MUSE7" a place here and a hospital there; two types are two surrogates, and a reader
sees two things. So a value that stands several times takes the type of its surest finding, and the
one word by which an institution is called is that institution, whatever else it was taken for,
where the record states it or the note names it in full ("Ashlar Clinic"). So is what the record
states as an institution in so many words, or as a town, and a model takes for a person ("Hilo").
A surname and who bears a title or another name stay a person. An initial and a surname ("D. Park")
are nobody's house, and a listed name that the note elsewhere says of a person ("fiancee Destiny",
"M. Banks") isn't one either where nobody goes, stays or works there ("Collateral from Destiny").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stream_deid.detect.record.institutions import by_word
from stream_deid.detect.settle.fusion.spans import WEAK
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.titles import any_of
from stream_deid.note import Finding, Known
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

_PLACES = ORGANIZATIONS | {PhiType.LOCATION_OTHER}
_TITLE = re.compile(rf"(?i)(?:^|[^a-z])(?:{any_of('cue', 'title')})\.? $")
_REACH = 12
_UNSAID = str.maketrans("", "", ".'’")
_MISTAKEN = _PLACES | PERSONS | {PhiType.CITY, PhiType.OTHER, PhiType.DEVICE, PhiType.PROFESSION}


def one_kind(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]], known: Sequence[Known] = ()
) -> list[tuple[Finding, ...]]:
    """The findings in each of `texts`, of one type wherever the same words are found; `known`: what
    the record states. A text that is not examined is empty here: its findings stay as they are.
    """
    stated, named = {**_whole(known), **by_word(known)}, _named(texts, findings, known)
    if stated or named:
        findings = [
            tuple(_stated(stated, named, text, one) for one in found)
            for text, found in zip(texts, findings, strict=True)
        ]
    findings = _people(texts, findings)
    surest: dict[str, Finding] = {}
    for text, found in zip(texts, findings, strict=True):
        for one in found:
            if text and one.type in _PLACES:
                said = _key(text[one.start : one.end])
                if one.score > surest.setdefault(said, one).score:
                    surest[said] = one
    return [
        tuple(_as(surest, text, one) for one in found)
        for text, found in zip(texts, findings, strict=True)
    ]


def _people(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]]
) -> list[tuple[Finding, ...]]:
    """The findings with those as people that were taken for houses."""
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
    if one.type not in _PLACES:
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
    return _GONE_TO.search(text[max(0, one.start - _REACH) : one.start]) is not None


_INITIAL = re.compile(r"[A-Z]\. ?([A-Z][a-z]+)")
_GONE_TO = re.compile(r"(?i)(?:^|[^a-z])(?:at|to|in|of|@|via|near|outside|the|de|del|en|al?) $")


def _whole(known: Sequence[Known]) -> dict[str, Known]:
    """The stated institutions of several words and the towns, by their whole names, where no word
    of them is one of a stated person's.
    """
    persons = {word.key for k in known if k.type in PERSONS for word in words(k.value)}
    found: dict[str, Known] = {}
    for one in known:
        keys = [word.key for word in words(one.value)]
        place = one.type is PhiType.CITY or (one.type in ORGANIZATIONS and len(keys) > 1)
        if place and keys and persons.isdisjoint(keys):
            found.setdefault(_key(one.value), one)
    return found | _phrases(known, known)


def _phrases(houses: Sequence[Known], known: Sequence[Known]) -> dict[str, Known]:
    """Institutions by the words of their names that say not what they are, where these are several
    and neither a stated town nor a stated person's ("San José" of a Hospital San José).
    """
    taken = {word.key for k in known if k.type in PERSONS for word in words(k.value)}
    towns = {_key(k.value) for k in known if k.type is PhiType.CITY}
    found: dict[str, Known] = {}
    for one in houses:
        keys = [w.key for w in words(one.value) if w.key not in SPANISH_KIND_WORDS]
        phrase = " ".join(keys)
        own = len(keys) > 1 and phrase not in towns and taken.isdisjoint(keys)
        if own and one.type is PhiType.HOSPITAL:
            found.setdefault(phrase, one)
    return found


def _named(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]], known: Sequence[Known]
) -> Mapping[str, Known]:
    """The institutions that a note names in full, by the word that they are called by, or by
    several.
    """
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
    return {**_phrases(whole, [*known, *whole]), **by_word(whole)}


def _stated(
    stated: Mapping[str, Known], named: Mapping[str, Known], text: str, one: Finding
) -> Finding:
    if not text or one.type not in _MISTAKEN:
        return one
    said = _key(text[one.start : one.end])
    if one.type in PERSONS and is_listed_name(said):
        return one
    mistaken = one.type in PERSONS or (one.type is PhiType.CITY and " " in said)
    of = stated.get(said) or (named.get(said) if mistaken else None)
    titled = _TITLE.search(text[max(0, one.start - _REACH) : one.start])
    if of is not None and of.type is PhiType.CITY and (titled or one.type not in PERSONS):
        return one
    return one if of is None else replace(one, type=of.type, label="", rivals=())


def _as(surest: dict[str, Finding], text: str, one: Finding) -> Finding:
    if not text or one.type not in _PLACES:
        return one
    best = surest[_key(text[one.start : one.end])]
    return replace(one, type=best.type, label=best.label) if best.type != one.type else one


def _key(value: str) -> str:
    """A name without what is written so here and otherwise there: "St. Mary's", "St Marys"."""
    return " ".join(fold(value).translate(_UNSAID).split())
