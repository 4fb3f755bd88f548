"""Which town stands for a town: real ones of like size and as many words before invented ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from stream_deid.lists.lexicon import City, load_list, load_places
from stream_deid.surrogate.keys import Scope
from stream_deid.text.folding import fold

_MOST_WORDS = 3
_LONGER = 12  # words; no listed name has so many
_SMALL = 3
_ENOUGH_STATES = 8


def length(name: str) -> int:
    """How many words a name has: one, two, or three and more."""
    return min(len(name.replace("-", " ").split()), _MOST_WORDS)


@cache
def alike(country: str, state: str) -> tuple[str, ...]:
    """The states of a country whose largest listed city is of the size of that of `state`.

    Sizes that few states have are joined with the next, so that no state has few others.
    """
    return next(states for states in _alike(country) if state in states)


@cache
def _alike(country: str) -> tuple[tuple[str, ...], ...]:
    places = load_places()
    sizes = {
        state: min((c.size for c in places.by_state.get((country, state), ())), default=_SMALL)
        for state in places.states[country]
    }
    groups: list[tuple[str, ...]] = []
    for _, found in groupby(sorted(sizes, key=lambda s: sizes[s]), key=lambda s: sizes[s]):
        states = tuple(found)
        if groups and min(len(groups[-1]), len(states)) < _ENOUGH_STATES:
            groups[-1] += states
        else:
            groups.append(states)
    return tuple(groups)


def moved(scope: Scope, country: str, state: str) -> str:
    """The state that a state becomes under a scope; one to one."""
    states = alike(country, state)
    return states[scope.sub("state", country, states[0]).cycle(len(states), states.index(state))]


def likely(scope: Scope, city: City, state: str, step: int) -> str:
    """The city number `step` of a state of its country that may stand for `city`, or nothing.

    Likest first, by size and by number of words. Cities of one state with as many words become
    different ones, where the other state has as many, whatever else a note names.
    """
    words = length(city.name)
    if step or not _ranked(city.country, state, words).cities:
        groups = _by_likeness(city.country, state, city.size, words)
        return _nth(scope.sub("city", fold(city.name), city.state), groups, max(step - 1, 0))
    source, target = (_ranked(city.country, at, words) for at in (city.state, state))
    low, high = source.bounds[city.size]
    own = scope.sub("cities", city.country, city.state, city.size, words)
    at = own.permute(high - low, source.places[fold(city.name)] - low)
    at += _starts(source, target)[city.size]
    last = target.bounds[_SMALL][0]
    if at >= len(target.cities):
        small = len(target.cities) - last
        at = last + (at - last) % small if small else at % len(target.cities)
    return target.cities[at].name


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The cities of a state with so many words, the large ones first: their places by folded name,
    and where each size begins and ends.
    """

    cities: tuple[City, ...]
    places: Mapping[str, int]
    bounds: Mapping[int, tuple[int, int]]


@cache
def _ranked(country: str, state: str, words: int) -> _Ranked:
    alike = (c for c in load_places().by_state.get((country, state), ()) if length(c.name) == words)
    named = {fold(c.name): c for c in sorted(alike, key=lambda c: -c.size)}
    cities = tuple(sorted(named.values(), key=lambda c: c.size))
    ends = {size: sum(c.size <= size for c in cities) for size in range(_SMALL + 1)}
    bounds = {size: (ends[size - 1], ends[size]) for size in range(1, _SMALL + 1)}
    return _Ranked(cities, {fold(c.name): i for i, c in enumerate(cities)}, bounds)


def _starts(source: _Ranked, target: _Ranked) -> Mapping[int, int]:
    """Where the cities of each size of a state begin in another one: where those of that size do,
    behind what larger ones take.
    """
    found: dict[int, int] = {}
    free = 0
    for size, (low, high) in source.bounds.items():
        found[size] = max(free, target.bounds[size][0])
        free = found[size] + high - low
    return found


def small(scope: Scope, key: str, country: str, step: int, state: str = "") -> str:
    """The town number `step` of a country (or a state of it) that may stand for one that no list
    holds, or nothing.

    Small ones with as many words as `key` (folded) first, in a keyed order.
    """
    groups = _by_likeness(country, state, _SMALL, min(length(key), _LONGER))
    return _nth(scope.sub("small town", key, country), groups, step)


def _nth(scope: Scope, groups: Sequence[Sequence[City]], step: int) -> str:
    """The name number `step` over all groups, each turned by a keyed number."""
    for group in groups:
        if step < len(group):
            return group[(scope.integer(len(group), "turn") + step) % len(group)].name
        step -= len(group)
    return ""


@cache
def _by_likeness(country: str, state: str, size: int, words: int) -> tuple[tuple[City, ...], ...]:
    """The cities of a state (of a country where it is empty), in groups, the likest first.

    A word more or less weighs more than the next size, and less than the one after.
    """

    def unlike(city: City) -> int:
        return 2 * abs(city.size - size) + 3 * abs(length(city.name) - words)

    found = [
        city
        for at, cities in load_places().by_state.items()
        if at[0] == country and state in {"", at[1]}
        for city in cities
    ]
    return tuple(tuple(group) for _, group in groupby(sorted(found, key=unlike), key=unlike))


def invented(scope: Scope, language: str, words: int) -> str:
    """A name of a town that nobody made: in English of one or two words, in Spanish of `words`."""
    if language == "en":
        return _joined(scope, "town.stem", "town.end")
    if words == 1:
        gender = ("m", "f")[scope.integer(2, "gender")]
        return _joined(scope, f"town.es.{gender}.stem", f"town.es.{gender}.end")
    if words < _MOST_WORDS:
        kind, title = (("saint.es", "San"), ("saint.es.f", "Santa"))[scope.integer(2, "gender")]
        names = load_list("words")[kind]
        return f"{title} {names[scope.integer(len(names), 'saint')]}"
    return _joined(scope, "town.es.stem", "town.es.end")


def _joined(scope: Scope, stems: str, ends: str) -> str:
    """A keyed stem and ending, which never are the same word."""
    lists = load_list("words")
    stem, end = lists[stems], lists[ends]
    head = stem[scope.integer(len(stem), "stem")]
    tail = end[scope.integer(len(end), "end")]
    if fold(head) == fold(tail).strip():
        tail = end[(end.index(tail) + 1) % len(end)]
    return head + tail


def region(scope: Scope, text: str) -> str:
    """Another region of Spain for a region (`Extremadura`), or nothing for what isn't one."""
    forms = [names.split("/") for names in load_list("words")["region.es"]]
    key = " ".join(fold(text).split())
    at = next((i for i, names in enumerate(forms) if key in map(fold, names)), -1)
    return forms[scope.sub("region").cycle(len(forms), at)][0] if at >= 0 else ""
