"""Names by the sentence that they open or close.

opened = Name "is a" age        "Tamsin is a 71 y.o. woman"
closed = closing Name           "Yours Sayed" at the end of a line
greeted = [word] name greeting  "so patience how have you been", in small letters
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

T = PhiType
_WORDS = Vocabulary("names_sentences")
_NAME = r"(?P<v>[A-Z][a-z]{2,}(?:['-][A-Z][a-z]+)?(?:[ ][A-Z][a-z]{2,}){0,2})"
_NOBODY = _WORDS.words("nobody")
_NOT_GREETED = _WORDS.words("not_greeted")


def opener(hit: Hit) -> bool:
    """No noun for a patient ("Patient is a 71 y.o."), no heading."""
    return whole(hit) and _NOBODY.isdisjoint(hit.value.lower().split())


def greeted(hit: Hit) -> bool:
    """No word that stands between a greeting and a question in any case ("so then how are you")."""
    return whole(hit) and hit.value not in _NOT_GREETED


ENGLISH = (
    Pattern(
        "name-opens", 1, T.PATIENT,
        rf"(?:^|[\n.:][ \t]*|\d\.[ ]){_NAME}[ ]is[ ]an?[ ](?:(?:{_WORDS['adjectives']})[ ])*"
        r"\d{1,3}[ -]?(?:y\.?/?o\b|yr|year|(?:month|mo|week|wk|day)s?[ -]old)",
        opener, (" is a",), 0.8,
    ),
    Pattern(
        "name-closes", 1, T.DOCTOR,
        rf"(?:^|\n)[ \t]*(?:{_WORDS['closings']}),?[ \t]*\n?[ \t]*{_NAME}[ \t]*(?:$|\n)",
        opener, (), 0.8,
    ),
    Pattern(
        "name-greeted", 1, T.PATIENT,
        rf"\b(?:{_WORDS['before_greeted']})[ ,]{{1,2}}(?P<v>[a-z]{{3,14}})[ ,]{{1,2}}"
        rf"(?:um[ ]|uh[ ])*(?:{_WORDS['greetings']})\b",
        greeted, ("how", "good to", "nice to", "what brings"), 0.7,
    ),
)  # fmt: skip
