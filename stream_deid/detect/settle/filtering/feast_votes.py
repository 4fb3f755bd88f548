"""Feasts are days, whatever kind of name models take them, or a word of them, for.

let go = a model's vote for a house, a place or kin within a feast of the lists ("Halloween" as a
         house, "Madre" of "Día de la Madre"); a longer one ("Hospital de Navidad") stays
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stream_deid.detect.patterns import is_pattern
from stream_deid.detect.record.stated import states
from stream_deid.labels import ORGANIZATIONS, PhiType
from stream_deid.note import Detection
from stream_deid.text.enclosing import Enclosing

_FEASTS = frozenset({"date-holiday", "fecha-fiesta"})
_MISTAKEN = ORGANIZATIONS | {
    PhiType.RELATIVE, PhiType.CITY, PhiType.LOCATION_OTHER, PhiType.PROFESSION, PhiType.OTHER,
}  # fmt: skip


def without_words_of_feasts(votes: Iterable[Detection]) -> Iterator[Detection]:
    """The votes without those of models for names within a feast."""
    given = list(votes)
    feasts = Enclosing((one.start, one.end) for one in given if _name(one) in _FEASTS)
    for one in given:
        guessed = one.type in _MISTAKEN and not is_pattern(one.detector) and not states(_name(one))
        if not (guessed and feasts.holds(one.start, one.end)):
            yield one


def _name(vote: Detection) -> str:
    return vote.detector.partition("@")[0]
