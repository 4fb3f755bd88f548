"""Public hospitals and clinics that a number names, forces and rescuers that a place names.

facility = ("HGZ" | "UMF" | ...) ["No." | "#"] number        "HGZ 33", "UMF No. 7"
force    = ("Ertzaintza" | ...) ["de"] Place                 "DYA Bizkaia", of which the place
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_WORDS = Vocabulary("facilities")
_NUMBER = r"[ \t]?(?:[Nn][Oo]\.?|N[°º]|[Nn][uú]m\.?|#)?[ \t]?\d{1,3}"
_NO_PLACE = _WORDS.words("of_forces")


def of_a_place(hit: Hit) -> bool:
    """A word behind a force that says where, and not of what country or for what it is."""
    return whole(hit) and fold(hit.value.split()[0]).lower() not in _NO_PLACE


SPANISH = (
    Pattern(
        "cuerpo-lugar", 1, PhiType.CITY,
        rf"\b(?:{_WORDS['forces']})[ ](?:del?[ ](?:la[ ]|los[ ]|las[ ])?)?"
        r"(?P<v>[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{2,}(?:[ -][A-ZÁÉÍÓÚÑ][a-záéíóúñü]{2,}){0,2})\b",
        of_a_place, (), 0.9,
    ),
    *(
        Pattern(
            "centro-numero", 1, PhiType.HOSPITAL,
            rf"\b(?P<v>(?:{_WORDS[kind]}){_NUMBER})\b",
            whole, (), 0.9, label,
        )
        for kind, label in (("hospitals", "HOSPITAL"), ("clinics", "CENTRO_SALUD"))
    ),
)  # fmt: skip
