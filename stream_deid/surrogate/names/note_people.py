"""The people of a note: all that it and the record tell of their names, gathered at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.titles import affixes
from stream_deid.note import Note
from stream_deid.surrogate.demographics.kinship import is_kin, is_kin_phrase
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names import sexes
from stream_deid.surrogate.names.affixes import TITLES, NameEvidence, parts_of, shown_by
from stream_deid.surrogate.names.groups import Groups
from stream_deid.surrogate.names.initials import are_initials
from stream_deid.surrogate.names.named import is_name
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.names.roles import votes
from stream_deid.surrogate.names.variants import variants
from stream_deid.surrogate.spans import Spans
from stream_deid.text.canonical import Word, words

T = PhiType
_CALLED_BY_NAME = PERSONS | {T.RELATIVE}

_SURE_TITLES = TITLES - affixes("borne", "title")
_BEFORE = 16  # characters in which a title stands

Names = Sequence[tuple[str, str]]
"""The names of one person, each with the role of its field or nothing."""
Parts = Callable[[str], Sequence[Word]]
"""The words of a name that identify."""


def people_of(note: Note, spans: Spans, scope: Scope, language: str) -> People:
    """The people of a note, each part of a name with its surrogate in order of first sight."""
    texts = [
        (text, f.type)
        for _, f, text in spans
        if f.type in _CALLED_BY_NAME or (f.type is T.OTHER and is_name(text))
    ]
    recorded = _recorded(note)
    stated = [value for names in recorded for value, _ in names]
    evidence = shown_by((*stated, *(text for text, _ in texts)))
    parts = partial(_parts, language, evidence)
    persons = [(names, False) for names in (*recorded, *_structured(spans))]
    for text, phi in [*texts, *_titled(spans)]:
        if not is_kin_phrase(text):
            role = "relative" if phi is T.RELATIVE else ""
            if role and any(map(is_kin, words(text))):
                role = "kin"
            persons.append(([(text, role)], phi is T.DOCTOR))
    seen: dict[str, None] = {}
    groups = [[word.key for word in _told(names, parts, staff, seen)] for names, staff in persons]
    people = People(
        scope, language, evidence,
        votes=_counted((names for names, _ in persons), parts, language),
        sexes=_sexes(note, spans, parts, language),
        given=sexes.given_only(note.known, parts),
        groups=Groups(groups),
        seen=frozenset(seen),
        variants=variants(tuple(seen)),
    )  # fmt: skip
    for key in seen:
        people.part(key)
    return people


def _titled(spans: Spans) -> Iterator[tuple[str, PhiType]]:
    """Names with the title before them, where nobody took it for a part of the name."""
    for part, finding, text in spans:
        before = part.text[max(finding.start - _BEFORE, 0) : finding.start]
        title = words(before)[-1:] if finding.type in PERSONS and part.examine else ()
        if title and title[0].key in _SURE_TITLES and not before[title[0].end :].strip(". "):
            yield f"{before[title[0].start :]}{text}", finding.type


def _parts(language: str, evidence: NameEvidence, text: str) -> Sequence[Word]:
    return parts_of(text, language, evidence)


def _recorded(note: Note) -> list[Names]:
    """The names of each person whom the record states."""
    persons: dict[str, list[tuple[str, str]]] = {}
    for known in note.known:
        if known.type in _CALLED_BY_NAME:
            persons.setdefault(known.person, []).append((known.value, known.role))
    return [*persons.values()]


def _structured(spans: Spans) -> list[Names]:
    """The names of each person in fields of their own."""
    persons: dict[str, list[tuple[str, str]]] = {}
    for part, finding, text in spans:
        if finding.type in PERSONS and part.role in {"family", "given", "middle"}:
            persons.setdefault(part.path.rsplit(".", 1)[0], []).append((text, part.role))
    return [*persons.values()]


def _told(names: Names, parts: Parts, staff: bool, seen: dict[str, None]) -> Iterator[Word]:
    """The parts of one person's names, which `seen` holds afterwards."""
    for name, role in names:
        tokens = parts(name)
        for word in tokens:
            if are_initials(word, alone=len(tokens) == 1 and not role, staff=staff):
                continue  # but two capitals with a vowel in a field for a name are one (JO)
            seen.setdefault(word.key)
            yield word


def _counted(persons: Iterable[Names], parts: Parts, language: str) -> dict[str, int]:
    """By part, how often it stands as a given name less as a surname."""
    counted: dict[str, int] = {}
    for names in persons:
        for name, role in names:
            for key, vote in votes(name, parts(name), language, role):
                counted[key] = counted.get(key, 0) + vote
    return counted


def _sexes(note: Note, spans: Spans, parts: Parts, language: str) -> dict[str, str]:
    """What the record, titles and the note's own words say of the sex of who bears a name."""
    found: dict[str, str] = {}
    for key, sex in chain(
        _beside_given_names(note, spans, parts),
        _recorded_sexes(note, parts, language),
        _told_sexes(spans, parts, language),
    ):
        found.setdefault(key, sex)
    return found


def _beside_given_names(note: Note, spans: Spans, parts: Parts) -> Iterator[tuple[str, str]]:
    """The second of two given names, with the sex that the first one tells."""
    values = [k.value for k in note.known if k.type in PERSONS]
    for name in map(parts, (*values, *(text for _, f, text in spans if f.type in PERSONS))):
        if sex := sexes.behind_another(name):
            yield name[1].key, sex


def _recorded_sexes(note: Note, parts: Parts, language: str) -> Iterator[tuple[str, str]]:
    for known in note.known:
        if known.type in PERSONS and known.sex:
            for key in sexes.of_record(known, parts(known.value), language):
                yield key, known.sex


def _told_sexes(spans: Spans, parts: Parts, language: str) -> Iterator[tuple[str, str]]:
    """By the title before a name; the first patient's also by what the note says of him."""
    named = [one for one in spans if one[1].type in _CALLED_BY_NAME and one[0].examine]
    first = next((one for one in named if one[1].type is T.PATIENT), None)
    own = {word.key for word in parts(first[2])} if first is not None else set()
    patients: list[Sequence[Word]] = []
    told = ""
    for part, finding, text in named:
        name = parts(text)
        starts = (finding.start + word.start for word in name)
        sex = next(filter(None, (sexes.titled(part.text, at, language) for at in starts)), "")
        if finding.type is T.PATIENT and not own.isdisjoint(word.key for word in name):
            patients.append(name)
            told = told or sex
        yield from _undecided(name, sex)
    sex = told or (sexes.stated(first[0].text) if first is not None else "")
    for name in patients:
        yield from _undecided(name, sex)


def _undecided(name: Sequence[Word], sex: str) -> Iterator[tuple[str, str]]:
    """The parts of a name that don't tell a sex themselves, with the one that is told."""
    for word in name if sex else ():
        if sexes.undecided(word.key):
            yield word.key, sex
