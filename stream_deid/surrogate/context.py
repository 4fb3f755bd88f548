"""What the findings of one note share: its people, calendar, places, numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.kinds_of_organizations import HOUSE_WORDS
from stream_deid.note import SHARED, Finding, Note, Part
from stream_deid.surrogate.contacts.spellings import Spellings
from stream_deid.surrogate.dates import births
from stream_deid.surrogate.dates.calendar import Calendar, offset_days
from stream_deid.surrogate.dates.meaning import plausible
from stream_deid.surrogate.dates.reading import slashed
from stream_deid.surrogate.dates.reading.order import day_first
from stream_deid.surrogate.demographics import ages
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.distinctive import by_length
from stream_deid.surrogate.names.note_people import people_of
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.numbers.longer import ends_of_longer
from stream_deid.surrogate.organizations import acronyms
from stream_deid.surrogate.organizations.rename import Organizations
from stream_deid.surrogate.places.note_places import places_of
from stream_deid.surrogate.places.rename import Places
from stream_deid.surrogate.policy import Policy
from stream_deid.surrogate.spans import Spans, spans_of
from stream_deid.text.canonical import canonical, words
from stream_deid.text.folding import fold

T = PhiType
_NEAR = 4
_SHORTEST_NAME = 5  # letters; shorter ones stand in other words by chance


class MentionsSoFar:
    """How many mentions of a note were replaced, and since which of them an entity has the
    surrogate that it has now (where that is not the patient's own).
    """

    __slots__ = ("_since", "count")

    def __init__(self) -> None:
        self.count = 0
        self._since: dict[tuple[PhiType, str], int] = {}

    def renew(self, entity: tuple[PhiType, str]) -> None:
        """From this mention on an entity has another surrogate."""
        self._since[entity] = self.count

    def since(self, entity: tuple[PhiType, str]) -> int | None:
        """The mention from which on; None for the patient's own."""
        return self._since.get(entity)


@dataclass(frozen=True, slots=True)
class NoteContext:
    """What the findings of one note share. `dated`: the dates of each part, by its identity, with
    their places; `houses`: what the names of its organisations spell; `so_far`: what counts on as
    mentions are replaced; `others`: the contexts of the note's other patients, by their numbers.
    """

    note: Note
    tenant: Scope
    scope: Scope
    doctors: Scope
    language: str
    people: People
    calendar: Calendar
    places: Places
    organizations: Organizations
    numbers: Mapping[str, tuple[PhiType, str]] = field(repr=False)
    patient_parts: AbstractSet[str] = field(repr=False)
    doctor_parts: AbstractSet[str] = field(repr=False)
    births: AbstractSet[str] = field(repr=False)
    persons: frozenset[str] = field(repr=False)
    distinctive: Mapping[int, frozenset[str]] = field(repr=False)
    dated: Mapping[int, Sequence[tuple[int, int, str]]] = field(repr=False)
    houses: Spellings = field(default_factory=Spellings, repr=False)
    so_far: MentionsSoFar = field(default_factory=MentionsSoFar, repr=False)
    others: Mapping[str, NoteContext] = field(default_factory=dict, repr=False)

    def dates_near(self, part: Part, start: int, end: int) -> list[str]:
        """The dates around a place of a part, the nearest first and of two as near the one before,
        at most `_NEAR` on either side.
        """
        dates = self.dated.get(id(part), ())
        at = bisect_left(dates, (start, end, ""))
        around = dates[max(at - _NEAR, 0) : at + _NEAR]
        return [d[2] for d in sorted(around, key=lambda d: max(start - d[1], d[0] - end))]

    def dates_before(self, part: Part, start: int) -> list[str]:
        """The dates before a place of a part, the last first, at most `_NEAR`."""
        dates = self.dated.get(id(part), ())
        at = bisect_left(dates, (start, start, ""))
        return [text for _, _, text in reversed(dates[max(at - _NEAR, 0) : at])]


def language_of(note: Note) -> str:
    """`es` for Spanish notes, else `en`."""
    return "es" if note.language[:2].lower() == "es" else "en"


def by_subject(
    note: Note, findings: Sequence[Sequence[Finding]], policy: Policy, tenant: Scope
) -> dict[str, NoteContext]:
    """What each subject of a note's parts has in common. A number that the record states of one
    other subject alone (the old number of a merge, in a comment) is replaced as that one's, and so
    is a program or an authority, which is the same in all messages.
    """
    contexts = {
        subject: gather(*_of(subject, note, findings), policy, tenant)
        for subject in dict.fromkeys(part.subject for part in note.parts)
    }
    borne: dict[str, set[str]] = {}
    for known in note.known:
        shared = known.subject == SHARED and known.type in ORGANIZATIONS
        if known.type in NUMBERS or shared:
            borne.setdefault(canonical(known.value), set()).add(known.subject)
    numbers = {
        number: subject
        for number, (subject, *rivals) in borne.items()
        if subject in contexts and subject and not rivals
    }
    return {
        own: replace(context, others={n: contexts[s] for n, s in numbers.items() if s != own})
        for own, context in contexts.items()
    }


def _of(
    subject: str, note: Note, findings: Sequence[Sequence[Finding]]
) -> tuple[Note, list[Sequence[Finding]]]:
    """What of a note, and of its findings, belongs to one subject."""
    at = [i for i, part in enumerate(note.parts) if part.subject == subject]
    own = replace(
        note,
        patient_id=subject or note.subject,
        parts=tuple(note.parts[i] for i in at),
        known=tuple(known for known in note.known if known.subject in ("", subject)),
    )
    return own, [findings[i] for i in at]


def gather(
    note: Note, findings: Sequence[Sequence[Finding]], policy: Policy, tenant: Scope
) -> NoteContext:
    """What the findings of a note share; `tenant` is the root scope."""
    scope = tenant.sub("patient", note.subject)
    doctors = tenant.sub("staff") if policy.doctor_scope == "tenant" else scope
    language = language_of(note)
    spans = spans_of(note, findings)
    people = people_of(note, spans, scope.sub("name"), language)
    persons = _persons(note, spans)
    bearers = persons | {fold(made) for made in people.so_far.made.values()}
    places = places_of(note, spans, scope.sub("place"), language, bearers=bearers)
    houses = _houses(note, spans)
    return NoteContext(
        note, tenant, scope, doctors, language, people,
        _calendar(note, spans, scope, policy), places,
        Organizations(
            scope.sub("organisation"), language, places, people.render,
            facilities=None if note.subject == SHARED else _facilities(note, spans),
            spelled=acronyms.spelled_by(houses),
        ),
        numbers=ends_of_longer(note, spans),
        patient_parts=_known_parts(note, people, doctor=False),
        doctor_parts=_known_parts(note, people, doctor=True),
        births=frozenset(canonical(k.value) for k in note.known if k.role == "birth_date"),
        persons=persons,
        distinctive=by_length(
            (n for n in places.names if n in persons or n not in HOUSE_WORDS[language]),
            _SHORTEST_NAME,
        ),
        dated=_dated(spans),
        houses=Spellings(dict.fromkeys(houses)),
    )  # fmt: skip


def _facilities(note: Note, spans: Spans) -> frozenset[str]:
    """The first words of the names of the record's and the note's hospitals."""
    named = [k.value for k in note.known if k.type is T.HOSPITAL]
    named += [text for _, f, text in spans if f.type is T.HOSPITAL]
    return frozenset(found[0].key for name in named if (found := words(name)))


def _houses(note: Note, spans: Spans) -> list[str]:
    """The names of the record's and the note's organisations."""
    named = [k.value for k in note.known if k.type in ORGANIZATIONS]
    return [*named, *(text for _, f, text in spans if f.type in ORGANIZATIONS)]


def _persons(note: Note, spans: Spans) -> frozenset[str]:
    """The words of the names of the record's and the note's persons."""
    named = [*((k.type, k.value) for k in note.known), *((f.type, text) for _, f, text in spans)]
    return frozenset(word.key for phi, text in named if phi in PERSONS for word in words(text))


def _dated(spans: Spans) -> dict[int, list[tuple[int, int, str]]]:
    """The dates of each part, by its identity, with their places."""
    dated: dict[int, list[tuple[int, int, str]]] = {}
    for part, finding, text in spans:
        if finding.type is T.DATE:
            dated.setdefault(id(part), []).append((finding.start, finding.end, text))
    return dated


def _calendar(note: Note, spans: Spans, scope: Scope, policy: Policy) -> Calendar:
    language = language_of(note)
    known = {canonical(k.value) for k in note.known if k.role == "birth_date"}
    texts: list[str] = []
    born: list[str] = []
    for part, finding, text in spans:
        if finding.type is T.DATE:
            birth = part.role == "birth_date" or canonical(text) in known
            birth = birth or births.is_birth(births.before(part.text, finding.start))
            (born if birth else texts).append(text)
        elif finding.type in NUMBERS and slashed.dates(text):
            texts.append(text)
    stated = [
        ages.years(text, part.text[finding.end : finding.end + 16])
        for part, finding, text in spans
        if finding.type is T.AGE
    ]
    low, high = policy.date_shift_days
    offset = offset_days(scope.sub("date"), low, high, weekday=policy.keep_weekday)
    first = day_first([*texts, *born, *known, str(note.written_on)], language)
    calendar = Calendar(language, first, plausible(note.written_on), offset, policy)
    calendar = calendar.knowing(texts, born, [age for age in stated if age >= ages.OLD])
    stated_births = (k.value for k in note.known if k.role == "birth_date")
    read = (r for text in stated_births for r in calendar.born_in(text) or ())
    recorded = (calendar.day(r) for r in read if r.year and r.month and r.day)
    return replace(calendar, births=calendar.births.union(filter(None, recorded)))


def _known_parts(note: Note, people: People, *, doctor: bool) -> frozenset[str]:
    return frozenset(
        word.key
        for known in note.known
        if known.type in PERSONS and (known.type is T.DOCTOR) == doctor
        for word in people.parts(known.value)
    )
