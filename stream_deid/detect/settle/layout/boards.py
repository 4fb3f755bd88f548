"""Rows of boards in capitals: a surname and an initial, found at half of the rows.

row     = line [BED] SURNAME [","] INITIAL (age | blank WORD | end)     "701 BLACK R 67 CHF"
column  = rows of which none's letter is anything but a sex, before ages: no initials

The surname is a word of the language at some rows ("BLACK", "STONE", "LONG"), and models leave it
or its initial there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.field_labels import is_label
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded

DETECTOR = "board@1"
_ROW = re.compile(
    r"(?m)^[ \t>*-]{0,4}"
    r"(?:(?:[A-Z]{1,8}[- ]?)?\d{1,4}[A-Z]?(?:-\d{1,2})?[ \t.:)-]{1,3}|[A-Z]\d?[ \t]+)?"
    r"(?P<name>[A-Z]{3,}(?:['-][A-Z]{2,})?),?[ ](?P<initial>[A-Z])\.?"
    r"(?=[ \t]+(?:\d{1,3}\b|[A-Z(])|[ \t]*$|,)"
)
_SEXES = frozenset("MFHV")
_LEAST_ROWS = 2


def on_boards(text: str, found: Sequence[Finding]) -> list[Detection]:
    """The names of the rows of a board of which `found` names people at half or more."""
    rows = [row for row in _ROW.finditer(folded(text)) if _may_be_one(row["name"])]
    if len(rows) < _LEAST_ROWS:
        return []
    people = {at: one for one in found if one.type in PERSONS for at in (one.start,)}
    named = [one for row in rows if (one := people.get(row.start("name"))) is not None]
    if 2 * len(named) < len(rows):
        return []
    sexes = {row["initial"] for row in rows} <= _SEXES
    patients = [one for one in named if one.type is PhiType.PATIENT]
    best = max(patients or named, key=lambda one: one.score)
    score = min(best.score, 0.9)
    return [
        Detection(
            row.start("name"),
            row.end("name" if sexes else "initial"),
            best.type,
            DETECTOR,
            score,
            best.label,
        )
        for row in rows
    ]


def _may_be_one(word: str) -> bool:
    """Whether a word in capitals may be a surname: no label and no abbreviation of the clinic."""
    return not is_label(word) and not is_abbreviation(word)
