"""What the record states as an institution or a town, or the note names as one in full, is one.

The one word by which an institution is called is that institution, whatever else it was taken for,
where the record states it or the note names it in full ("Ashlar Clinic"). So is what the record
states as an institution in so many words, or as a town, and a model takes for a person ("Hilo").
A surname and who bears a title or another name stay a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stream_deid.detect.record.institutions import by_word
from stream_deid.detect.settle.retyping.one_type import PLACES_BY_NAME, name_key
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.titles import any_of
from stream_deid.note import Finding, Known
from stream_deid.text.canonical import words

_TITLE = re.compile(rf"(?i)(?:^|[^a-z])(?:{any_of('cue', 'title')})\.? $")
_REACH = 12
_MISTAKEN = (
    PLACES_BY_NAME | PERSONS | {PhiType.CITY, PhiType.OTHER, PhiType.DEVICE, PhiType.PROFESSION}
)


def as_institutions(
    texts: Sequence[str], findings: Sequence[tuple[Finding, ...]], known: Sequence[Known]
) -> list[tuple[Finding, ...]]:
    """The findings in each of `texts`, those made institutions and towns that are some; `known`:
    what the record states. A text that is not examined is empty here: its findings stay.
    """
    stated, named = {**_whole(known), **by_word(known)}, _named(texts, findings, known)
    return [
        tuple(_stated(stated, named, text, one) for one in found)
        for text, found in zip(texts, findings, strict=True)
    ]


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
            found.setdefault(name_key(one.value), one)
    return found | _phrases(known, known)


def _phrases(houses: Sequence[Known], known: Sequence[Known]) -> dict[str, Known]:
    """Institutions by the words of their names that say not what they are, where these are several
    and neither a stated town nor a stated person's ("San José" of a Hospital San José).
    """
    taken = {word.key for k in known if k.type in PERSONS for word in words(k.value)}
    towns = {name_key(k.value) for k in known if k.type is PhiType.CITY}
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
    said = name_key(text[one.start : one.end])
    if one.type in PERSONS and is_listed_name(said):
        return one
    mistaken = one.type in PERSONS or (one.type is PhiType.CITY and " " in said)
    of = stated.get(said) or (named.get(said) if mistaken else None)
    titled = _TITLE.search(text[max(0, one.start - _REACH) : one.start])
    if of is not None and of.type is PhiType.CITY and (titled or one.type not in PERSONS):
        return one
    return one if of is None else replace(one, type=of.type, label="", rivals=())
