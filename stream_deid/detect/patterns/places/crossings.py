"""Streets that cross, and towns with their state.

crossing = ordinal ("&" | "and") Street              "5th & Main", a street that many towns have
         | "corner of" Street ("&" | "and") Street   "corner of Alder & 12th"
town     = town "," STATE                            "ADA, OK", where the state has such a town
"""

from __future__ import annotations

from functools import cache

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.detect.patterns.places.addresses import STATES
from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import towns_us
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_WORDS = Vocabulary("places_en")
T = PhiType
_ORDINAL = r"\d{1,3}(?:st|nd|rd|th|ST|ND|RD|TH)"
_SUFFIX = rf"(?:[ ](?:{_WORDS['named_suffixes']})\b\.?)?"
_COMMON = rf"(?:{_WORDS['common_streets']})"
_ANY = rf"(?:{_ORDINAL}|[A-Z][A-Za-z']+){_SUFFIX}"
_AND = r"(?:[ ]?&[ ]?|[ ](?:and|AND)[ ])"
_TOWN = r"[A-Z][A-Za-z.']+(?:[ ][A-Z][A-Za-z.']+){0,2}"


@cache
def _towns() -> frozenset[tuple[str, str]]:
    """Towns of the United States in small letters, with their states."""
    return frozenset((fold(town.name), town.state) for town in towns_us())


def crossed(hit: Hit) -> bool:
    """Two streets; a street that is a word of the clinic too ("2nd and Central line") needs "&"."""
    word = hit.value.split()[-1]
    return whole(hit) and ("&" in hit.value or word in _STREETS_ONLY or hit.after(1) in _CLOSING)


_CLOSING = ("", ".", ",", ";", ")", "\n")
_STREETS_ONLY = _WORDS.words("streets_only")


def in_state(hit: Hit) -> bool:
    """A town, or a state behind one: the state has a town of this name."""
    town, state = hit.groups.get("town", hit.value), hit.groups.get("state", hit.value)
    return whole(hit) and (town.lower(), state) in _towns()


CROSSINGS = (
    Pattern(
        "crossing", 1, T.STREET,
        rf"(?P<v>{_ORDINAL}{_SUFFIX}{_AND}{_COMMON}{_SUFFIX})\b",
        crossed, ("&", " and "), 0.8,
    ),
    Pattern(
        "crossing", 1, T.STREET,
        rf"(?P<v>{_COMMON}{_SUFFIX}{_AND}{_ORDINAL}{_SUFFIX})\b",
        whole, ("&", " and "), 0.8,
    ),
    Pattern(
        "crossing", 1, T.STREET,
        rf"\b(?i:{_WORDS['crossing']})[ ]+(?P<v>{_ANY}{_AND}{_ANY})\b",
        whole, ("corner", "intersection", "crossing"), 0.8,
    ),
    Pattern(
        "town-state", 1, T.CITY,
        rf"\b(?P<v>{_TOWN}),[ ](?P<state>{STATES})\b",
        in_state, (",",), 0.7,
    ),
    Pattern(
        "town-state", 1, T.STATE,
        rf"\b(?P<town>{_TOWN}),[ ](?P<v>{STATES})\b",
        in_state, (",",), 0.7,
    ),
)  # fmt: skip
