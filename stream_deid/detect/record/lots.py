"""Lots that a field of the message calls a drug's or a vaccine's: many people's, in its text too.

Such a field keeps its value (`Part.role` is `OF_MANY`), so hiding the same one in a sentence beside
it hides nothing from anybody, and says that another lot was given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stream_deid.detect.record.stated import states
from stream_deid.note import OF_MANY, Detection, Part
from stream_deid.text.folding import fold

_LOT = re.compile(r"(?=[^\d\s]*\d)[A-Za-z0-9][A-Za-z0-9./-]{2,18}[A-Za-z0-9]")
_MOST_FIGURES = 8
"""A longer number alone may be anybody's."""
_AROUND = " \t\n.,;:#()"


def is_lot(value: str) -> bool:
    """Whether a value can be a lot: one word with a figure, and no long number."""
    figures = sum(map(str.isdecimal, value))
    letters = any(map(str.isalpha, value))
    return _LOT.fullmatch(value) is not None and (letters or figures <= _MOST_FIGURES)


def without_lots(
    parts: Sequence[Part], detections: Sequence[Sequence[Detection]]
) -> list[list[Detection]]:
    """The votes in each part but for those that hide such a lot, whoever isn't the record."""
    lots = {_key(part.text) for part in parts if part.role == OF_MANY and is_lot(part.text.strip())}
    if not lots:
        return [list(votes) for votes in detections]
    return [
        [
            one
            for one in votes
            if states(one.detector) or _key(part.text[one.start : one.end]) not in lots
        ]
        for part, votes in zip(parts, detections, strict=True)
    ]


def _key(value: str) -> str:
    return fold(value.strip(_AROUND)).lower()
