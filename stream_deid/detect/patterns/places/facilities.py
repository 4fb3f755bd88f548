"""Public hospitals and clinics that a number names, forces and rescuers that a place names.

facility = ("HGZ" | "UMF" | ...) ["No." | "#"] number        "HGZ 33", "UMF No. 7"
payer    = ("Payer" | "Obra social" | ...) ACRONYM           "Payer: INSN", of which the acronym
insurer  = "IMSS" | "EsSalud" | ... | ("EPS" | "Isapre" | ...) Name    "EPS Sura", of which the name
hospital = (sent | treated) ("a" | "en el" | ...) LETTERS   "derivado a HUVA", of which they
force    = ("Ertzaintza" | ...) ["de"] Place                 "DYA Bizkaia", of which the place
"""

from __future__ import annotations

from dataclasses import replace

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.field_labels import is_label
from stream_deid.lists.name_words import is_word
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_WORDS = Vocabulary("facilities")
_NUMBER = r"[ \t]?(?:[Nn][Oo]\.?|N[°º]|[Nn][uú]m\.?|#)?[ \t]?\d{1,3}"
_NO_PLACE = _WORDS.words("of_forces")


def of_a_place(hit: Hit) -> bool:
    """A word behind a force that says where, and not of what country or for what it is."""
    return whole(hit) and fold(hit.value.split()[0]).lower() not in _NO_PLACE


def insurer(hit: Hit) -> bool:
    """An acronym behind a payer's label: no kind of plan, no abbreviation of the clinic."""
    low = hit.value.lower()
    known = low in _NO_INSURER or is_abbreviation(hit.value) or is_label(low)
    return whole(hit) and not known


def hospital_by_letters(hit: Hit) -> bool:
    """Letters behind who is sent or treated there, that mean nothing else."""
    low = hit.value.lower()
    return whole(hit) and not (
        low in _NO_HOSPITAL or is_abbreviation(hit.value) or is_label(low) or is_word(low)
    )


_NO_HOSPITAL = _WORDS.words("no_hospital")
_NO_INSURER = _WORDS.words("no_insurer")
_PAYER = Pattern(
    "payer-acronym", 1, PhiType.ORGANIZATION,
    rf"\b(?i:{_WORDS['payers']})[ \t]*[:=#]?[ \t]*(?P<v>[A-Z]{{3,6}})\b",
    insurer, (), 0.7,
)  # fmt: skip
ENGLISH = (_PAYER,)
SPANISH = (
    replace(_PAYER, name="pagador-siglas"),
    Pattern(
        "asegurador", 1, PhiType.ORGANIZATION,
        rf"\b(?P<v>{_WORDS['insurers']})\b",
        whole, (), 0.8,
    ),
    Pattern(
        "asegurador", 1, PhiType.ORGANIZATION,
        rf"\b(?:{_WORDS['kinds_of_payers']})[ ]?:?[ ](?P<v>[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{{3,}})\b",
        insurer, (), 0.7,
    ),
    Pattern(
        "cuerpo-lugar", 1, PhiType.CITY,
        rf"\b(?:{_WORDS['forces']})[ ](?:del?[ ](?:la[ ]|los[ ]|las[ ])?)?"
        r"(?P<v>[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{2,}(?:[ -][A-ZÁÉÍÓÚÑ][a-záéíóúñü]{2,}){0,2})\b",
        of_a_place, (), 0.9,
    ),
    Pattern(
        "hospital-siglas", 1, PhiType.HOSPITAL,
        rf"\b(?i:{_WORDS['sent']})[ ](?:{_WORDS['sent_to']})[ ](?P<v>H[A-Z]{{3,5}})\b",
        hospital_by_letters, (), 0.7, "HOSPITAL",
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
