"""Whose a message is: the patient's number and the authority that gave it.

HL7 v2.5.1, 3.4.2.3 (PID-3) and 2.A.14 (CX): a number means something only with its authority. The
order of repetitions says nothing, so the choice doesn't depend on it.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from stream_deid.formats.hl7.er7.syntax import Hl7Message, Segment
from stream_deid.formats.identity import patient_key
from stream_deid.formats.placeholders import is_no_number

_BEST = ("MR", "MRN", "MRT", "PI", "PT", "")
"""Types of a medical record number (table 0203); a number without type is one too."""


def patient_of(message: Hl7Message, authorities: Mapping[str, str]) -> str:
    """The key of the patient whom PID names; empty where it names none.

    The best number of PID-3 by its type, then by whether its authority is the site's own or
    declared, then by alphabet; else that of PID-2, else of PID-18. `authorities`: what an
    assigning authority (namespace or universal id) is called here, the empty string for the
    site's own; one that isn't declared is called as it is.
    """
    first = next((one for one in message.segments if one.name == "PID"), None)
    return _named(message, first, _PATIENT, authorities) if first is not None else ""


class Owners:
    """Whose each place of a message is: from a second PID on the patient's whom that names (answers
    to queries and batches of results have one for each), before it the message's own.
    """

    def __init__(self, message: Hl7Message, authorities: Mapping[str, str]) -> None:
        self._message, self._authorities = message, authorities
        named = [one for one in message.segments if one.name == "PID"]
        own = patient_of(message, authorities)
        self._starts = [one.start for one in named[1:]]
        self._keys = [self._key(one, own) for one in named[1:]]
        self._merged = [one for one in message.segments if one.name == "MRG"]

    def _key(self, segment: Segment, own: str) -> str:
        """Empty for the message's own patient; where no number is told, nobody else's."""
        key = _named(self._message, segment, _PATIENT, self._authorities)
        if not key:
            text = self._message.text.encode("utf-8", "surrogatepass")
            return f"{hashlib.sha256(text).hexdigest()}#{segment.number}"
        return "" if key == own else key

    def of(self, start: int) -> str:
        """Whose a place is: empty for the message's own patient."""
        at = bisect_right(self._starts, start)
        return self._keys[at - 1] if at else ""

    def prior(self, start: int) -> str:
        """The key of the patient whose record an MRG, in which a place is, merges into another's
        (MRG-1, else MRG-4).

        HL7 v2.5.1, 3.4.9: what identified the patient before an A18, A34, A40 or A47.
        """
        at = bisect_right([one.start for one in self._merged], start)
        return _named(self._message, self._merged[at - 1], _MERGED, self._authorities) if at else ""


_PATIENT, _MERGED = (3, 2, 18), (1, 4)
"""The fields of PID and MRG that hold numbers, the best first."""


def _named(
    message: Hl7Message, segment: Segment, fields: Sequence[int], authorities: Mapping[str, str]
) -> str:
    for field in fields:
        found = [
            (_rank(kind), _standing(authority, authorities), authority, value)
            for value, authority, kind in _numbers(message, segment.at(field))
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


def _numbers(message: Hl7Message, place: tuple[int, int] | None) -> Iterator[tuple[str, str, str]]:
    """Value, authority and type of every repetition of a field that holds a number."""
    marks = message.delimiters
    value = message.text[slice(*place)] if place else ""
    for repetition in value.split(marks.repetition):
        parts = [part.strip() for part in repetition.split(marks.component)]
        value = parts[0]
        if value and value != '""' and not is_no_number(value):
            authority = [*(parts[3].split(marks.subcomponent) if len(parts) > 3 else []), "", ""]
            yield value, authority[0] or authority[1], parts[4] if len(parts) > 4 else ""
