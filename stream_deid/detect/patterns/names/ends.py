"""Where a name ends: words of the language behind one in capitals, abbreviations, credentials.

end = verb | credential | day | month | clinic        words of `cut` in `names_en.toml`
    | WORD of the language, or in "ED", "ING"         "DR PATEL COSIGNED", "MR NG STABLE"
    | Ab | AB | AB ("+" | "/" | n)                    "Declan EtOH", "R2 MFyC", "Sra. Long AB+"
    | credential "-" board                            "pa-c", "fnp-bc"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.text.linear import linear

CUT = Vocabulary("names_en").words("cut") | affixes("ends")
"""Words that a name ends before: verbs, credentials, days, months, clinics."""
_BOARDS = frozenset(["c", "bc", "cs", "p", "l", "b"])


def is_said(word: str) -> bool:
    """A word of the language behind a name in capitals ("DR PATEL COSIGNED", "MR NG STABLE")."""
    deed = len(word) >= _LEAST_DEED and word.endswith(_DEEDS) and not word.endswith(_SURNAMES)
    return (deed or word in ordinary()) and not is_listed_name(word)


_DEEDS, _LEAST_DEED = ("ed", "ing"), 6
_SURNAMES = ("eed", "med", "ming", "ling")
"""Endings of deeds, and of names that end so too ("Rasheed", "Mohammed")."""


def is_abbreviated(word: str, rest: str, after: str) -> bool:
    """An abbreviation behind a name in mixed letters ("Sra. Long AB+", "Father Declan EtOH")."""
    if _MIXED.match(word):
        return True
    if not (word.isupper() and word.isalpha() and 1 < len(word) <= 4) or word in _SUFFIXES:
        return False
    then = after if rest == word else rest[len(word) : len(word) + 2]
    figure = then[:1] in ("+", "/") or then.strip()[:1].isdecimal()
    return figure or is_abbreviation(word) or is_term(word.lower())


def without_letter(value: str, after: str) -> str:
    """A name without the letter that begins what stands behind it: a credential ("Grosvenor, M" of
    "M.D.") or a label ("Covadonga  F" of "F. nac.").
    """
    if value[-3:-1] == ", " and after[:1] == "." and after[1:2].isalpha():
        return value[:-3]
    return value.rstrip(".")[:-1].rstrip() if ends_in_label(value, after) else value


def ends_in_label(value: str, after: str) -> bool:
    """Whether a name's last letter is the first one of a label ("F" of "F. nac.")."""
    bare = value.rstrip(".")
    return bare[-2:] in (" F", "\tF") and _OF_A_DATE.match(value[len(bare) :] + after) is not None


_OF_A_DATE = linear(r"^\. ?(?:de )?(?:nac|ingr|alta\b|n\b)")
_MIXED = Context(r"^(?:[A-Z][a-z]{1,2}[A-Z]{2}|[A-Z]{2}[a-z][A-Z])$")
_SUFFIXES = frozenset({"II", "III", "IV", "JR", "SR"})


def is_certified(word: str) -> bool:
    """A credential with its board's letters: "pa-c", "fnp-bc", "emt-p"."""
    credential, _, board = word.partition("-")
    return board in _BOARDS and credential in CUT


def without_particles(name: str) -> int:
    """How long a name is without the particles of what it ends before ("Ribas del CAP")."""
    words = name.rstrip(" ,.-").split(" ")
    while len(words) > 1 and (words[-1] in _GOES_ON or words[-1] in _PARTICLES):
        words.pop()
    return len(" ".join(words).rstrip(" ,.-"))


_PARTICLES = affixes("prose", "particle")
_GOES_ON = frozenset({"Y", "DE", "DEL"})
"""Particles that end no name in capitals either ("DR. FIGUEROA Y SE ACEPTA")."""
