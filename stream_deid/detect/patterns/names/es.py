"""Names after strong cues, Spanish: titles, labels of forms, signatures.

titled   = ("Dr." | "Dra." | "Dr(a)" | "Lic." | "Enf." | ...) Name{1,3}     "Dra. Pardo Bazan"
courtesy = ("D." | "Dona" | "Sra." | ...) Name{1,3}                         "D. Ramon Cabal"
         | ("sra" | "dona" | ...) listed given name                        "sra amparo"
labelled = ("Nombre" | "Apellidos" | "Paciente" | ...) (":" | "=") [courtesy] name
signed   = (post [of what] | "Fdo" | ...) (":" | "." | "=") [title] name    "Fdo. Lucia Cano"
referred = ("Remitido por" | "Responsable clinico" | ...) ":" [title] name
name     = "LAST, FIRST" or "First Last Last", as in `titled`

The title stays outside. A full stop behind a post ends a sentence, unless it is "Fdo.".
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.names.titled import (
    FULLNAME,
    REVERSED,
    label_name,
    name_like,
)
from stream_deid.labels import PhiType
from stream_deid.lists.people import all_given_names
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_WORDS = Vocabulary("names_es")

T = PhiType
_PAC, _SAN = "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"
_VALUE = r"(?P<v>" + REVERSED + "|" + FULLNAME + ")"


_CLINICAL = _WORDS.words("clinical")
"""What stands behind "Enf.", "Prof.", "D." or a label of a form, and is nobody."""
_LETTER_D = Context(
    rf"(?i)(?:(?:\b(?:{_WORDS['letter_d']})|\d[ºª°]?) |[A-Z]-|/)D\.[ \t]*$|\bHLA[ -]DR[ \t]*$"
)


def person(hit: Hit) -> bool | int:
    """A name; no speciality, examination or disease."""
    first = fold(hit.value.replace(",", " ").split()[0].strip("."))
    return first not in _CLINICAL and name_like(hit)


def labelled(hit: Hit) -> bool | int:
    """A name behind the label of a form."""
    return bool(person(hit)) and label_name(hit)


def honorific(hit: Hit) -> bool | int:
    """A name behind "D." and the like; no vitamin, no door ("4º D.") and no days ("30 D.") at a
    sentence's end.
    """
    return hit.value[1:2] != "." and not _LETTER_D.search(hit.before(16)) and person(hit)


def small(hit: Hit) -> bool:
    """A given name in small letters behind a small honorific ("sra amparo", "doña chayo")."""
    return whole(hit) and fold(hit.value) in all_given_names() and fold(hit.value) not in _CLINICAL


def signed(hit: Hit) -> bool | int:
    """A name behind a label with a colon; a full stop ends a sentence, but for "Fdo."."""
    sentence = set(hit.groups["sep"]) == {"."} and not _FDO.search(hit.before(24))
    return not sentence and person(hit)


_FDO = Context(r"(?i)\bfdo\.")


NAMES = (
    Pattern(
        "nombre-titulo", 1, T.DOCTOR,
        r"\b(?:(?:Dra?s?|DRA?S?|Dr\(a\)|Doctora?)(?:\.[ \t]*|[ \t]+)|dra?\.[ \t]*)"
        rf"(?P<v>{FULLNAME})",
        name_like, ("dr", "doctor"), label=_SAN,
    ),
    Pattern(
        "nombre-titulo", 1, T.DOCTOR,
        rf"\b(?:{_WORDS['titles']})\.?[ \t]+(?P<v>{FULLNAME})",
        person, (), 0.9, _SAN,
    ),
    Pattern(
        "nombre-don", 1, T.PATIENT,
        rf"\b(?:{_WORDS['honorifics']})[ \t]*(?P<v>{FULLNAME})",
        honorific, (), 0.8, _PAC,
    ),
    Pattern(
        "nombre-don", 1, T.PATIENT,
        rf"\b(?:{_WORDS['small_honorifics']})[ ](?P<v>[a-z]{{3,14}})\b",
        small, (), 0.8, _PAC,
    ),
    Pattern(
        "nombre-etiqueta", 1, T.PATIENT,
        r"(?i:\b(?:nombre(?:s)?(?:[ \t]+(?:y[ \t]+apellidos|completo|del paciente))?"
        r"|apellidos?(?:[ \t]+y[ \t]+nombres?)?|paciente|pte|pcte|apellido[ \t]+"
        r"(?:paterno|materno)|usuari[oa]))[ \t]*\.*[:=][ \t]*(?i:(?:d\.|dna\.|sra?\.)[ \t]*)?"
        rf"{_VALUE}",
        labelled, (":", "="), 0.9, _PAC,
    ),
    Pattern(
        "nombre-medico", 1, T.DOCTOR,
        rf"(?i:\b(?:{_WORDS['posts']})(?:[ \t]+(?:{_WORDS['qualifiers']}))?)[ \t]*(?P<sep>[.:=]+)"
        rf"[ \t]*(?:(?i:doctora?|dra?\.?|lic\.?|d\.|dna\.)[ \t]*|(?:{_WORDS['titles']})\.?[ \t]+)?"
        rf"{_VALUE}",
        signed, (":", "=", "."), 0.9, _SAN,
    ),
    Pattern(
        "nombre-remitido", 1, T.DOCTOR,
        r"(?i:remitido por|responsable clinico|correspondencia)[ \t]*:[ \t]*"
        rf"(?:Doctora?[ \t]+|Dra?\.?[ \t]*|D\.[ \t]*|Dna\.[ \t]*)?{_VALUE}",
        person, (":",), 1.0, _SAN,
    ),
)  # fmt: skip
