"""Names that models read over the gap between two columns of a form are two.

"Sanatorio Güemes   Cama 11" names a house and a bed, "Mª Paz   T. social:" a nurse and the label of
the next field. Each side is a vote of its own, and the label of a column is none.

gap = (" "{3,} | tab) between two words
    | ("SURNAME" | "FORENAME" | ...) [":"] between two names      "HARDCASTLE FORENAME WILFRED"
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
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


def by_columns(text: str, detections: Iterable[Detection]) -> Iterator[Detection]:
    """What models say, cut where a column ends."""
    for one in detections:
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
