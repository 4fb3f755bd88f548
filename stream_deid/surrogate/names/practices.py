"""Persons whom somebody took for an institution: "Ortiz's office", "the Okafor group", "Early".

Who is a person of the note by name (the record's, or found as such) is the same person there, with
the same surrogate. Of such a span the name alone is replaced; what else stands in it are words that
name nobody. What is called by its own name ("Okafor Memorial Hospital") is an institution, and so
is the word alone that the note or the record calls one by.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate.names.affixes import CREDENTIALS, SUFFIXES, TITLES, parts_of
from stream_deid.surrogate.names.roles import votes
from stream_deid.text.canonical import Word, words

_LISTS = Vocabulary("names_practices", "surrogates")
_OF_PERSONS = _LISTS.words("of_persons")
_OF_THEIR_OWN = _LISTS.words("of_their_own")
_BESIDE = _LISTS.words("beside")
_TAKEN = ORGANIZATIONS | {PhiType.LOCATION_OTHER}
_LEAST = 3  # letters of a surname that is told by itself
_NEAR = 12  # characters in which a title stands
_OWNED = frozenset("'’´`")
_ENDINGS = CREDENTIALS | SUFFIXES


@dataclass(slots=True)
class _Surnames:
    """Surnames of the persons of a note and what kind of person bears them. `sure`: those that a
    full name, a title or the record tells; `alone`: those that stand alone, and how surely.
    """

    sure: dict[str, PhiType] = field(default_factory=dict, repr=False)
    alone: dict[str, tuple[float, PhiType]] = field(default_factory=dict, repr=False)


def as_persons(
    note: Note, findings: Sequence[Sequence[Finding]], language: str
) -> list[list[Finding]]:
    """The findings of each part, with persons as such."""
    if not any(one.type in _TAKEN for found in findings for one in found):
        return [list(found) for found in findings]
    surnames = _surnames(note, findings, language)
    houses = _houses(note, findings)
    return [
        [_as_person(part.text, one, surnames, houses) for one in found]
        if part.examine and not part.coded
        else list(found)
        for part, found in zip(note.parts, findings, strict=True)
    ]


def _surnames(note: Note, findings: Sequence[Sequence[Finding]], language: str) -> _Surnames:
    found = _Surnames()
    for known in note.known:
        if known.type in PERSONS:
            parts = parts_of(known.value, language)
            for key, vote in votes(known.value, parts, language, known.role):
                if vote < 0:
                    found.sure.setdefault(key, known.type)
    for part, own in zip(note.parts, findings, strict=True):
        for one in own:
            if one.type in PERSONS:
                _told(part, one, language, found)
    return found


def _told(part: Part, one: Finding, language: str, found: _Surnames) -> None:
    """What a person's name in a text tells of surnames."""
    text = part.text[one.start : one.end]
    parts = parts_of(text, language)
    for key, vote in votes(text, parts, language):
        if vote < 0:
            found.sure.setdefault(key, one.type)
    if len(parts) != 1:
        return
    key = parts[0].key
    before = words(part.text[max(one.start - _NEAR, 0) : one.start])
    if before and before[-1].key in TITLES:
        found.sure.setdefault(key, one.type)
    elif load_names().label(key).startswith(("family", "both")) or key in load_census().family:
        found.alone[key] = max(found.alone.get(key, (0.0, one.type)), (one.score, one.type))


def _houses(note: Note, findings: Sequence[Sequence[Finding]]) -> frozenset[str]:
    """The words of the names of institutions that say what they are beside others: one alone
    ("Torre") may be a person's.
    """
    named = [known.value for known in note.known if known.type in ORGANIZATIONS]
    named += [
        part.text[one.start : one.end]
        for part, found in zip(note.parts, findings, strict=True)
        for one in found
        if one.type in ORGANIZATIONS
    ]
    told: set[str] = set()
    for name in named:
        keys = {word.key for word in words(name)}
        if len(keys) > 1 and keys & (SPANISH_KIND_WORDS - _OF_THEIR_OWN - _BESIDE):
            told |= keys
    stated = (known.value for known in note.known if known.type in ORGANIZATIONS)
    return frozenset(told).union(word.key for name in stated for word in words(name))


def _as_person(text: str, one: Finding, surnames: _Surnames, houses: AbstractSet[str]) -> Finding:
    said = words(text[one.start : one.end]) if one.type in _TAKEN else ()
    run = _name_in(said, surnames)
    if not run:
        return one
    start, end = one.start + run[0].start, one.start + run[-1].end
    of = [word for word in said if word not in run and word.key not in _BESIDE]
    if of:
        owned = text[end : end + 1] in _OWNED or of[0].start < run[0].start
        theirs = owned or all(word.key in _OF_THEIR_OWN for word in of)
    else:
        theirs = all(word.key not in houses for word in run)
    phi = _who(run, one, surnames) if theirs else None
    if phi is None:
        return one
    return replace(one, start=start, end=end, type=phi, label="", rivals=())


def _name_in(said: Sequence[Word], surnames: _Surnames) -> Sequence[Word]:
    """The one run of surnames (with what stands about a name) in a span, where all else names
    nobody; nothing where there is none.
    """
    named = [
        at for at, word in enumerate(said)
        if len(word.key) >= _LEAST and (word.key in surnames.sure or word.key in surnames.alone)
        and (len(said) == 1 or word.key not in _OF_PERSONS | _BESIDE)
    ]  # fmt: skip
    if not named:
        return ()
    first, last = named[0], named[-1] + 1
    while first and said[first - 1].key in TITLES:
        first -= 1
    while last < len(said) and said[last].key in _ENDINGS:
        last += 1
    between = (word for at, word in enumerate(said[first:last], first) if at not in named)
    if any(word.key not in TITLES | _ENDINGS | _BESIDE for word in between):
        return ()
    rest = (*said[:first], *said[last:])
    return said[first:last] if all(w.key in _OF_PERSONS | _BESIDE for w in rest) else ()


def _who(run: Sequence[Word], one: Finding, surnames: _Surnames) -> PhiType | None:
    """What kind of person bears a name, where that is as sure as that an institution does."""
    for word in run:
        if word.key in surnames.sure:
            return surnames.sure[word.key]
        score, phi = surnames.alone.get(word.key, (-1.0, one.type))
        if score >= one.score:
            return phi
    return None
