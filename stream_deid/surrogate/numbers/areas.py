"""Telephone area codes of the state (or Spanish province) that a patient's state becomes.

Codes of a state (NANPA; Spain's numbering plan) become codes of the state that it becomes, in a
keyed order, so that telephones and addresses lie in one place. Where that one has fewer, several
become one: two numbers that differ by nothing but two codes of one state may become one number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import area_codes
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.places import towns
from stream_deid.text.memo import remembered

_STATE = 2  # letters of a state; longer is another country of the American plan


@cache
def assigned(country: str = "US") -> Mapping[str, str]:
    """The state of each assigned code."""
    codes_of = area_codes(country)
    return MappingProxyType({code: at for at, codes in codes_of.items() for code in codes})


@remembered
def moved(places: Scope, code: str, country: str = "US") -> str:
    """Another area code, of the state that its state becomes; any for one that is not assigned.
    `places`: the scope of places.
    """
    state = assigned(country).get(code)
    if state is None:
        every = tuple(assigned(country))
        return every[places.integer(len(every), "unassigned area", code)]
    codes_of = area_codes(country)
    own, target = codes_of[state], codes_of[_target(places, country, state)]
    size = max(len(own), len(target))
    return target[places.sub("area", state).cycle(size, own.index(code)) % len(target)]


def _target(places: Scope, country: str, state: str) -> str:
    abroad = country == "US" and len(state) > _STATE
    return state if abroad else towns.moved(places, country, state)
