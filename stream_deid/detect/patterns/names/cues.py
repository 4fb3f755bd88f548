"""Names that a list knows, beside a word that only people stand beside.

cued  = (post | kin | "call" | "d/w" | ...) Name      "RN Deb", "roommate Tamez", "d/w Murphy"
housed = Name ("in" | "from") office                 "copy to Bill in case management"
given = ("de" | "con" | "with" | ...) Given           "PrEP de Iván", "left with Kayla"
worded = role Word Word                           "Attending Standing Elk.", surnames of two words
doing = Name (verb of speech or work | post)          "Whitfield saw", "Zamora RN", "Lopez aware"

Of 1,100 such places in the marked training notes 990 to 995 in 1,000 are names. Eponyms and other
clinical words count behind posts only.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.name_words import is_word
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import given_names, is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary

T = PhiType
_WORDS = Vocabulary("names_cues")
_NAME = r"(?P<v>[A-Z][a-z]{2,}(?:['-][A-Z][a-z]+)?(?:[ ][A-Z][a-z]{2,}){0,2})\b"
_DEGREE = Context(r"^'?s?[ -](?:sign|test|disease|syndrome|maneuver|classification|score|[ivx]+)\b")
_YOUR = _WORDS.words("your")


def _listed(hit: Hit) -> bool | int:
    """The whole value where its first word is a listed name; else its first word or nothing."""
    words = hit.value.split()
    if not whole(hit) or not _may_be_one(words[0]) or _DEGREE.match(hit.after(20).lower()):
        return False
    length = len(words[0])
    for word in words[1:]:
        if not is_listed_name(word) or is_clinical(word) or word.lower() in COMMON:
            break
        length += 1 + len(word)
    return length


def _may_be_one(word: str) -> bool:
    low = word.lower()
    return low not in _YOUR and is_listed_name(low.split("-")[0]) and not is_term(low)


def colleague(hit: Hit) -> bool | int:
    """A listed name behind a post, an eponym too ("Nurse Graves")."""
    return _listed(hit)


def relative(hit: Hit) -> bool | int:
    """A listed name behind kin; an eponym there is what the relative has ("madre Parkinson")."""
    return not is_clinical(hit.value.split()[0]) and _listed(hit)


def twin(hit: Hit) -> bool | int:
    """A given name behind a twin ("Twin Mabel"), and no town ("Twin Falls")."""
    return hit.value.split()[0].lower() in given_names() and relative(hit)


def addressed(hit: Hit) -> bool | int:
    """A listed name behind a word of calling; no eponym, no word of the language."""
    low = hit.value.split()[0].lower()
    return not is_clinical(low) and low not in COMMON and _listed(hit)


def given(hit: Hit) -> bool | int:
    """A listed given name behind a preposition ("PrEP de Iván", "left with Kayla"), of the language
    in Spanish, where prepositions stand before eponyms; no word and no eponym.
    """
    words = hit.value.split()
    low = words[0].lower()
    origin = "hispanic" if hit.groups["of"].lower() in _SPANISH_OF else ""
    if not whole(hit) or low not in given_names(origin):
        return False
    doubtful = is_clinical(low) or is_word(low) or low in _YOUR
    return not doubtful and not _DEGREE.match(hit.after(20).lower()) and len(words[0])


_SPANISH_OF = _WORDS.words("of_es")


def doing(hit: Hit) -> bool | int:
    """A listed name before what people do; no eponym, no word of the language."""
    low = hit.value.split()[-1].lower()
    return addressed(hit) is not False and low not in COMMON and whole(hit)


def housed(hit: Hit) -> bool:
    """A listed given name before where its bearer works; in capitals behind a word of giving."""
    word = hit.value.lower()
    given = not hit.value.isupper() or _GIVEN_TO.search(hit.before(12))
    return whole(hit) and given and is_listed_name(word) and not is_term(word) and word not in _YOUR


_GIVEN_TO = Context(rf"(?i)\b(?:{_WORDS['given_to']})[ ]$")


_WORDED = rf"(?P<v>(?:{_WORDS['surname_first']})[ ](?:{_WORDS['surname_second']}))\b"


def _patterns(language: str, label: str) -> tuple[Pattern, ...]:
    name = "name-cue" if language == "en" else "nombre-indicio"
    kinds = (
        ("posts", rf"\b(?:{{}})[ ]{_NAME}", colleague, T.DOCTOR, 0.8),
        ("kin", rf"\b(?:{{}})[ ]{_NAME}", relative, T.PATIENT, 0.8),
        ("twins", rf"\b(?:{{}})[ ]{_NAME}", twin, T.PATIENT, 0.8),
        ("address", rf"\b(?:{{}})[ ]{_NAME}", addressed, T.DOCTOR, 0.7),
        ("of", rf"\b(?P<of>{{}})[ ]{_NAME}", given, T.PATIENT, 0.6),
        ("deeds", rf"{_NAME}[ ](?:{{}})\b", doing, T.DOCTOR, 0.7),
    )
    return tuple(
        Pattern(
            name, 1, type_, regex.replace("{}", _WORDS[f"{words}_{language}"]), check, (), score,
            label if type_ is T.DOCTOR else "",
        )
        for words, regex, check, type_, score in kinds
    )  # fmt: skip


ENGLISH = (
    *_patterns("en", ""),
    Pattern(
        "name-worded", 1, T.DOCTOR, rf"\b(?:{_WORDS['roles_en']}):?[ ]{_WORDED}", whole, (), 0.8
    ),
    Pattern(
        "name-worded", 1, T.PATIENT,
        rf"\b(?:{_WORDS['patients_en']}):?[ ]{_WORDED}",
        whole, (), 0.7,
    ),
    Pattern(
        "name-office", 1, T.DOCTOR,
        r"\b(?P<v>[A-Z][a-z]{2,}|[A-Z]{3,})[ ](?i:in|from|at|over[ ]in)[ ]"
        rf"(?i:{_WORDS['offices_en']})\b",
        housed, (), 0.7,
    ),
)  # fmt: skip
SPANISH = _patterns("es", "NOMBRE_PERSONAL_SANITARIO")
