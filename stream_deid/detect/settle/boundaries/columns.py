r"""What models read over the gap between two columns of a form, or two cells of a table, is two.

"Sanatorio Güemes   Cama 11" names a house and a bed, "Mª Paz   T. social:" a nurse and the label of
the next field. Each side is a vote of its own, and the label of a column is none. Nor does anything
go on over the control words of RTF; of a number with bars in it the cells that are short are
others' ("649118230|214"), if not all are, as where an export cuts a number ("1|4|0|3").

gap = (" "{3,} | tab) between two words
    | ("SURNAME" | "FORENAME" | ...) [":"] between two names      "HARDCASTLE FORENAME WILFRED"
control = "\" letters digits                                      "Amor Quiroga\cell N"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.field_labels import INSIDE
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.folding import fold

_GAP = re.compile(
    rf"(?<=[^\W_.,-])[.]?(?: {{3,}}|\t[ \t]*)(?=[^\W\d_])"
    rf"|(?<=[^\W_])[.,]?[ ]{{1,8}}(?i:{Vocabulary('headed')['parts_of_names']})"
    r"(?:[ ]?[:=])?(?:[ ]+(?=[^\W\d_])|[ ]*$)"
)
_TYPES = PERSONS | ORGANIZATIONS | {PhiType.CITY}
_CONTROL = re.compile(
    r"[ ]?\\(?:cell|row|pard?|tab|line|plain|q[crlj]|(?:[bi]|ul)0?)(?![a-z\d])[ ]?"
)
_FEW = 4
"""Figures and letters of a cell that is no number that tells somebody apart."""


def by_columns(text: str, detections: Iterable[Detection]) -> Iterator[Detection]:
    """What models say, cut where a column ends."""
    for one in (cell for whole in detections for cell in _cells(text, whole)):
        start = one.start
        if one.type in _TYPES:
            for gap in _GAP.finditer(text, one.start, one.end):
                yield replace(one, start=start, end=gap.start())
                start = gap.end()
        if start == one.start or (start < one.end and not _is_label(text, start, one.end)):
            yield replace(one, start=start)


def _is_label(text: str, start: int, end: int) -> bool:
    """Whether what opens a column is the label of what stands in it: a place inside a house or a
    letter for a word ("T. social").
    """
    word = fold(text[start:end]).lower()
    return word in INSIDE or (len(word.rstrip(".")) == 1 and text[end : end + 6].islower())


def _cells(text: str, one: Detection) -> Iterator[Detection]:
    """What stands in each cell, and between the control words of RTF."""
    value = text[one.start : one.end]
    if "\\" in value:
        yield from _between(one, [found.span() for found in _CONTROL.finditer(value)])
    elif "|" in value and one.type in NUMBERS:
        bars = [at for at, sign in enumerate(value) if sign == "|"]
        cells = list(_between(one, [(at, at + 1) for at in bars]))
        long = [cell for cell in cells if cell.end - cell.start > _FEW]
        yield from long or [one]
    else:
        yield one


def _between(one: Detection, gaps: Iterable[tuple[int, int]]) -> Iterator[Detection]:
    """A span without `gaps`, by where they begin and end in it."""
    start = one.start
    for gap, end in (*gaps, (one.end - one.start, 0)):
        if start < one.start + gap:
            yield replace(one, start=start, end=one.start + gap)
        start = one.start + end
