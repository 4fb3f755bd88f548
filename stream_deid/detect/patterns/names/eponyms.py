"""People whose names are clinical words, where only a person can stand.

acts     = NAME [("and" | "y") NAME] deed             "Amsler rereading", "Garden y Weber operan"
has      = line NAME ("has" | "had" | "tiene")        "Smith has Smith fx"
done_by  = deed "by" NAME                             "placed by Holter", "relief by Swan"
mate     = companion NAME                             "roommate Tinel"
beside   = NAME "," companion ("," | ".") | companion "," NAME ","     "Parkinson, her neighbour,"
         | companion "(" NAME ")" | NAME "," kin "," deed    "Addison, his sister, lives"
turned   = line NAME "," (title | post)               "Lead, Mr.,", "Braf, genetic counselor"
reversed = line NAME "," Given ","                    "Boost, Harold, drinks"
two      = line NAME surname ","                      "Barton Zamora, fractura de Barton"
baby     = "Baby" NAME weight                         "Baby McRoberts 3210 g"
letters  = ("per" | "avisa" | ...) L "." L "."        "avisa F.C."

A name here is an eponym, a brand or a listed name that the models hold for a thing, so what stands
beside it must be said of people alone: machines are placed, read and reviewed too, but they don't
want, visit or cover.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import WEEKDAYS
from stream_deid.lists.eponyms import EPONYMOUS
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.name_words import is_word
from stream_deid.lists.namesakes import is_abbreviation, is_clinical
from stream_deid.lists.people import given_names, is_listed_name
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

T = PhiType
_WORDS = Vocabulary("names_eponyms")
_WORD = r"[A-Z][a-z]+[A-Z]?[a-z]+(?:-[A-Z][a-z]+)?"
_START = r"(?:(?:^|\n|[;.:])[ \t]*)"
_THING = Context(
    rf"(?i)^(?:['’]s?\b|[ -](?:{_WORDS['things']})\b|[ ]?\d|[ ](?:[ivx]+|[a-d])\b|[ ]?[+/-])"
)


def bearer(hit: Hit) -> bool:
    """A word that somebody may be called, and that isn't used as a thing here."""
    word = hit.value.split("-")[0]
    low = fold(word).lower()
    named = is_listed_name(word) or is_clinical(word)
    return whole(hit) and named and low not in _NOBODY and not _THING.match(hit.after(16))


def listed_bearer(hit: Hit) -> bool:
    """A listed name that is an eponym as well, or no word of any kind."""
    low = fold(hit.value).lower()
    sure = is_clinical(low) or not is_word(low)
    known = low in EPONYMOUS or (is_listed_name(hit.value) and sure)
    return known and bearer(hit)


def turned_round(hit: Hit) -> bool:
    """A surname before a comma and a title; no word of forms ("Wife, Mrs.")."""
    low = fold(hit.value).lower()
    return whole(hit) and low not in COMMON and low not in _NOBODY and not is_abbreviation(low)


def reversed_name(hit: Hit) -> bool:
    """A word, a comma and a given name that is no word of the language."""
    first = fold(hit.groups["given"]).lower()
    doubtful = is_clinical(first) or is_word(first)
    return first in given_names() and not doubtful and turned_round(hit)


def two_surnames(hit: Hit) -> bool:
    """An eponym and a listed surname that is no clinical word."""
    one, _, other = hit.value.partition(" ")
    second = fold(other).lower()
    return (
        whole(hit)
        and is_clinical(one)
        and is_listed_name(one)
        and is_listed_name(other)
        and not (is_clinical(second) or is_word(second))
    )


def dotted(hit: Hit) -> bool:
    """Two initials with their full stops; no order by telephone."""
    return whole(hit) and hit.value.lower() not in _DOTTED


_NOBODY = _WORDS.words("nobody") | frozenset(WEEKDAYS["en"]) | frozenset(WEEKDAYS["es"])
_DOTTED = Vocabulary("no_person").words("dotted") | _WORDS.words("dotted")


def _patterns(language: str, staff: str, patient: str) -> tuple[Pattern, ...]:
    name = "name-namesake" if language == "en" else "nombre-epónimo"
    both, one = rf"(?P<v1>{_WORD})(?:[ ](?:and|&|y|e)[ ](?P<v2>{_WORD}))", rf"(?P<v>{_WORD})"
    word = {key: _WORDS[f"{key}_{language}"] for key in _KEYS}
    whose = rf"(?:{word['of_whom']})[ ](?:[a-z-]{{2,12}}[ ])?"
    related, kin = rf"{whose}(?:{word['beside_name']})", rf"{whose}(?:{word['kin_beside']})"
    kinds = (
        (T.DOCTOR, rf"{_START}{one}[ ](?:{word['acts']})\b", listed_bearer),
        (T.DOCTOR, rf"[,;][ ]{one}[ ](?:{word['acts']})\b", listed_bearer),
        (T.DOCTOR, rf"{both}[ ](?:{word['acts_together']})\b", listed_bearer),
        (T.PATIENT, rf"(?:^|\n)[ \t]*{one}[ ](?:{word['has']})\b", listed_bearer),
        (T.DOCTOR, rf"\b(?:{word['done_by']})[ ]{one}", listed_bearer),
        (T.PATIENT, rf"\b(?:{word['companions']})[ ]{one}", bearer),
        (T.PATIENT, rf"{one},[ ]{related}(?:[,.;)]|$|\n| -)", bearer),
        (T.PATIENT, rf"\b{related},[ ]{one}(?:[,.;)]|$|\n)", bearer),
        (T.PATIENT, rf"\b(?:{related}|{word['companions']})[ ][(]{one}[)]", bearer),
        (T.PATIENT, rf"{one},[ ]{kin},[ ](?:{word['kin_do']})\b", bearer),
        (T.PATIENT, rf"{_START}{one},[ ](?:{word['titles']})\b", turned_round),
        (T.DOCTOR, rf"{_START}{one},[ ](?i:{word['posts_behind']})\b", turned_round),
        (T.PATIENT, rf"(?:^|\n)[ \t]*{one},[ ](?P<given>[A-Z][a-z]+)[,;|]", reversed_name),
        (T.PATIENT, rf"(?:^|\n)[ \t]*(?P<v>{_WORD}[ ][A-Z][a-z]+)[,:;]", two_surnames),
        (T.PATIENT, rf"\b(?:{word['babies']})[ ]{one}[ ]\d{{3,4}}[ ]?g", turned_round),
        (T.DOCTOR, rf"\b(?:{word['before_letters']})[ ](?P<v>[A-Z]\.[A-Z]\.)", dotted),
    )
    return tuple(
        Pattern(name, 1, type_, regex, check, (), 0.7, staff if type_ is T.DOCTOR else patient)
        for type_, regex, check in kinds
    )


_KEYS = (
    "acts", "acts_together", "has", "done_by", "companions", "titles", "posts_behind", "babies",
    "before_letters", "of_whom", "beside_name", "kin_beside", "kin_do",
)  # fmt: skip
ENGLISH = _patterns("en", "", "")
SPANISH = _patterns("es", "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA")
