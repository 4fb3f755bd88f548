"""What may stay under a policy that keeps its type: only words that the lists of the type hold.

The field of a message says what should stand in it; people write surnames, towns and numbers there.
"""

from __future__ import annotations

from collections.abc import Iterable

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.lexicon import load_places
from stream_deid.lists.sexes import TOLD_NONE
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Known
from stream_deid.surrogate.demographics import neutral
from stream_deid.surrogate.places import countries, states
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

_LISTS = Vocabulary("may_stay", "surrogates")

T = PhiType
_NAMED = PERSONS | ORGANIZATIONS | {T.STREET}
_SAYS_STREET = frozenset[str]().union(
    *map(Vocabulary("places_streets", "surrogates").words, ("street_words", "other_words"))
)
LISTED_PLACES = frozenset({T.CITY, T.STATE, T.COUNTRY})
_SHORTEST = 4
_NOTHING = _LISTS.words("nothing")

_REGIONS = _LISTS.words("regions") | _LISTS.words("regions_of_two_words")


def otherwise(phi: PhiType, text: str) -> PhiType | None:
    """The type as which a value of a kept type is hidden; None where it may stay."""
    core = " ".join(fold(text).split())
    if not core or core in _NOTHING:
        return None
    if phi in {T.STATE, T.COUNTRY}:
        return None if all(map(_is_place, text.split(","))) else T.CITY
    if phi is T.SEX:
        return None if core in TOLD_NONE or neutral.is_sex(core) else T.OTHER
    return None


def is_city(text: str) -> bool:
    """Whether a list of towns holds a name."""
    return " ".join(fold(text).split()) in load_places().named


def stated(known: Iterable[Known]) -> dict[str, PhiType]:
    """Streets (without kind and number), organisations and persons of a record by their names,
    but those that the record states as a town, state or country too.
    """
    known = list(known)
    found = {_key(one.value, one.type): one.type for one in known if one.type in _NAMED}
    for one in known:
        if one.type in LISTED_PLACES:
            found.pop(_key(one.value, one.type), None)
    found.pop("", None)
    return found


def as_stated(of: dict[str, PhiType], text: str) -> PhiType | None:
    """What a record states by the name of a supposed place; `of`: what `stated` returned."""
    return of.get(_key(text, T.CITY)) or of.get(_key(text, T.STREET))


def _calls(word: str) -> bool:
    """Whether a word of a street is its own, and no door, kind or article."""
    return len(word) >= _SHORTEST and word.isalpha() and word not in _SAYS_STREET


def _key(value: str, phi: PhiType) -> str:
    keys = [word.key for word in words(value)]
    if phi is T.STREET:
        keys = [key for key in keys if _calls(key)]
    return " ".join(keys)


def _is_place(text: str) -> bool:
    core = " ".join(fold(text).split())
    listed_by_code = core in _REGIONS or core in countries.ISO_CODES
    return not core or listed_by_code or bool(states.find_state(core) or countries.find(core))
