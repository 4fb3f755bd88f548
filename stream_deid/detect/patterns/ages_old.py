"""Ages of ninety and over without a word for years.

english = ("past" | "almost" | ...) n as a sentence | n "now"          "Past 90. 93 now."
spanish = ("cumplió" | "cumple" | ...) n | "tiene" n as a sentence      "Cumplió 96 el martes"
        | n "cumpleaños" | "nonagenaria" | "noventa y tantos"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("ages")
_A, _LABEL = PhiType.AGE, "EDAD_SUJETO_ASISTENCIA"
_OLD = r"9\d|1[01]\d"


def lived(hit: Hit) -> bool:
    """A number of years; no reading, no measure, no decimal."""
    after = hit.after(14)
    decimal = after[:1] in (".", ",", "/", "-", ":") and after[1:2].isdecimal()
    return whole(hit) and not decimal and not _NO_YEARS.match(after) and not _read(hit)


def sentence(hit: Hit) -> bool:
    """A number of years that ends a sentence."""
    return lived(hit) and hit.after(1) in ("", *".,;!?\n")


def _read(hit: Hit) -> bool:
    return _READING.search(hit.before(32))


_READING = Context(rf"(?i)\b(?:{_WORDS['readings']}|{_WORDS['readings_es']})\b[^.;\n]*$")
_NO_YEARS = Context(rf"(?i)^[ ]?(?:{_WORDS['no_years']})")


ENGLISH = (
    Pattern(
        "age-sentence", 1, _A,
        rf"(?:^|[.!?\n][ ]?)(?i:past|almost|nearly|only|turned|now|just)[ ](?P<v>{_OLD})",
        sentence, (), 0.7,
    ),
    Pattern(
        "age-sentence", 1, _A,
        rf"(?:^|[.!?\n][ ]?)(?P<v>{_OLD})[ ](?i:now|already|last[ ]week|last[ ]month)\b",
        lived, (), 0.7,
    ),
)  # fmt: skip

SPANISH = (
    Pattern(
        "edad-cumplida", 1, _A,
        rf"(?i)\b(?:{_WORDS['birthdays_es']})[ ](?:ya[ ]|los[ ]|sus[ ])?(?P<v>{_OLD})\b",
        lived, ("cumpl", "lleg", "pasa"), 0.9, _LABEL,
    ),
    Pattern(
        "edad-cumplida", 1, _A,
        rf"(?i)\b(?:tiene|tenia|con)[ ](?:ya[ ](?P<v1>{_OLD})\b|(?P<v2>{_OLD})[ ]ya\b)",
        lived, (" ya",), 0.8, _LABEL,
    ),
    Pattern(
        "edad-cumplida", 1, _A,
        rf"(?:^|[.!?\n][ ]?|(?i:madre|padre|abuela|abuelo|tia|tio)[ ])(?i:tiene|tenia)[ ]"
        rf"(?P<v>{_OLD})",
        sentence, ("tien", "tenia"), 0.7, _LABEL,
    ),
    Pattern(
        "edad-cumplida", 1, _A,
        rf"(?i)\b(?P<v>{_OLD}|{_WORDS['old_ordinals_es']})(?:[.ºo°])?[ ]"
        r"(?:cumpleanos|aniversario[ ]de[ ]vida)\b",
        whole, ("cumpleanos", "aniversario de vida"), 0.9, _LABEL,
    ),
    Pattern(
        "edad-en-palabra", 1, _A,
        r"(?i)\b(?P<v>(?:nonagen|centen)ari[oa]s?|noventaner[oa]|noventa[ ]y[ ](?:tantos|pico))\b",
        whole, ("nonagen", "centenar", "novent"), 0.7, _LABEL,
    ),
)  # fmt: skip
