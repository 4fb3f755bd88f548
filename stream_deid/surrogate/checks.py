"""What is looked at before a replacement may stand: it is nothing of what it replaces."""

from __future__ import annotations

import re

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.kinds_of_organizations import HOUSE_WORDS
from stream_deid.lists.titles import affixes
from stream_deid.note import Finding, Part
from stream_deid.surrogate.context import NoteContext
from stream_deid.surrogate.names.distinctive import holds
from stream_deid.surrogate.numbers import spoken_numbers
from stream_deid.surrogate.places import streets
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import fold

T = PhiType
_TOLD_BY_NAME = frozenset({T.PATIENT, T.DOCTOR, T.CITY})
_HOUSES = ORGANIZATIONS | {T.CITY}
_WORD = re.compile(r"[^\W\d_]{3,}")  # in folded text
_NOT_TELLING = affixes("alike", "particle") | spoken_numbers.COUNTING


def betrays(context: NoteContext, made: str) -> bool:
    """A last look at addresses, whose parts are names: whether one of the note's stands in it."""
    return holds(fold(made), context.distinctive)


def leaves_a_name(part: Part, finding: Finding, made: str) -> bool:
    """Whether a word that stays ("ext.", "years old", "Hospital") belongs to what somebody took for
    a name inside the finding.
    """
    if finding.type in PERSONS:
        return False
    shown = {*_WORD.findall(fold(made))} - _NOT_TELLING
    shown -= streets.STREET_WORDS if finding.type is T.STREET else frozenset()
    return any(
        not (
            shown - HOUSE_WORDS["en"] if {one.type, finding.type} <= _HOUSES else shown
        ).isdisjoint(
            _WORD.findall(
                fold(part.text[max(one.start, finding.start) : min(one.end, finding.end)])
            )
        )
        for one in finding.rivals
        if one.type in _TOLD_BY_NAME
    )


def sound(core: str, made: str, *, whole: bool = False) -> bool:
    """Whether a replacement may stand: not empty, sane length, without the original in it.

    Nor may it be the original in another grouping. `whole`: the original must not stand in it as a
    whole word (`2/10` in `12/10` is no leak).
    """
    if not made.strip() or len(made) > 3 * len(core) + 48:
        return False
    real, shown = fold(core).strip(), fold(made).strip()
    if len(real) < 2:
        return real != shown
    if not whole and canonical(core) and canonical(core) == canonical(made):
        return False
    at = shown.find(real)
    while at >= 0:
        edges = shown[at - 1 : at] + shown[at + len(real) : at + len(real) + 1]
        if not whole or not (edges and any(c.isalnum() or c in "+ " for c in edges)):
            return False
        at = shown.find(real, at + 1)
    return True
