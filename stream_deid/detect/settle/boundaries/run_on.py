"""The label of the next field, run on to a name in an export that lost its blanks and line breaks.

label = LabelWord{1,4} ("=" | ":" | figure), behind a small letter   "AlbertaQuinceDOB:1947",
                                                                     "HomerQuinceNextOfKin:",
                                                                     "IzaNºCol:"

Each word begins with a capital, and all of them are words of labels; one at least stays the name's.
"""

from __future__ import annotations

import re

from stream_deid.labels import ORGANIZATIONS, PERSONS, PLACES, PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("field_labels").words("run_on")
_BEFORE_FIGURES = Vocabulary("field_labels").words("run_on_figures")
_PIECE = re.compile(r"N[º°]|[A-Z]+(?![a-z])|[A-Z][a-z]+")
_TYPES = PERSONS | ORGANIZATIONS | PLACES | {PhiType.USERNAME, PhiType.PROFESSION}
_LONGEST = 40


def without_label(text: str, start: int, stop: int, phi_type: PhiType) -> int:
    """Where a vote ends without the label that goes on behind it."""
    after = text[stop : stop + 1]
    if phi_type not in _TYPES or not (after in (":", "=") or after.isdecimal()):
        return stop
    known = _BEFORE_FIGURES if after.isdecimal() else _WORDS
    low = max(start, stop - _LONGEST)
    pieces = list(_PIECE.finditer(text, low, stop))
    end = stop
    while pieces and (last := pieces.pop()).end() == end and last[0].lower() in known:
        if last.start() <= start or not text[last.start() - 1].isalpha():
            break
        end = last.start()
    return end if end < stop and text[end - 1].islower() else stop
