"""Names that are spelled letter by letter, as over the telephone.

    told    = ("apellido" | ...) letter's name, three and more             "apellido eme a erre"
    spelled = letter (sep letter){4,}      "K-O-W-A-L-S-K-I", "Z y s k o w i t z", "s.m.i.t.h"

Surnames and given names of the lists always; other letters where something says that they are
spelled, where hyphens join six of them, or where the first alone is a capital. The alphabet,
clinical words and those of tests of memory ("D-L-R-O-W") are nobody's.
"""

from __future__ import annotations

from string import ascii_lowercase

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.namesakes import abbreviations
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary, results

_WORDS = Vocabulary("names_spelled")
_NOBODY = results() | abbreviations()
_LETTER = r"\p{L}\b"
_RUN = "|".join(rf"(?:{sep}{_LETTER}){{4,24}}" for sep in (r"[ ]?-[ ]?", r"\.", ",[ ]", "[ ]"))
_SPELLED = Context(rf"(?i)\b(?:{_WORDS['cues']})\b")
_NEARBY = 40
_SURE = 6
_NAMED = rf"(?:{_WORDS['letters_es']})"
DETECTOR = "name-spelled"


def is_a_name(hit: Hit) -> bool:
    """Whether the letters are somebody's name."""
    if not whole(hit):
        return False
    letters = "".join(char for char in hit.value if char.isalpha())
    word = letters.lower()
    if word in ascii_lowercase or word[::-1] in ascii_lowercase or word in _WORDS.words("tests"):
        return False
    if is_listed_name(word):
        return True
    if is_term(word) or word in _NOBODY:
        return False
    text = hit.view.text
    around = f"{text[max(0, hit.start - _NEARBY) : hit.start]}  {text[hit.end :][:_NEARBY]}"
    joined = "-" in hit.value and len(word) >= _SURE
    return joined or letters.istitle() or _SPELLED.search(around)


SPELLED = (
    Pattern(DETECTOR, 1, PhiType.PATIENT, rf"\b(?P<v>\p{{L}}(?:{_RUN}))", is_a_name, (), 0.9),
)
TOLD = (
    Pattern(
        DETECTOR, 1, PhiType.PATIENT,
        rf"(?i)\b(?:{_WORDS['surname_cues']})[ :,]{{1,3}}"
        rf"(?P<v>{_NAMED}(?:[ ,-]{{1,2}}{_NAMED}){{2,20}})\b",
        whole, (), 0.9,
    ),
)  # fmt: skip
