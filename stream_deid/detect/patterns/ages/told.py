"""Ages of ninety and over that are told otherwise than by a number and its years.

english = ("aged" | "age:") ROMAN | ("age:" | "edad:") figures with a blank or sign between
                                                        "Aged XCIV", "Age: 9 4", "Age: 9-4"
        | "9" sign figure its years, no range of ages   "9-3 year old"
        | n "years" ("shy" | "short") "of" n            "7 years shy of 100"
        | whose ("tenth" | "11th") "decade"             "in her tenth decade of life"
spanish = "edad:" words | "faltan" n "años para" n      "Edad: ciento dos", "faltan 2 años para 100"
        | "a" n "años de" n | ("décima" | ...) "década de la vida"

What is told is weighed where it is replaced (`surrogate/demographics/old_ages.py`), and stays
under ninety.
"""

from __future__ import annotations

from stream_deid.detect.patterns.ages.old import closed
from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.numbers import OLD_EN, OLD_ES, ONES, TEENS, TWO_TO_NINE_ES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.age import ROMAN_AGES

_WORDS = Vocabulary("ages")
_A, _LABEL = PhiType.AGE, "EDAD_SUJETO_ASISTENCIA"
_OLD = r"(?:9\d|1[012]\d)"
_ROMAN = r"(?-i:XC[IVX]{0,4}|C[IVX]{2,6})"
_PARTED = r"[ ]?[-_*|:~'][ ]?"
_SPACED = rf"(?:(?:9|1[ ][01])[ ]|(?:9|1(?:{_PARTED})?[01]){_PARTED})\d"
_SAID = r"(?:aged?|edad)(?:[ \t]*/[ \t]*se(?:x|xo))?"
_CLOSED = Context(r"^(?:[.,;)\n]|[ ]?$|[ ](?:[MFH]\b|male|female|years?\b|anos\b))")
_SOME = rf"(?:\d{{1,2}}|an?|{ONES}|{TEENS}|{_WORDS['few']})"
_SOME_ES = rf"(?:\d{{1,2}}|un[oa]?|{TWO_TO_NINE_ES}|diez|{_WORDS['few_es']})"


def spaced(hit: Hit) -> bool:
    """Figures that a blank parts, and nothing counted behind them."""
    return whole(hit) and _CLOSED.match(hit.after(8))


def parted(hit: Hit) -> bool:
    """Two figures that a sign parts, the second the smaller: no range, and no end of a date."""
    return whole(hit) and hit.before(1) not in (".", "/", "-", ",")


def roman(hit: Hit) -> bool:
    return whole(hit) and hit.value in ROMAN_AGES


TOLD = (
    Pattern(
        "age-roman", 1, _A,
        rf"(?i)(?:^|[^A-Za-z]){_SAID}[ \t]*[:=.]*[ \t]*(?P<v>{_ROMAN})\b",
        roman, ("age", "edad"), 0.9,
    ),
    Pattern(
        "age-spaced", 1, _A,
        rf"(?i)(?:^|[^A-Za-z]){_SAID}[ \t]*(?:[:=]|[ ]is)[ \t]*(?P<v>{_SPACED})\b",
        spaced, ("age", "edad"), 0.9,
    ),
    Pattern(
        "age-spaced", 1, _A,
        rf"(?i)(?P<v>9{_PARTED}[0-8])[ -]?(?:years?|yrs?)[ -](?:old|of[ ]age)\b"
        rf"|(?P<v2>9{_PARTED}[0-8])[ ]?(?:y\.?/?o\b|anos[ ]de[ ]edad\b)",
        parted, ("year", "yr", "y", "anos"), 0.9,
    ),
)  # fmt: skip
"""In both languages."""

ENGLISH = (
    Pattern(
        "age-short", 1, _A,
        rf"(?i)\b(?P<v>{_SOME}[ ]years?[ ](?:{_WORDS['short_of']})[ ](?:turning[ ]|being[ ])?"
        rf"(?:{_OLD}|{OLD_EN}|{_WORDS['round_ages']}))\b",
        closed, ("year",), 0.9,
    ),
    Pattern(
        "age-short", 1, _A,
        rf"(?i)\b(?P<v>{_SOME}[ ](?:{_WORDS['short_of']})[ ](?:{_WORDS['round_ages']}))\b",
        closed, ("100th", "hundred", "cent"), 0.8,
    ),
    Pattern(
        "age-tenth", 1, _A,
        rf"(?i)\b(?:{_WORDS['whose']})[ ](?P<v>{_WORDS['old_decades']}(?:[ ]of[ ]life)?)\b"
        rf"|\b(?P<v2>{_WORDS['old_decades']}[ ]of[ ](?:(?:{_WORDS['whose']})[ ])?life)\b",
        whole, ("decade",), 0.9,
    ),
    *TOLD,
)  # fmt: skip

SPANISH = (
    Pattern(
        "edad-dicha", 1, _A,
        r"(?i)\bedad(?:[ \t]+(?:cumplida|actual))?[ \t]*[.:=]*[ \t]*(?:es[ ]|de[ ])?"
        rf"(?P<v>{OLD_ES})\b",
        whole, ("edad",), 0.9, _LABEL,
    ),
    Pattern(
        "edad-falta", 1, _A,
        rf"(?i)\b(?P<v>(?:le[ ])?faltan?[ ]{_SOME_ES}[ ](?:anos?[ ])?para[ ](?:cumplir[ ])?"
        rf"(?:los[ ])?(?:{_OLD}|{OLD_ES}|el[ ]siglo)(?:[ ]anos)?)\b"
        rf"|\b(?P<v2>a[ ]{_SOME_ES}[ ]anos?[ ]de[ ](?:cumplir[ ])?(?:los[ ])?"
        rf"(?:{_OLD}|{OLD_ES}))\b",
        closed, ("falta", " de "), 0.9, _LABEL,
    ),
    Pattern(
        "edad-decada", 1, _A,
        rf"(?i)\bsu[ ](?P<v>{_WORDS['old_decades_es']})\b"
        rf"|\b(?P<v2>{_WORDS['old_decades_es']}[ ]de[ ](?:la[ ]|su[ ])?vida)\b",
        whole, ("decada", "década"), 0.9, _LABEL,
    ),
    *TOLD,
)  # fmt: skip
