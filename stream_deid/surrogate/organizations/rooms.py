"""Rooms, beds and wards by their numbers: figures change, words of kind stay, names go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers.scramble import scramble
from stream_deid.surrogate.organizations.kinds import KIND_WORDS
from stream_deid.text.canonical import Word, listed, words

_ROOM_WORDS = frozenset(
    listed(
        """
    room rooms bed beds bay bays box floor level suite pod side window door chair slot cubicle
    corridor hall hallway lane stretcher gurney bassinet crib isolation iso negative pressure
    private semi semiprivate double single lower upper basement ground first second third annex
    section zone block wait waiting recliner station post front back left right middle telemetry
    tele medsurg surg med medical step down stepdown critical intensive acute trauma labor delivery
    maternity nursery newborn operating procedure procedural exam examination triage observation
    preop postop cath endoscopy holding dialysis infusion clinic number num apt
    habitacion hab cama camas planta piso sala pasillo cubiculo camilla silla puerta ala
    derecha izquierda izq der quirofano consulta observacion reanimacion boxes nivel sotano
    route highway interstate freeway exit mile marker intersection corner
    aislamiento ventana pabellon control puesto incubadora cuna"""
    )
)
"""Words beside the numbers of rooms that every hospital has."""
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[ .'-]{0,2}")
_LEAST = 3


def replaced(scope: Scope, text: str, name: Callable[[str], str]) -> str:
    """Digits, and letters that touch them, by pattern; what is no word of kind by `name`."""
    numbered = _numbered(scope, text)
    out: list[str] = []
    done = 0
    for start, end in _names(text):
        out += (numbered[done:start], name(text[start:end]))
        done = end
    return "".join((*out, numbered[done:]))


def _numbered(scope: Scope, text: str) -> str:
    kept = {i for match in _ORDINAL.finditer(text) for i in range(*match.span())}
    places = [i for i, ch in enumerate(text) if i not in kept and _is_numbers(text, i, ch)]
    letters = list(text)
    for i, ch in zip(places, scramble(scope, "".join(text[i] for i in places)), strict=True):
        letters[i] = ch
    return "".join(letters)


def _is_numbers(text: str, i: int, ch: str) -> bool:
    touches = text[i - 1 : i].isdecimal() or text[i + 1 : i + 2].isdecimal()
    return ch.isdecimal() or (ch.isalpha() and touches)


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Runs of words that are none of kind."""
    run: list[Word] = []
    for word in words(text):
        if len(word.text) < _LEAST or word.key in KIND_WORDS or word.key in _ROOM_WORDS:
            continue
        if run and not _BETWEEN.fullmatch(text[run[-1].end : word.start]):
            yield run[0].start, run[-1].end
            run = []
        run.append(word)
    if run:
        yield run[0].start, run[-1].end
