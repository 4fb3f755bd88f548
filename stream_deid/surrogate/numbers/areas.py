"""Telephone area codes of the state (or Spanish province) that a patient's state becomes.

One keyed permutation of a country's assigned codes (NANPA; Spain's numbering plan): codes of a
state become codes of the state that it becomes, in a keyed order. Where that one has fewer, the
codes that are left over on both sides answer each other, so that two codes never become one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import area_codes
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.places import towns
from stream_deid.text.memo import remembered

_ABROAD = "CANADA"


@cache
def assigned(country: str = "US") -> Mapping[str, str]:
    """The state of each assigned code."""
    codes_of = area_codes(country)
    return MappingProxyType({code: at for at, codes in codes_of.items() for code in codes})


@remembered
def moved(places: Scope, code: str, country: str = "US") -> str:
    """Another area code; keyed for one that is not assigned. `places`: the scope of places."""
    state = assigned(country).get(code)
    if state is None:
        every = tuple(assigned(country))
        return every[places.integer(len(every), "unassigned area", code)]
    codes_of = area_codes(country)
    own, target = codes_of[state], codes_of[_target(places, country, state)]
    at = _place(places, state, own.index(code), max(len(own), len(target)))
    return target[at] if at < len(target) else _left(places, country)[code]


def _target(places: Scope, country: str, state: str) -> str:
    return state if state == _ABROAD else towns.moved(places, country, state)


def _place(places: Scope, state: str, index: int, size: int) -> int:
    return places.sub("area", state).cycle(size, index)


@remembered
def _left(places: Scope, country: str) -> Mapping[str, str]:
    """What codes become for which the other state has none left."""
    givers, takers = _unmatched(places, country)
    turn = places.integer(len(takers), "area", "turn") if takers else 0
    return dict(zip(givers, (*takers[turn:], *takers[:turn]), strict=True))


def _unmatched(places: Scope, country: str) -> tuple[list[str], list[str]]:
    givers: list[str] = []
    takers: list[str] = []
    codes_of = area_codes(country)
    for state, own in codes_of.items():
        target = codes_of[_target(places, country, state)]
        size = max(len(own), len(target))
        taken = [_place(places, state, i, size) for i in range(len(own))]
        givers += [code for code, at in zip(own, taken, strict=True) if at >= len(target)]
        takers += [target[at] for at in sorted(set(range(len(target))) - set(taken))]
    return givers, takers
