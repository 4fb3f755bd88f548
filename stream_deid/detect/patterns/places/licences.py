"""States that gave a licence or a plate.

state = STATE "lic"                         "RI lic AUD00188", no credential ("MD lic")
      | ("DL" | "plate" | ...) number STATE  "DL# 3962-75-2840 IN exp 12/22"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.detect.patterns.places.addresses import STATES
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("places_en")
T = PhiType


def licensing(hit: Hit) -> bool:
    """A state before "lic"; no credential ("MD lic", "PA lic")."""
    return whole(hit) and hit.value not in _CREDENTIALS


_CREDENTIALS = frozenset({"MD", "PA", "MA", "MS"})

LICENSING = (
    Pattern(
        "state-licence", 1, T.STATE,
        rf"\b(?P<v>{STATES}|(?:{_WORDS['short_states']}))\.?[ ]lic(?:ense|\.)?[ #:]",
        licensing, ("lic",), 0.8,
    ),
    Pattern(
        "state-licence", 1, T.STATE,
        r"\b(?i:dl|driver'?s?[ ]lic(?:ense|\.)?|plates?)[ \#:]{1,3}[A-Z]{0,3}\d[A-Z\d-]{4,14},?[ ]"
        rf"(?P<v>{STATES})(?:[ ]exp\b|[ ]{{0,2}}[,;.)\n]|[ ]?$)",
        whole, ("dl", "lic", "plate"), 0.8,
    ),
)  # fmt: skip
