"""Proper names of English organisations: places made up for them, founders, towns."""

from __future__ import annotations

from functools import cache

from stream_deid.lists.lexicon import load_list, load_places
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.stock import classes

_WORDS = 2  # of a town's name


def english_name(scope: Scope) -> str:
    """A keyed name: in equal shares one that organisations like (`Lakeside`), a surname, a town."""
    names = (load_list("words")["core.en"], _founders(), _towns())[scope.integer(3, "kind")]
    return names[scope.integer(len(names), "name")]


@cache
def _founders() -> tuple[str, ...]:
    return tuple(name for name in classes()["family/anglo"].names if name.isalpha())


@cache
def _towns() -> tuple[str, ...]:
    """Towns of the United States of one or two words of letters, each once."""
    places = load_places().by_state
    found = {c.name: None for at, cities in places.items() if at[0] == "US" for c in cities}
    return tuple(n for n in found if n.replace(" ", "").isalpha() and len(n.split()) <= _WORDS)
