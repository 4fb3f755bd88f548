"""Names of Spanish and Latin American streets, drawn to be as long as the name that they replace.

A name with a particle of its own (`de la Paz`) becomes one with a particle, and one of two words
one of two. Names are listed (`data/streets_es.tsv`) or made: a person in full, a person with a
title, a saint, a surname, a town at the end of a road.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stream_deid.lists.calendar import MONTHS
from stream_deid.lists.lexicon import load_list, load_names, load_places
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.distinctive import first_free
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

PARTICLES = affixes("street", "particle")
"""Words that may lead the name of a street or an organisation."""

FEAST = linear(rf"(?i)\b\d{{1,2}} de (?:{'|'.join(MONTHS['es'])})\b")
"""A date that is a name (`5 de Mayo`)."""

ARTICLES = affixes("article", "particle")
_ROADS = Vocabulary("places_streets", "surrogates").words("roads")
_LONGEST = 4
_NOT_NAMES = frozenset({"titles"})
_GIVEN = ("given/hispanic/M", "given/hispanic/M", "given/hispanic/F")
_MADE = ("listed", "listed", "listed", "listed", "person", "person", "titled", "saint")


def spanish(scope: Scope, raw: str, kind: str, real: frozenset[str]) -> str:
    """The surrogate of the name of a street as written, with its particle.

    `kind`: the folded word before it (`calle`, `ctra`); `real`: `distinctive_words` of its names.
    """
    key = " ".join(fold(raw).replace("-", " ").split())
    size = min(len(key.split()) or 1, _LONGEST)
    first = key.split()[0] if size > 1 else ""
    road = kind in _ROADS

    def drawn(step: int) -> str:
        own = scope.sub("street", key, step)
        if first in ARTICLES:
            return _with_article(own, size, capital=raw[:1].isupper())
        return _draw(own, size, led=first in PARTICLES, road=road)

    return first_free(drawn, key, (real,))


def _draw(scope: Scope, size: int, *, led: bool, road: bool) -> str:
    if led:
        return f"de {_town(scope)}" if road and size == len(("de", "town")) else _of(scope, size)
    if size == 1:
        return _listed(scope, 1, led=False) if scope.coin(0.7, "listed") else surname(scope)
    made = _MADE[scope.integer(len(_MADE), "made")]
    if made == "listed" or size == _LONGEST:
        return _listed(scope, size, led=False)
    if made == "person" or size > len(("San", "Juan")):
        return person(scope, size)
    return titled(scope) if made == "titled" else saint(scope)


def _with_article(scope: Scope, size: int, *, capital: bool) -> str:
    """A listed name with its article, without `de` (`La Paz`, `El Prado`, `los Olmos`)."""
    names = _listed_articles()[min(size, max(_listed_articles()))]
    name = names[scope.integer(len(names), "article")]
    return name[:1].upper() + name[1:] if capital else name


@cache
def _listed_articles() -> Mapping[int, tuple[str, ...]]:
    """The listed names that may stand with an article alone, by number of words with it."""
    found: dict[int, tuple[str, ...]] = {}
    for name in load_list("streets_es")["of"]:
        first, _, rest = name.partition(" ")
        shown = f"el {rest}" if first == "del" else rest
        if fold(shown.split()[0]) in ARTICLES:
            size = len(shown.split())
            found[size] = (*found.get(size, ()), shown)
    return MappingProxyType(found)


def _of(scope: Scope, size: int) -> str:
    """A listed name with its particle, one after a saint, or after a town."""
    if size == len(("de", "town")) and scope.coin(0.4, "town"):
        return f"de {_town(scope)}"
    if size == len(("de", "San", "Juan")) and scope.coin(0.1, "saint"):
        return f"de {saint(scope)}"
    return _listed(scope, size, led=True)


def _listed(scope: Scope, size: int, *, led: bool) -> str:
    names = _by_length()[size, led]
    return names[scope.integer(len(names), "listed name")]


@cache
def _by_length() -> Mapping[tuple[int, bool], tuple[str, ...]]:
    """The listed names by number of words (the last: or more), led by a particle or not."""
    found: dict[tuple[int, bool], dict[str, None]] = {}
    for kind, names in load_list("streets_es").items():
        for name in names if kind not in _NOT_NAMES else ():
            pieces = name.replace("-", " ").split()
            at = min(len(pieces), _LONGEST), pieces[0] in PARTICLES
            found.setdefault(at, {})[name] = None
    return MappingProxyType({at: tuple(names) for at, names in found.items()})


def person(scope: Scope, size: int) -> str:
    """A person in full, of `size` words: given name and surnames."""
    groups = _names()
    group = groups[_GIVEN[scope.integer(len(_GIVEN), "sex")]]
    pieces = [group[scope.integer(len(group), "given")]]
    pieces += [surname(scope.sub("surname", i)) for i in range(1, size)]
    return " ".join(pieces)


def titled(scope: Scope) -> str:
    """A surname after a title (`Doctor Salcedo`)."""
    titles = load_list("streets_es")["titles"]
    return f"{titles[scope.integer(len(titles), 'title')]} {surname(scope)}"


def saint(scope: Scope) -> str:
    """`San Roque`, `Santa Inés`."""
    title, kind = (("San", "saint.es"), ("Santa", "saint.es.f"))[scope.integer(2, "gender")]
    names = load_list("words")[kind]
    return f"{title} {names[scope.integer(len(names), 'saint')]}"


def surname(scope: Scope) -> str:
    """A listed Spanish surname."""
    names = _names()["family/hispanic"]
    return names[scope.integer(len(names), "family")]


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """Listed Spanish names by class."""
    wanted = {*_GIVEN, "family/hispanic"}
    groups = {group.label: group.names for group, _ in load_names().place.values()}
    return MappingProxyType({label: groups[label] for label in sorted(wanted)})


def _town(scope: Scope) -> str:
    names = _towns()
    return names[scope.integer(len(names), "town")]


@cache
def _towns() -> tuple[str, ...]:
    """Listed towns of one word in Spain and Latin America."""
    found = {
        city.name: None
        for (country, _), cities in load_places().by_state.items()
        for city in cities
        if country != "US" and " " not in city.name
    }
    return tuple(found)
