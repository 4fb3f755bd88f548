"""In which state the towns of a note lie, by what stands beside them or with them in the record.

A town lies in the state beside it, in text ("Ft Yates, ND") and in fields (`PID-11`), else in that
of the postal code beside it ("37160 Villarino"). Towns of the record lie in its state where it
names one. A state elsewhere in a note says nothing: the town would have another surrogate in
the patient's next note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from stream_deid.labels import PhiType
from stream_deid.note import Finding, Known, Part
from stream_deid.text.folding import fold

T = PhiType
State = tuple[str, str]
Spans = Sequence[tuple[Part, Finding, str]]
_NEAR = 4  # characters between a town and its state
_CODE = " .0123456789-"
_TELLING = (T.STATE, T.ZIP)


def states(
    spans: Spans, known: Sequence[Known], state_of: Callable[[PhiType, str], State | None]
) -> dict[str, State]:
    """By folded town the (country, code) of the state in which it lies. `state_of` reads a STATE or
    a ZIP, of the type given with it.
    """
    found: dict[str, State] = {}
    pairs = list(_pairs(spans))
    for phi in _TELLING:
        for town, kind, value in pairs:
            at = state_of(phi, value) if kind is phi else None
            if at is not None:
                found.setdefault(_key(town), at)
    told = [(k.type, k.value) for k in known if k.type in _TELLING]
    record = _only(told, state_of)
    if record is not None:
        for stated in known:
            if stated.type is T.CITY:
                found.setdefault(_key(stated.value), record)
    return found


def within(cities: Iterable[str], find_state: Callable[[str], State | None]) -> dict[str, State]:
    """By folded town the state that is named with it in one value: "Laredo, TX 78040"."""
    found: dict[str, State] = {}
    for city in cities:
        town, *rest = city.split(",")
        at = next((at for piece in rest if (at := find_state(piece.strip(_CODE)))), None)
        if at is not None:
            found.setdefault(_key(town), at)
    return found


def in_countries(spans: Spans) -> Iterator[tuple[str, str]]:
    """(folded town, country as written) where one is behind the other ("Córdoba (Argentina)")."""
    for (left, first, town), (right, second, country) in pairwise(spans):
        near = left is right and 0 <= second.start - first.end <= _NEAR
        if near and first.type is T.CITY and second.type is T.COUNTRY:
            yield _key(town), country


def _key(town: str) -> str:
    return " ".join(fold(town).split())


def _only(
    told: Iterable[tuple[PhiType, str]], state_of: Callable[[PhiType, str], State | None]
) -> State | None:
    """The one state that all of the values tell, if they do."""
    found = {at for phi, value in told if (at := state_of(phi, value)) is not None}
    return found.pop() if len(found) == 1 else None


def _pairs(spans: Spans) -> Iterator[tuple[str, PhiType, str]]:
    """(town, type, value) of a state or code beside a town, in a text or in fields."""
    fields: dict[str, list[tuple[PhiType, str]]] = {}
    for part, one, text in spans:
        if one.type in (T.CITY, *_TELLING) and not part.examine and "." in part.path:
            fields.setdefault(part.path.rpartition(".")[0], []).append((one.type, text))
    for of in fields.values():
        towns = [text for phi, text in of if phi is T.CITY]
        yield from ((town, phi, text) for town in towns for phi, text in of if phi in _TELLING)
    for (left, first, before), (right, second, after) in pairwise(spans):
        if left is not right or not 0 <= second.start - first.end <= _NEAR:
            continue
        if first.type is T.CITY and second.type in _TELLING:
            yield before, second.type, after
        elif first.type is T.ZIP and second.type is T.CITY:
            yield after, first.type, before
