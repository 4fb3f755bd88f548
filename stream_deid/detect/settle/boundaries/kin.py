"""A word for a relative that models take for a name or into one ("Marido, Xabier") is none, nor is
what somebody is or a greeting before one ("BB Okoro", "Cadáver de Vasile", "fyi tala"), nor how he
came before who brought him ("BIBA Medic 41").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stream_deid.detect.settle.boundaries.tails import is_head, without_tail
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection

_KIN = re.compile(
    rf"(?i:{Vocabulary('short_values')['kin']})(?:[ ,:(]{{1,3}}(?=[^\W\d_a-zà-ÿ])|[ ,:(]{{0,3}}$)"
)
_ARRIVAL = re.compile(rf"(?:{Vocabulary('headed')['arrivals']})[ ]+(?=\w)")
_CHILD_OF = re.compile(rf"(?i:{Vocabulary('short_values')['child_of']})")
_KIN_SPANISH = re.compile(rf"(?i:{Vocabulary('short_values')['kin_houses']})[ ](?=[^\W\d_a-zà-ÿ])")
"""What a model takes for the beginning of a house or town: "SOBRINO BREIXO", "Hijo de" a mother."""
_TAKEN_FOR = frozenset({PhiType.HOSPITAL, PhiType.CITY})
_ROLE = re.compile(rf"(?:{Vocabulary('headed')['roles']})[ ](?=\w)")


def apart_from_kin(text: str, detections: Iterable[Detection]) -> Iterator[Detection]:
    """What models say, names of persons without a word for a relative before them, those of houses
    without one for an arrival; neither with what stands behind them (`tails`).
    """
    for vote in detections:
        if is_head(text, vote):
            continue
        one = without_tail(text, vote)
        said = text[one.start : one.end]
        if one.type in _TAKEN_FOR and _CHILD_OF.fullmatch(said):
            continue
        if one.type in _TAKEN_FOR and (kin := _KIN_SPANISH.match(said)):
            one = replace(one, start=one.start + kin.end(), type=PhiType.RELATIVE, label="")
        value = text[one.start : one.end] if one.type in PERSONS else ""
        named = text[one.end : one.end + 2]
        if one.type in ORGANIZATIONS and (came := _ARRIVAL.match(text, one.start, one.end)):
            yield replace(one, start=came.end())
            continue
        found = _KIN.match(value) or _ROLE.match(value + (named if named[1:].isupper() else ""))
        start = one.start + (found.end() if found else 0)
        if start < one.end:
            yield replace(one, start=start) if found else one
