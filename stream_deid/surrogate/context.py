"""What the findings of one note share: its people, calendar, places, numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from stream_deid.labels import CALLED, NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.note import SHARED, Finding, Note, Part
from stream_deid.surrogate import generalise
from stream_deid.surrogate.dates import births, slashed
from stream_deid.surrogate.dates.calendar import Calendar, offset_days, plausible
from stream_deid.surrogate.dates.order import day_first
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names import sexes
from stream_deid.surrogate.names.affixes import shown_by
from stream_deid.surrogate.names.distinctive import by_length, telling
from stream_deid.surrogate.names.named import is_name
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.numbers import abroad
from stream_deid.surrogate.numbers.scramble import masked
from stream_deid.surrogate.organizations.rename import Organizations
from stream_deid.surrogate.places import beside, countries, states
from stream_deid.surrogate.places.states import Places
from stream_deid.surrogate.policy import Policy
from stream_deid.text.canonical import Word, canonical, words
from stream_deid.text.folding import fold
from stream_deid.text.readings import as_read

T = PhiType
_NAMED = PERSONS | ORGANIZATIONS | {T.RELATIVE, T.STREET, T.CITY, T.LOCATION_OTHER}
_CALLED_BY_NAME = PERSONS | {T.RELATIVE}
_NEAR = 4
_SHORTEST_NAME = 5  # letters; shorter ones stand in other words by chance
_SHORT = range(4, 12)


@dataclass(slots=True)
class NoteContext:
    """What the findings of one note share. Whole when it is made, but for `mentions` and `eras`,
    which count on as its mentions are replaced. `others`: the contexts of the note's other
    patients, by their numbers.
    """

    note: Note
    tenant: Scope
    scope: Scope
    doctors: Scope
    people: People
    calendar: Calendar
    places: Places
    organizations: Organizations
    numbers: dict[str, tuple[PhiType, str]] = field(default_factory=dict, repr=False)
    patient_parts: frozenset[str] = field(default=frozenset(), repr=False)
    doctor_parts: frozenset[str] = field(default=frozenset(), repr=False)
    births: frozenset[str] = field(default=frozenset(), repr=False)
    persons: frozenset[str] = field(default=frozenset(), repr=False)
    eras: dict[tuple[PhiType, str], int] = field(default_factory=dict, repr=False)
    mentions: int = 0
    telling: Mapping[int, frozenset[str]] = field(default_factory=dict, repr=False)
    dated: dict[int, list[tuple[int, int, str]]] = field(default_factory=dict, repr=False)
    others: dict[str, NoteContext] = field(default_factory=dict, repr=False)

    def dates_near(self, part: Part, start: int, end: int) -> list[str]:
        """The dates around a place of a part, the nearest first and of two as near the one before,
        at most `_NEAR` on either side.
        """
        dates = self.dated.get(id(part), [])
        at = bisect_left(dates, (start, end, ""))
        around = dates[max(at - _NEAR, 0) : at + _NEAR]
        return [d[2] for d in sorted(around, key=lambda d: max(start - d[1], d[0] - end))]


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
    for number, (subject, *rivals) in borne.items():
        if not subject or rivals or subject not in contexts:
            continue
        for context in contexts.values():
            if context is not contexts[subject]:
                context.others[number] = contexts[subject]
    return contexts


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
    spans = [
        (part, finding, _shown(part.text[finding.start : finding.end], finding.type))
        for part, found in zip(note.parts, findings, strict=True)
        for finding in found
    ]
    people = _people(note, spans, scope.sub("name"), language)
    persons = _persons(note, spans)
    places = _places(note, spans, scope.sub("place"), language)
    places.bearers = persons | {fold(made) for made in people.made.values()}
    calendar = _calendar(note, spans, scope, policy)
    return NoteContext(
        note, tenant, scope, doctors, people, calendar, places,
        Organizations(
            scope.sub("organisation"), language, places, people.render,
            facilities=None if note.subject == SHARED else _facilities(note, spans),
        ),
        numbers=_long_numbers(note, spans),
        patient_parts=_known_parts(note, people, doctor=False),
        doctor_parts=_known_parts(note, people, doctor=True),
        births=frozenset(canonical(k.value) for k in note.known if k.role == "birth_date"),
        persons=persons,
        telling=by_length(places.names, _SHORTEST_NAME),
        dated=_dated(spans),
    )  # fmt: skip


def _facilities(note: Note, spans: list[tuple[Part, Finding, str]]) -> frozenset[str]:
    """The first words of the names of the record's and the note's hospitals."""
    named = [k.value for k in note.known if k.type is T.HOSPITAL]
    named += [text for _, f, text in spans if f.type is T.HOSPITAL]
    return frozenset(found[0].key for name in named if (found := words(name)))


def _shown(text: str, kind: PhiType) -> str:
    """A name without escapes and ends of lines in it; whatever else as it is written."""
    marked = kind in PERSONS and ("%" in text or "\n" in text)
    return as_read(text) if marked else text


def _persons(note: Note, spans: list[tuple[Part, Finding, str]]) -> frozenset[str]:
    """The words of the names of the record's and the note's persons."""
    named = [*((k.type, k.value) for k in note.known), *((f.type, text) for _, f, text in spans)]
    return frozenset(word.key for phi, text in named if phi in PERSONS for word in words(text))


def _dated(spans: list[tuple[Part, Finding, str]]) -> dict[int, list[tuple[int, int, str]]]:
    """The dates of each part, by its identity, with their places."""
    dated: dict[int, list[tuple[int, int, str]]] = {}
    for part, finding, text in spans:
        if finding.type is T.DATE:
            dated.setdefault(id(part), []).append((finding.start, finding.end, text))
    return dated


def _calendar(
    note: Note, spans: list[tuple[Part, Finding, str]], scope: Scope, policy: Policy
) -> Calendar:
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
    ages = [
        generalise.years(text, part.text[finding.end : finding.end + 16])
        for part, finding, text in spans
        if finding.type is T.AGE
    ]
    low, high = policy.date_shift_days
    offset = offset_days(scope.sub("date"), low, high, weekday=policy.keep_weekday)
    first = day_first([*texts, *born, *known, str(note.written_on)], language)
    calendar = Calendar(language, first, plausible(note.written_on), offset, policy)
    return calendar.knowing(texts, born, [age for age in ages if age >= generalise.OLD])


def _people(
    note: Note, spans: list[tuple[Part, Finding, str]], scope: Scope, language: str
) -> People:
    named = PERSONS | {T.RELATIVE}
    texts = [
        (text, f.type)
        for _, f, text in spans
        if f.type in named or (f.type is T.OTHER and is_name(text))
    ]
    persons: dict[str, list[tuple[str, str]]] = {}
    for known in note.known:
        if known.type in named:
            persons.setdefault(known.person, []).append((known.value, known.role))
    structured: dict[str, list[tuple[str, str]]] = {}
    for part, finding, text in spans:
        if finding.type in PERSONS and part.role in {"family", "given", "middle"}:
            structured.setdefault(part.path.rsplit(".", 1)[0], []).append((text, part.role))
    stated = [value for names in persons.values() for value, _ in names]
    shown = shown_by((*stated, *(text for text, _ in texts)))
    people = People(scope, accents=language == "es", shown=shown)
    _sexes(note, spans, people)
    for names in (*persons.values(), *structured.values()):
        people.add(names)
    for text, phi in texts:
        if not generalise.is_kin_phrase(text):
            kin = phi is T.RELATIVE and any(map(generalise.is_kin, words(text)))
            people.add([(text, "kin" if kin else "")], staff=phi is T.DOCTOR)
    people.settle()
    return people


def _sexes(note: Note, spans: list[tuple[Part, Finding, str]], people: People) -> None:
    """What the record, titles and the note's own words say of the sex of who bears a name."""
    language = "es" if people.accents else "en"
    people.given = sexes.given_only(note.known, people.parts)
    for known in note.known:
        if known.type in PERSONS and known.sex:
            for key in sexes.of_record(known, people.parts(known.value), language):
                people.sexes.setdefault(key, known.sex)
    named = [one for one in spans if one[1].type in _CALLED_BY_NAME and one[0].examine]
    told = ""
    first = next((one for one in named if one[1].type is T.PATIENT), None)
    own = {word.key for word in people.parts(first[2])} if first is not None else set()
    for part, finding, text in named:
        words_of = people.parts(text)
        starts = (finding.start + word.start for word in words_of)
        sex = next(filter(None, (sexes.titled(part.text, at, language) for at in starts)), "")
        if finding.type is T.PATIENT and not told and not own.isdisjoint(w.key for w in words_of):
            told = sex
        _bear(people, words_of, sex)
    sex = told or (sexes.stated(first[0].text) if first is not None else "")
    for _, finding, text in named:
        if finding.type is T.PATIENT and not own.isdisjoint(w.key for w in people.parts(text)):
            _bear(people, people.parts(text), sex)


def _bear(people: People, parts: Sequence[Word], sex: str) -> None:
    for word in parts if sex else ():
        if sexes.undecided(word.key):
            people.sexes.setdefault(word.key, sex)


def _places(
    note: Note, spans: list[tuple[Part, Finding, str]], scope: Scope, language: str
) -> Places:
    places = Places(scope, language)
    cities = [text for _, f, text in spans if f.type is T.CITY]
    cities += [k.value for k in note.known if k.type is T.CITY]
    places.real = frozenset(" ".join(fold(c).split()) for c in cities)
    named = [text for _, f, text in spans if f.type in _NAMED]
    named += [k.value for k in note.known if k.type in _NAMED]
    places.names = frozenset().union(*map(telling, named))
    codes = [text for _, f, text in spans if f.type is T.ZIP]
    codes += [k.value for k in note.known if k.type is T.ZIP]
    places.foreign = any(map(states.is_foreign, codes))
    placed = [
        (part, replace(f, type=T.STATE) if _is_no_town(f, text, places) else f, text)
        for part, f, text in spans
    ]
    within = beside.within(cities, places.find_state)
    places.beside = within | beside.states(placed, note.known, places.state_of)
    told = [text for _, f, text in placed if f.type is T.STATE]
    told += [k.value for k in note.known if k.type is T.STATE]
    named_in = {at[0] for text in told if (at := places.find_state(text.strip())) is not None}
    named_in |= {country for country, _ in within.values()}
    places.told = named_in.pop() if len(named_in) == 1 else ""
    places.home = _home(spans, places)
    return places


def _is_no_town(finding: Finding, text: str, places: Places) -> bool:
    """Whether what somebody took for a country is none, or for a town ("TX") is a state."""
    if finding.type is T.CITY:
        return places.find_city(text) is None and places.find_state(text) is not None
    return finding.type is T.COUNTRY and countries.find(text) is None


def _home(spans: list[tuple[Part, Finding, str]], places: Places) -> frozenset[countries.Country]:
    """The countries in which the note's own addresses lie."""
    resolved = {
        text: code
        for _, f, text in spans
        if f.type in {T.CITY, T.STATE, T.ZIP} and (code := places.country_of(text))
    }
    by_part: dict[int, list[tuple[int, int, PhiType, str]]] = {}
    for part, f, text in spans:
        by_part.setdefault(id(part), []).append((f.start, f.end, f.type, text))
    home: frozenset[countries.Country] = frozenset()
    for own in by_part.values():
        home |= countries.at_home(own, resolved, places.language)
    return home


def _known_parts(note: Note, people: People, *, doctor: bool) -> frozenset[str]:
    return frozenset(
        word.key
        for known in note.known
        if known.type in PERSONS and (known.type is T.DOCTOR) == doctor
        for word in people.parts(known.value)
    )


def _long_numbers(
    note: Note, spans: list[tuple[Part, Finding, str]]
) -> dict[str, tuple[PhiType, str]]:
    """Numbers (of `_SHORT` characters) that end a longer one of the note, and the longest such."""
    whole: dict[str, tuple[PhiType, str]] = {}
    for phi, text in (
        *((k.type, k.value) for k in note.known if k.type in NUMBERS),
        *((f.type, _signed(part, f, text)) for part, f, text in spans if f.type in NUMBERS),
    ):
        shown = masked(text)[1]
        whole.setdefault(canonical(shown), (phi, shown))
    longer: dict[str, tuple[PhiType, str]] = {}
    for key, one in sorted(whole.items(), key=lambda found: -len(found[0])):
        for size in _SHORT:
            if len(key) > size:
                longer.setdefault(key[-size:], one)
    return {short: longer[short] for short in whole if short in longer}


def _signed(part: Part, finding: Finding, text: str) -> str:
    """A number with what stands before it of a telephone's country code."""
    before = part.text[max(finding.start - abroad.BEFORE, 0) : finding.start]
    return abroad.sign_before(before, text) * (finding.type in CALLED) + text
