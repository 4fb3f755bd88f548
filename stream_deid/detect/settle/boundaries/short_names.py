"""Spanish names that models cut behind the dot of a short form: "Ma" "Gpe" "Rdz. Salinas" is one.

cut   = [name] SHORT ". " name         "Fco. Javier Mtz. Lozano", whatever kind of name the first is
      | SHORT "." ("del" | "de la" ...) " " name                           "Ma. del Carmen"
place = names with a surname in short, no word of kind, that are a person's   "Mª Dolores Rguez"
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from stream_deid.detect.patterns import is_pattern
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.kinds_of_organizations import HOUSE_WORDS
from stream_deid.lists.short_names import FULL
from stream_deid.lists.titles import PARTICLES
from stream_deid.note import Detection
from stream_deid.text.canonical import canonical
from stream_deid.text.enclosing import Enclosing
from stream_deid.text.folding import fold

_KIN = PERSONS | {PhiType.RELATIVE}
_MISTAKEN = ORGANIZATIONS | {PhiType.CITY, PhiType.LOCATION_OTHER}
"""What models take a piece of a name for: a house or a place."""
_GAP = ". "


def whole_names(text: str, votes: Iterable[Detection]) -> list[Detection]:
    """The votes on a Spanish text, and for names in pieces one on the whole."""
    given = [_as_person(text, one) for one in votes]
    begins: dict[int, Detection] = {}
    for one in sorted(given, key=lambda one: (one.start, -one.end), reverse=True):
        rest = begins.get(one.end + len(_GAP)) or begins.get(one.end + 1)
        if rest is None or not (_is_cut(text, one, rest) or _goes_on(text, one)):
            if one.type in _KIN:
                begins[one.start] = one
            continue
        begins[one.start] = replace(rest, start=one.start, score=max(one.score, rest.score))
    known = set(given)
    made = [one for one in begins.values() if one not in known]
    whole = Enclosing((name.start, name.end) for name in made)
    left = (one for one in given if not (one.type in _MISTAKEN and whole.holds(one.start, one.end)))
    return [*left, *made]


def _is_cut(text: str, one: Detection, rest: Detection) -> bool:
    """Whether a name ends in a short form whose dot stands before the rest of it."""
    if text[one.end : rest.start] != _GAP or not text[rest.start].isupper():
        return False
    words = text[one.start : one.end].split()
    alone = len(words) == 1 and one.type in _MISTAKEN
    return bool(words) and canonical(words[-1]) in FULL and (one.type in _KIN or alone)


def _goes_on(text: str, one: Detection) -> bool:
    """Whether a short form and a particle stand before the rest of a name behind a blank."""
    first, dot, behind = text[one.start : one.end].partition(".")
    particles = set(fold(behind).split())
    short = one.type in _KIN and dot and canonical(first) in FULL
    return bool(short and particles and particles <= PARTICLES and text[one.end] == " ")


def _as_person(text: str, one: Detection) -> Detection:
    """A vote for a house or a place as one for a person, where it has a surname in short."""
    words = text[one.start : one.end].replace(".", " ").split()
    keys = [fold(word) for word in words]
    if one.type not in _MISTAKEN or is_pattern(one.detector):
        return one
    surname = any(FULL.get(key, "").endswith("ez") for key in keys)
    named = all(word[0].isupper() or fold(word) in PARTICLES for word in words)
    if not (surname and named) or any(key in HOUSE_WORDS["es"] for key in keys):
        return one
    return replace(one, type=PhiType.PATIENT, label="")
