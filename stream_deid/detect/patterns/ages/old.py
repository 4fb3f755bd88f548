"""Ages of ninety and over without a word for years, or told by their decade.

english = birth "(" n ")"                                           "DOB 02/14/1925 (94)"
        | ("past" | "almost" | ...) n as a sentence | n "now"          "Past 90. 93 now."
        | whose decade | "celebrated" whose nth | "over" n "years"     "in her mid-nineties"
spanish = ("cumplió" | "cumple" | ...) n | "tiene" n as a sentence      "Cumplió 96 el martes"
        | n "cumpleaños" | "nonagenaria" | "noventa y tantos" | "pasados los" n
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, in_decimals, whole
from stream_deid.labels import PhiType
from stream_deid.lists.numbers import OLD_EN, OLD_ES, ONES, TEENS, TENS_EN
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("ages")
_A, _LABEL = PhiType.AGE, "EDAD_SUJETO_ASISTENCIA"
_OLD = r"9\d|1[01]\d"
HALF = rf"(?:{_WORDS['halves']})?"
PART = rf"(?:[.,]\d{{1,2}}|[ ]?~|[ -]\d/\d|{_WORDS['halves']})?"
"""What stands between the whole years and their unit: "95½", "95.5", "95 and a half"."""
RANGE = r"(?:(?:9\d|1[01]\d)(?:[ ]?-[ ]?|[ ](?:to|or|and)[ ]))?"
_TENTH = rf"(?:{_WORDS['decade_parts']})[ -]*"
_DECADE = rf"(?:{_TENTH})*(?:(?:9|10|11)0(?:'?s)|nineties)"
_BORN = (
    rf"(?i:\b(?:{_WORDS['born']}))[ :]{{1,3}}"
    r"(?:\d{1,2}[-/. ](?:\d{1,2}|[A-Za-z]{3,10})[-/. ]\d{2,4}|\d{4}-\d\d-\d\d)[ ]{0,4}\([ ]?"
)
"""A birth before an age in brackets ("DOB 02/14/1925 (94)")."""
_NTH = rf"(?:9\d|1[01]\d)(?:st|nd|rd|th)|{_WORDS['old_ordinals']}"
_WORDS_EN = rf"ninety(?:[ -](?:{ONES}))?"


def lived(hit: Hit) -> bool:
    """A number of years; no reading, no measure, no decimal."""
    after = hit.after(14)
    decimal = after[:1] in (".", ",", "/", "-", ":") and after[1:2].isdecimal()
    if decimal or in_decimals(hit):
        return False
    return whole(hit) and not _NO_YEARS.match(after) and not _read(hit)


def sentence(hit: Hit) -> bool:
    """A number of years that ends a sentence."""
    return lived(hit) and hit.after(1) in ("", *".,;!?\n")


def closed(hit: Hit) -> bool:
    """A number of years, and what it counts is not said behind it ("over ninety minutes")."""
    return lived(hit) and _CLOSED.match(hit.after(24)) and not _RATIO.search(hit.before(24))


def alone(hit: Hit) -> bool:
    """A round age that is all of a sentence, and no reading was asked for or told before it."""
    return lived(hit) and _END.match(hit.after(2)) and not _ASKED.search(hit.before(64))


def elapsed(hit: Hit) -> bool:
    """Years that somebody has lived, whatever the sentence: no years ago, no years of something."""
    return lived(hit) and not _OF_SOMETHING.match(hit.after(28))


def _read(hit: Hit) -> bool:
    return _READING.search(hit.before(32))


_READING = Context(rf"(?i)\b(?:{_WORDS['readings']}|{_WORDS['readings_es']})\b[^.;\n]*$")
_ASKED = Context(rf"(?i)\b(?:{_WORDS['readings']}|{_WORDS['no_age_before']})\b")
_END = Context(r"^[ ]?(?:[.!?,;\n]|$)")
_CLOSED = Context(
    rf"(?i)^(?:[.,;:!?)\n/\x22]|[ ]?$|[ ]?[(\n-]|[ ]{{2}}|[ ](?:{_WORDS['years_go_on']})\b)"
)
_RATIO = Context(rf"(?i)(?:\d|{ONES}|{TEENS}|{TENS_EN}|hundred)[ ]over[ ]$")
"""A blood pressure as it is said ("one forty-eight over ninety-four")."""
_OF_SOMETHING = Context(rf"(?i)^[ ](?:years?|yrs?|anos)[ ](?:{_WORDS['years_of']})\b")
_NO_YEARS = Context(rf"(?i)^[ ]?(?:{_WORDS['no_years']})")


ENGLISH = (
    Pattern(
        "age-born", 1, _A,
        rf"{_BORN}(?P<v>{_OLD})\)",
        lived, ("dob", "born", "birth"), 0.9,
    ),
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
    Pattern(
        "age-sentence", 1, _A,
        rf"(?:^|[.!?\n][ ]?)At[ ](?P<v>{_OLD}|{OLD_EN}),?[ ]"
        r"(?:s?he|his|her|they|the[ ]patient)\b",
        lived, ("at ",), 0.7,
    ),
    Pattern(
        "age-decade", 1, _A,
        rf"(?i)\b(?:{_WORDS['whose']})[ ](?P<v>{_DECADE})",
        closed, ("nineties", "0s", "0's"), 0.9,
    ),
    Pattern(
        "age-decade", 1, _A,
        rf"(?i)\b(?:{_WORDS['who']})[ ,:]+(?:(?:is|was)[ ])?(?:in|of|into)[ ](?P<v>{_DECADE})"
        rf"|\b(?:aged?|ages)[ :=]+(?:in[ ])?(?P<v1>{_DECADE})"
        rf"|\b(?:(?:{_WORDS['who']})[ ]?,|s?he[ ](?:is|was)|s?he's)[ ](?P<v2>(?:{_TENTH})+"
        r"(?:90'?s|nineties))",
        closed, ("nineties", "0s", "0's"), 0.9,
    ),
    Pattern(
        "age-decade", 1, _A,
        rf"(?i)\b(?P<v>{_DECADE}|(?:90|100|ninety|a[ ]hundred)[ -](?:{_WORDS['odd']}))[ -]"
        rf"(?:years?\b|yr|y/?o\b|{_WORDS['who']})",
        elapsed, ("nineties", "0", "ninety", "hundred"), 0.9,
    ),
    Pattern(
        "age-decade", 1, _A,
        rf"(?i)\b(?:is|was|aged?|he's|she's|now)[ ](?P<v>(?:90|100|ninety|a[ ]hundred)[ -]"
        rf"(?:{_WORDS['odd']}))",
        closed, ("90", "100", "ninety", "hundred"), 0.8,
    ),
    Pattern(
        "age-alone", 1, _A,
        rf"(?:^|[.!?\n][ \x22]?)(?i)(?P<v>(?:90|100|ninety|a[ ]hundred)[ -](?:{_WORDS['odd']}))\b",
        alone, ("90", "100", "ninety", "hundred"), 0.7,
    ),
    Pattern(
        "age-nth", 1, _A,
        rf"(?i)\b(?:{_WORDS['celebrates']})[ ](?:his|her|their|my|hers)[ ](?:own[ ])?(?P<v>{_NTH})",
        closed, ("his ", "her ", "their ", "my "), 0.9,
    ),
    Pattern(
        "age-over", 1, _A,
        rf"(?i)\b(?:{_WORDS['over']})[ ](?P<v>(?:{_OLD}|{_WORDS_EN}){PART})[ ](?:years?|yrs?)\b",
        elapsed, ("year", "yr"), 0.8,
    ),
    Pattern(
        "age-over", 1, _A,
        rf"(?i)\b(?:{_WORDS['over']}|{_WORDS['who']}[ ]of)[ ](?P<v>{_WORDS_EN})",
        closed, ("ninety",), 0.7,
    ),
    Pattern(
        "age-over", 1, _A,
        rf"(?i)\b(?:{_WORDS['who']})[ ]of[ ](?P<v>{_OLD}|{OLD_EN})(?:[ ](?:years?|yrs?))?",
        closed, (" of ",), 0.7,
    ),
)  # fmt: skip

SPANISH = (
    Pattern(
        "edad-nacido", 1, _A,
        rf"{_BORN}(?P<v>{_OLD})\)",
        lived, ("dob", "nac", "fn"), 0.9, _LABEL,
    ),
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
        rf"(?P<v>{_OLD}|{OLD_ES})",
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
        r"(?i)\b(?P<v>(?:nonagen|(?:super)?centen)ari[oa]s?|noventaner[oa]s?"
        r"|noventa[ ]y[ ](?:tantos|pico))\b",
        whole, ("nonagen", "centenar", "novent"), 0.7, _LABEL,
    ),
    Pattern(
        "edad-pasada", 1, _A,
        rf"(?i)\b(?:(?:{_WORDS['over_es']})[ ](?:ya[ ])?(?:los|sus)"
        rf"|(?:en|a)[ ]sus|ya[ ]tiene|tiene[ ]ya|(?:{_WORDS['kin_es']}|{_WORDS['who_es']})[ ]de"
        rf"|(?:{_WORDS['birthdays_es']})(?:[ ]ya)?(?:[ ](?:los|sus))?)[ ]"
        rf"(?P<v>{_OLD}|{OLD_ES})\b",
        closed, ("noventa", "cien", "9", "1"), 0.8, _LABEL,
    ),
    Pattern(
        "edad-pasada", 1, _A,
        rf"(?i)\b(?P<v>(?:90|100|cien|noventa)[ ](?:{_WORDS['odd_es']}))\b",
        closed, ("pico", "tant", "larg"), 0.8, _LABEL,
    ),
    Pattern(
        "edad-pasada", 1, _A,
        rf"(?i)\b(?:{_WORDS['over_es']})[ ](?P<v>(?:{_OLD}|{OLD_ES}){PART}[ ]anos)\b",
        elapsed, ("ano", "año"), 0.8, _LABEL,
    ),
)  # fmt: skip
