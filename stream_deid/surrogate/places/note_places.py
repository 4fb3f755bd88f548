"""The places of a note: all that it and the record tell of them, gathered at once."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.lexicon import load_places
from stream_deid.note import Finding, Note
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.distinctive import distinctive_words
from stream_deid.surrogate.places import beside, countries, postcodes
from stream_deid.surrogate.places.gazetteer import NoteGazetteer
from stream_deid.surrogate.places.rename import Places
from stream_deid.surrogate.spans import Spans
from stream_deid.text.folding import fold

T = PhiType
_NAMED = PERSONS | ORGANIZATIONS | {T.RELATIVE, T.STREET, T.CITY, T.LOCATION_OTHER}


def places_of(
    note: Note, spans: Spans, scope: Scope, language: str, *, bearers: AbstractSet[str]
) -> Places:
    """The places of a note; `bearers`: names of people that no town gets, folded."""
    cities = _values(note, spans, {T.CITY})
    codes = _values(note, spans, {T.ZIP})
    first = NoteGazetteer(language, foreign=any(map(postcodes.is_foreign, codes)))
    placed = [
        (part, replace(f, type=T.STATE) if _is_no_town(f, text, first) else f, text)
        for part, f, text in spans
    ]
    within = beside.within(cities, first.find_state)
    states = [
        at[0]
        for text in _values(note, placed, {T.STATE})
        if (at := first.find_state(text.strip())) is not None
    ]
    told = {*states, *(country for country, _ in within.values())}
    told |= _lie_in(cities, first, told)
    gazetteer = replace(
        first,
        beside=_abroad(placed) | within | beside.states(placed, note.known, first.state_of),
        told=told.pop() if len(told) == 1 else "",
    )
    places = Places(
        scope, gazetteer,
        real=frozenset(" ".join(fold(city).split()) for city in cities),
        home=_home(spans, gazetteer),
        names=frozenset().union(*map(distinctive_words, _values(note, spans, _NAMED))),
        bearers=bearers,
    )  # fmt: skip
    for known in note.known:
        if known.type is T.CITY:
            places.city(known.value)  # what a note names besides takes no town of the record's
    return places


def _abroad(spans: Spans) -> dict[str, tuple[str, str]]:
    """By folded town, where it lies in the country that stands behind it."""
    found: dict[str, tuple[str, str]] = {}
    for town, country in beside.in_countries(spans):
        told = countries.find(country)
        for one in load_places().named.get(town, ()):
            if told is not None and countries.of_code(one.country) == told:
                found.setdefault(town, (one.country, one.state))
    return found


def _lie_in(cities: list[str], gazetteer: NoteGazetteer, told: AbstractSet[str]) -> set[str]:
    """The countries of listed cities, of which a lone one abroad tells nothing of those that no
    list holds: half of a note's cities have to be listed.
    """
    every = {" ".join(fold(city).split()) for city in cities}
    known = [city for city in every if gazetteer.find_city(city) is not None]
    if 2 * len(known) < len(every):
        return set()
    return {one for city in known if (one := _lies_in(city, gazetteer, told))}


def _lies_in(city: str, gazetteer: NoteGazetteer, told: AbstractSet[str]) -> str:
    """The country of a listed city whose name is none in the countries `told`, or nothing."""
    found = gazetteer.find_city(city) if told else None
    if found is None:
        return ""
    alike = load_places().named.get(" ".join(fold(city).split()), ())
    return "" if any(one.country in told for one in alike) else found.country


def _values(note: Note, spans: Spans, kinds: AbstractSet[PhiType]) -> list[str]:
    """What the note shows, then what the record states, of some kinds."""
    shown = [text for _, f, text in spans if f.type in kinds]
    return [*shown, *(known.value for known in note.known if known.type in kinds)]


def _is_no_town(finding: Finding, text: str, gazetteer: NoteGazetteer) -> bool:
    """Whether what somebody took for a country is none, or for a town ("TX") is a state."""
    if finding.type is T.CITY:
        return gazetteer.find_city(text) is None and gazetteer.find_state(text) is not None
    return finding.type is T.COUNTRY and countries.find(text) is None


def _home(spans: Spans, gazetteer: NoteGazetteer) -> frozenset[countries.Country]:
    """The countries in which the note's own addresses lie."""
    resolved = {
        text: code
        for _, f, text in spans
        if f.type in {T.CITY, T.STATE, T.ZIP} and (code := gazetteer.country_of(text))
    }
    by_part: dict[int, list[tuple[int, int, PhiType, str]]] = {}
    for part, f, text in spans:
        by_part.setdefault(id(part), []).append((f.start, f.end, f.type, text))
    home: frozenset[countries.Country] = frozenset()
    for own in by_part.values():
        home |= countries.at_home(own, resolved, gazetteer.language)
    return home
