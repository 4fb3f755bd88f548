"""Whose a message is: the patient's number and the authority that gave it.

HL7 v2.5.1, 3.4.2.3 (PID-3) and 2.A.14 (CX): a number means something only with its authority. The
order of repetitions says nothing, so the choice doesn't depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from stream_deid.formats.hl7.syntax import Message
from stream_deid.formats.identity import patient_key
from stream_deid.formats.placeholders import is_placeholder

_BEST = ("MR", "MRN", "MRT", "PI", "PT", "")
"""Types of a medical record number (table 0203); a number without type is one too."""


def patient_of(message: Message, authorities: Mapping[str, str]) -> str:
    """The key of the patient whom PID names; empty where it names none.

    The best number of PID-3 by its type, then by whether its authority is the site's own or
    declared, then by alphabet; else that of PID-2, else of PID-18. `authorities`: what an
    assigning authority (namespace or universal id) is called here, the empty string for the
    site's own; one that isn't declared is called as it is.
    """
    return _first(message, (("PID", 3), ("PID", 2), ("PID", 18)), authorities)


def prior_of(message: Message, authorities: Mapping[str, str]) -> str:
    """The key of the patient whose record is merged into another (MRG-1, else MRG-4), if any.

    HL7 v2.5.1, 3.4.9: what identified the patient before an A18, A34, A40 or A47.
    """
    return _first(message, (("MRG", 1), ("MRG", 4)), authorities)


def _first(
    message: Message, places: Sequence[tuple[str, int]], authorities: Mapping[str, str]
) -> str:
    for segment, number in places:
        found = [
            (_rank(kind), _standing(authority, authorities), authority, value)
            for value, authority, kind in _numbers(message, segment, number)
        ]
        if found:
            *_, authority, value = min(found)
            return patient_key(value, authorities.get(authority, authority))
    return ""


def _standing(authority: str, authorities: Mapping[str, str]) -> int:
    if not authorities.get(authority, authority):
        return 0
    return 1 if authority in authorities else 2


def _rank(kind: str) -> int:
    return _BEST.index(kind) if kind in _BEST else len(_BEST)


def _numbers(message: Message, segment: str, field: int) -> Iterator[tuple[str, str, str]]:
    """Value, authority and type of every repetition that holds a number."""
    marks = message.delimiters
    for repetition in message.value(segment, field).split(marks.repetition):
        parts = [part.strip() for part in repetition.split(marks.component)]
        value = parts[0]
        if value and value != '""' and not is_placeholder(value):
            authority = [*(parts[3].split(marks.subcomponent) if len(parts) > 3 else []), "", ""]
            yield value, authority[0] or authority[1], parts[4] if len(parts) > 4 else ""
