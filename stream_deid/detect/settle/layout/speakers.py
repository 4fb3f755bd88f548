"""Who speaks again: letters or a name before the colon of a line, found at half of such lines.

speaker = line [hour] WORD ":"      "jt: K 5.9, calling renal", "9:14 AM joy: ok"
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from stream_deid.labels import PERSONS
from stream_deid.note import Detection, Finding

DETECTOR = "speaker-again@1"
_SPEAKER = re.compile(
    r"(?m)^[ \t]*(?:\[?\d{1,2}[:.h]\d{2}(?:[ ]?[AaPp][Mm])?\]?[ ]-?[ ]?)?"
    r"(?P<v>[^\W\d_][\w.'-]{0,19})(?:[ ]\d{1,2}:\d{2})?:(?=\s)"
)


def speaking(text: str, found: Sequence[Finding]) -> list[Detection]:
    """The speakers of a chat whom `found` names at half of their lines or more, at all of them."""
    lines = list(_SPEAKER.finditer(text))
    if len(lines) < 2:
        return []
    people = {one.start: one for one in found if one.type in PERSONS}
    marked: dict[str, list[Finding]] = {}
    said = Counter(line["v"] for line in lines)
    for line in lines:
        one = people.get(line.start("v"))
        if one is not None and one.end == line.end("v"):
            marked.setdefault(line["v"], []).append(one)
    heard = {
        word: max(votes, key=lambda one: one.score)
        for word, votes in marked.items()
        if 2 * len(votes) >= said[word]
    }
    return [
        Detection(*line.span("v"), one.type, DETECTOR, min(one.score, 0.9), one.label)
        for line in lines
        if line.start("v") not in people and (one := heard.get(line["v"])) is not None
    ]
