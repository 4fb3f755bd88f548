"""Public hospitals and clinics that a number names.

facility = ("HGZ" | "UMF" | ...) ["No." | "#"] number        "HGZ 33", "UMF No. 7"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("facilities")
_NUMBER = r"[ \t]?(?:[Nn][Oo]\.?|N[°º]|[Nn][uú]m\.?|#)?[ \t]?\d{1,3}"

SPANISH = tuple(
    Pattern(
        "centro-numero", 1, PhiType.HOSPITAL,
        rf"\b(?P<v>(?:{_WORDS[kind]}){_NUMBER})\b",
        whole, (), 0.9, label,
    )
    for kind, label in (("hospitals", "HOSPITAL"), ("clinics", "CENTRO_SALUD"))
)  # fmt: skip
