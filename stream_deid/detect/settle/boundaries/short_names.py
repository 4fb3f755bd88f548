"""Spanish names that models cut behind the dot of a short form: "Ma" "Gpe" "Rdz. Salinas" is one.

cut = [name] SHORT ". " name          "Fco. Javier Mtz. Lozano", whatever kind of name the first is
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.short_names import FULL
from stream_deid.note import Detection
from stream_deid.text.canonical import canonical

_KIN = PERSONS | {PhiType.RELATIVE}
_MISTAKEN = ORGANIZATIONS | {PhiType.CITY, PhiType.LOCATION_OTHER}
_GAP = ". "


def whole_names(text: str, votes: Iterable[Detection]) -> list[Detection]:
    """The votes on a Spanish text, and for names in pieces one on the whole."""
    given = list(votes)
    begins: dict[int, Detection] = {}
    for one in sorted(given, key=lambda one: (one.start, -one.end), reverse=True):
        rest = begins.get(one.end + len(_GAP))
        if rest is None or not _is_cut(text, one, rest):
            if one.type in _KIN:
                begins[one.start] = one
            continue
        begins[one.start] = replace(rest, start=one.start, score=max(one.score, rest.score))
    known = set(given)
    made = [one for one in begins.values() if one not in known]
    return [*(one for one in given if not any(_mistaken(one, name) for name in made)), *made]


def _is_cut(text: str, one: Detection, rest: Detection) -> bool:
    """Whether a name ends in a short form whose dot stands before the rest of it."""
    if not text.startswith(_GAP, one.end) or not text[rest.start].isupper():
        return False
    words = text[one.start : one.end].split()
    alone = len(words) == 1 and one.type in _MISTAKEN
    return bool(words) and canonical(words[-1]) in FULL and (one.type in _KIN or alone)


def _mistaken(one: Detection, name: Detection) -> bool:
    """Whether a vote calls a piece of a name a house or a place."""
    return one.type in _MISTAKEN and name.start <= one.start and one.end <= name.end
