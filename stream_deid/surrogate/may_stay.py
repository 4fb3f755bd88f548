"""What may stay under a policy that keeps its type: only words that the lists of the type hold.

The field of a message says what should stand in it; people write surnames, towns and numbers there.
"""

from __future__ import annotations

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_places
from stream_deid.lists.sexes import TOLD_NONE
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.demographics import neutral
from stream_deid.surrogate.places import countries, states
from stream_deid.text.folding import fold

_LISTS = Vocabulary("may_stay", "surrogates")

T = PhiType
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


def _is_place(text: str) -> bool:
    core = " ".join(fold(text).split())
    listed_by_code = core in _REGIONS or core in countries.ISO_CODES
    return not core or listed_by_code or bool(states.find_state(core) or countries.find(core))
