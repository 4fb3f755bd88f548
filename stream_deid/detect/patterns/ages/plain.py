"""Ages. English: 90 and over only (Safe Harbor); Spanish: every age, with its unit (MEDDOCAN).

english = n ("-year-old" | "y/o" | "yo" | "F" | "M") | "age" n | spelled n "year-old"
spanish = n ("años" | "a." | "meses" | "días") | spelled "años" | "edad:" n
"""

from __future__ import annotations

from stream_deid.detect.patterns.ages.old import HALF, PART, RANGE
from stream_deid.detect.patterns.base import Context, Hit, Pattern, numbers, whole
from stream_deid.labels import PhiType
from stream_deid.lists.numbers import (
    OLD_EN,
    OLD_ES,
    ONES,
    TEN_TO_TWENTY_ES,
    TENS_ES,
    TWO_TO_NINE_ES,
)
from stream_deid.lists.titles import written
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("ages")

_A = PhiType.AGE
_OLD = r"(?:9[0-9]|1[01]\d|12[0-5])"
_YEARS = (
    r"(?:[- \t]*\n?(?:years?|yrs?|yr)\.?[- \t]*\n?(?:olds?|of[ \t]+age|young)"
    r"|[- \t]*(?:y\.?[ \t]?/?[ \t]?o\.?|y\.?o\.?|yr?\.?/o|yo[fm]?|y)\b|[- ]?(?:years?|yrs?)[ \t]+"
    r"old)"
)


def _starts(hit: Hit) -> bool:
    """Not the end of a longer word or number; what follows is the expression's business."""
    return not hit.before(1).isalnum()


def plain(hit: Hit) -> bool:
    return (
        _starts(hit)
        and not hit.after(1).isdecimal()
        and hit.before(1) not in (".", "/", "-", "$")
        and hit.after(1) not in ("%", "/")
        and not (hit.before(1) in ("<", ">") and _OF_RANGES.search(hit.before(32)))
    )


_OF_RANGES = Context(rf"(?i)\b(?:{_WORDS['ranges']})\b[^.;\n]*$")
_MEASURED = tuple(word.replace("[ ]", " ") for word in _WORDS.ordered("measured"))


def sexed(hit: Hit) -> bool:
    """As in "91F", "93 M": not temperatures ("99 F"), not measures ("92 m", "100 M")."""
    if not _starts(hit) or hit.before(1) in (".", "/", "-", "$", "<", ">", ":", "=", "°"):
        return False
    if _WEIGHT.match(hit.after(6)):
        return False
    if not hit.before(1) and hit.after(8).strip() == "F":
        return False  # all there is: a reading
    head = hit.before(12).lower()
    return not any(word in head for word in _MEASURED)


_UNITS = {"m": 12, "w": 52.1775, "s": 52.1775, "d": 365.2425, "h": 8765.82}
_LIVED = Context(
    r"(?i)^[ \t-]*(?:old|of[ ]age|de[ ]edad|de[ ]vida)|^[ ]?[-/]?[ ]?(?:male|female|f\b|m\b)"
)
_AGE_SAID = Context(r"(?i)\b(?:aged?|edad)[ \t:=]*(?:is|was|of|de|about)?[ \t]*$")
_MOST_LIVED = 126


def in_units(hit: Hit) -> bool:
    """90 years and over in months, weeks, days or hours; the two last where an age is meant."""
    if not whole(hit) or hit.before(1) in (".", ",", "/", "-", "$"):
        return False
    unit = hit.groups["unit"][0].lower()
    years = int("".join(numbers(hit.value))) / _UNITS[unit]
    if not 90 <= years < _MOST_LIVED:
        return False
    return unit not in "dh" or _LIVED.match(hit.after(12)) or _AGE_SAID.search(hit.before(16))


_WEIGHT = Context(r"(?i)^[ ]?(?:kg|lb|cm|bpm|%|mg|/)")


_NAMED = Context(
    rf"(?:\b(?:{written('age')})\.?[ ][A-Z][A-Za-z'-]+|[A-Z][a-z'-]{{2,}}(?:[ ][A-Z]\.?)?"
    rf"|[A-Z]{{3,}}|(?i:{_WORDS['kin']}))[\x22')]*(?:,[ ]|[ ]\()$"
)
_NAMED_NOT = Context(rf"(?i)(?:{_WORDS['no_age_before']})[,.]?[ ]\(?$")
_AGED = Context(r"^(?:[,.;:)]|[ ]?$|\n|[ ]/|!|[ ](?:and|DNR|INR))")


def named(hit: Hit) -> bool:
    """As in "Opal Trask, 91, heard": a number after a name, closed by punctuation."""
    before, after = hit.before(30), hit.after(4)
    if not whole(hit) or not _AGED.match(after) or (after[:1] in ".,:" and after[1:2].isdecimal()):
        return False
    return _NAMED.search(before) and not _NAMED_NOT.search(before)


def verb(hit: Hit) -> bool:
    """As in "She is 96." but not "SpO2 is 96", "HR was 98"."""
    if not plain(hit):
        return False
    head = hit.before(28).lower()
    decimal = hit.after(1) == "." and hit.after(2)[1:].isdecimal()
    return bool(not decimal and _PERSON.search(head) and not _READING.search(head))


_PERSON = Context(rf"\b(?:{_WORDS['persons']})\b")
_READING = Context(rf"\b(?:{_WORDS['readings']})\b")


_ES_ONES = rf"(?:un[oa]?|{TWO_TO_NINE_ES})"
_ES_WORDS = (
    rf"(?:{OLD_ES}|una?|{TWO_TO_NINE_ES}|{TEN_TO_TWENTY_ES}|veinti{_ES_ONES}"
    rf"|(?:{TENS_ES})(?:[ \t]+y[ \t]+{_ES_ONES})?)"
)
_LBL = "EDAD_SUJETO_ASISTENCIA"
_ES_UNIT = r"(?:anios?|an[o0]s?|anys|añitos|meses|mes|semanas?|dias?)"


def spanish(hit: Hit) -> bool:
    """An age, not a span of time ("hace 3 anos", "durante 5 dias", "10 anos de evolucion")."""
    if not whole(hit):
        return False
    before, after = hit.before(36).lower(), hit.after(28).lower()
    since = _SINCE.search(before) and not after.startswith((" de edad", " de vida"))
    if since or _SPAN_SURE.search(before) or _other_span(hit, before, after):
        return False
    years = hit.groups.get("unit", "").lower().startswith("a")
    if _AGE_BEFORE.search(before) or _AGE_AFTER.match(after):
        return after.startswith(" sin ") or not _SPAN_AFTER.match(after)
    if years and _AT_AGE.search(before) and _grown(hit.value):
        return not _SINCE_THEN.match(after)
    if hit.after(1) == ")" and hit.before(1) == "(" and not _NAME_BEFORE.search(hit.before(14)):
        return False
    return (
        years
        and not _SPAN_BEFORE.search(before)
        and not _SPAN_AFTER.match(after)
        and _AGE_CLOSED.match(after)
        and _OWNER.search(hit.before(24))
    )


_OWNER = Context(
    r"(?:(?:^|\d{4},|[.:;()0-9|\n\x22-])[ \t]*|[ ]{2,}|\b[A-Z][A-Za-z.'-]*[\x22')]*[,;]?[ ]\(?"
    rf"|(?i:{_WORDS['kin_es']})[,;]?[ ]\(?|\([a-z]+,[ ])$"
)


def _grown(value: str) -> bool:
    """More years in figures than most follow-ups last ("a los 8 anos", not "a los 2 anos")."""
    figures = numbers(value)
    return bool(figures) and int(figures[0]) > 3


def _other_span(hit: Hit, before: str, after: str) -> bool:
    """Weeks of a pregnancy, days of an illness ("lactante, 4 dias de fiebre")."""
    unit = hit.groups.get("unit", "").lower()
    if unit[:1] == "a":
        return False
    lasting = after.startswith(" de ") and not after.startswith(
        (" de vida", " de edad", " de nacid")
    )
    return lasting or (unit[:3] == "sem" and _PREGNANT.search(before))


_SPAN_SURE = Context(
    r"\b(?:hace|hacia|durante|cada|por|en|x|dentro de|tras)[ \t\n]+(?:unos[ ]+|unas[ ]+|los[ ]+)?$"
)
_AT_AGE = Context(r"\ba los[ \n]+$")
_SINCE_THEN = Context(r"^ (?:del?|tras|despues|post\w*)\b")
_SINCE = Context(
    r"\b(?:(?:desde los|menarquia|menopausia)[ :,]+(?:a los )?|(?:evolucion|antiguedad)"
    r"(?:[ :,]+|[ ,]+a los ))$"
)
_PREGNANT = Context(
    r"\b(?:gestante|embarazada|primigesta|secundigesta|multigesta|gestacion|embarazo)(?:[ ]+de)?"
    r"[ ,]+(?:unas[ ]+)?$"
)
_NAME_BEFORE = Context(r"(?i)[a-z]{3,}[ ]\($")
_SPAN_BEFORE = Context(rf"(?:\b(?:{_WORDS['span_before_es']})|\d+)[ \t\n]+$")
_SPAN_AFTER = Context(rf"^[ \t\n]*(?:{_WORDS['span_after_es']})")
_AGE_CLOSED = Context(
    r"^(?:[,.;:)/|]|[ ]*\n|[ ]?$|[ ]{2,}|[ ](?:masc|fem|varon|mujer|hombre|m\b|f\b|g\d|lo|diestr"
    r"|de sexo|con|tcae|que))"
)


_AGE_BEFORE = Context(
    rf"(?:\b(?:{_WORDS['age_before_es']})\b[ \t\n]*,?[ \t\n]*(?:\w+[ \t]+){{0,2}}(?:de|con|,)?"
    r"[ \t\n]*(?:unos[ \t]+)?|\bedad[ \t]*(?:de|:|\.+|es|actual|cronol[o]gica|=)?[ \t:.]*"
    r"(?:de[ \t]+)?|\btiene[ \t]+(?:ya[ \t]+)?|, de[ \t\n]+|\bcumpli[o][ \t]+)$"
)
_AGE_AFTER = Context(
    rf"^(?:[ \t\n]*(?:de edad|de vida\b)|[ \t]*,?[ \t]*(?:{_WORDS['age_after_es']}))"
)


def breve(hit: Hit) -> bool:
    """As in "61a", "63 a": not a clock ("6:12 a.m."), not "6 a las 23:00"."""
    before, after = hit.before(2), hit.after(5).lower()
    number = int("".join(c for c in hit.value if c.isdecimal()))
    if (
        not whole(hit)
        or (number < 10 and _ordinal(hit))
        or _LETTERED.search(hit.before(16))
        or number > 110
        or before[-1:] in (":", "-", ".", ",")
        or (before[-1:] == "/" and not before[:1].isalpha())
        or after.startswith((".m", ". m", " .m"))
    ):
        return False
    if _NUMBERED.match(hit.after(12)):
        return False
    if " " in hit.value:
        return (
            after[:1] in (",", ";", ")", "", "\n", "/")
            or after[:2] in ("  ", ". ", ".\n", ".")
            or after[1:3] in ("m ", "f ")
        )
    return not (after[:1] == " " and after[1:2].isdecimal()) and after[:1] not in ("-", "'")


_NUMBERED = Context(r"(?i)^[ ](?:costilla|vertebra|sesion|semana|dosis|toma\b|planta\b|vez\b)")


def _ordinal(hit: Hit) -> bool:
    """As in "la 3a bolsa": a word goes on behind it, or no name and no comma stands before it."""
    ends = hit.value[-1] == "A" or " " in hit.value or hit.after(1) in ("", *",.;)|\n")
    return not ends or not _CHILD.search(hit.before(24))


_LETTERED = Context(rf"(?i)\b(?:{_WORDS['lettered_es']})\.?[ ]+(?:\d[ ]?[a-z],?[ ](?:y[ ])?)?$")
_CHILD = Context(r"(?:[,;|\n][ \t]*|^|\d[.,]?[ ]|[a-z][ ][A-Z][a-z]+[ ]|(?i:edad)[ :]*)$")
"""What stands before the years of a child, and not before an ordinal ("la 3a bolsa")."""


def labelled(hit: Hit) -> bool:
    return whole(hit) and not _MEASURE.match(hit.after(6))


_MEASURE = Context(r"(?i)^[ ]?(?:mmhg|kg|cm|mg|g\b|%|lpm|puntos|semanas)")


_MANY = r"(?P<v>(?:\d{1,3}[,.]\d{3}|\d{4,6})[ \t-]?(?P<unit>"
ENGLISH = (
    Pattern(
        "age-units", 1, _A,
        rf"(?i){_MANY}months?|mos?|weeks?|wks?|days?|hours?|hrs?))\b",
        in_units,
    ),
    Pattern("age", 1, _A, rf"(?i)(?P<v>{RANGE}{_OLD}{PART}){_YEARS}", plain),
    Pattern(
        "age", 1, _A,
        rf"(?i)(?P<v>{OLD_EN}{HALF})(?:[- \t]*\n?(?:years?|yrs?)[- \t]*\n?"
        r"(?:old|of[ \t]+age|young)|[ \t]+y/?o)",
        whole, ("ninety", "hundred"),
    ),
    Pattern(
        "age-label", 1, _A,
        rf"(?i)(?:^|[^A-Za-z])(?:{_WORDS['labels']})(?:[ \t]*/[ \t]*(?:sex|dob|gender))?"
        rf"(?:[ \t]+(?:{_WORDS['label_behind']}))*[ \t]*[:=.#]*[ \t]*"
        rf"(?:[<>~]=?[ \t]*)?(?P<v>{RANGE}{_OLD}{PART})",
        plain, ("age", "edad"),
    ),
    Pattern(
        "age-label", 1, _A,
        r"(?i)(?:^|[^A-Za-z])(?:aged?|edad)(?:[ \t]+(?:of|is|was|about))*[ \t]*[:=]*[ \t]*"
        rf"(?P<v>{OLD_EN})",
        whole, ("age", "edad"), 0.9,
    ),
    Pattern(
        "age-birthday", 1, _A,
        r"(?i)(?P<v>(?:9[0-9]|1[01][0-9])(?:st|nd|rd|th))[ \t]+(?:birthday|b-?day|year)\b",
        whole, ("birthday", "bday", "b-day", "year"),
    ),
    Pattern(
        "age-birthday", 1, _A,
        rf"(?i)\b(?P<v>{_WORDS['old_ordinals']})[ \t]+(?:birthday|b-?day)\b"
        rf"|\b(?:his|her|their|my|whose)[ \t]+(?P<v2>{_WORDS['old_ordinals']})[ \t]+year\b",
        whole, ("nineti", "ninety", "hundred"),
    ),
    Pattern(
        "age-sex", 1, _A,
        r"(?P<v>9[0-9]|10[0-9])(?:[ \t]?[-/]?[ \t]?(?:[FMfm]"
        rf"|{_WORDS['sexes_cased']})\b|[ \t]+(?:{_WORDS['races_and_sexes']})\b)",
        sexed, (), 0.8,
    ),
    Pattern(
        "age-sex", 1, _A,
        r"(?:^|[ \t\n,(|;])(?:[FM]|male|female|Male|Female|MALE|FEMALE)[ \t]?[,/-]?[ \t]?"
        r"(?P<v>9[0-9]|10[0-9])\b",
        sexed, (), 0.6,
    ),
    Pattern("age-name", 1, _A, r"(?P<v>9[0-9]|10[0-9])", named, (), 0.7),
    Pattern(
        "age-name", 1, _A,
        rf"(?i),[ ](?P<v>ninety(?:[- ](?:{ONES}))?)(?:,|\.)",
        whole, ("ninety",), 0.7,
    ),
    Pattern(
        "age", 1, _A,
        r"(?i)(?P<v>9[0-9]|10[0-9])[ \t]*(?:y\b|yr?s?\.?[ ]*(?:$|[.,;\n]|R\.|[ ]{2}))",
        plain, (), 0.7,
    ),
    Pattern(
        "age", 1, _A,
        r"(?i)(?P<v>(?:nonagen|(?:super)?centen)arians?)",
        whole, ("nonagen", "centenar"), 0.7,
    ),
    Pattern(
        "age-verb", 1, _A,
        rf"(?i)\b(?:{_WORDS['verbs']})[ \t]+(?P<v>{_OLD}|{OLD_EN})"
        r"(?:[ \t]*(?:[,.;)!?\n]|$|and\b|but\b|years?\b|this\b|on\b|in\b|next\b|last\b))",
        verb, (), 0.6,
    ),
)  # fmt: skip

SPANISH = (
    Pattern(
        "edad-unidades", 1, _A,
        rf"(?i){_MANY}meses|mes|semanas?|sem|dias?|horas?))\b",
        in_units, (), 1.0, _LBL,
    ),
    Pattern(
        "edad", 1, _A,
        rf"(?i)(?P<v>(?:{_OLD}(?:[.,]\d|~)|\d{{1,3}}|{_ES_WORDS})[ \t\n]*(?P<unit>{_ES_UNIT})"
        r"(?:[ ]+(?:y|con)?[ ]*(?:\d{1,2}[ ]*(?:meses|mes|m|dias|d)\b|medio))?)",
        spanish, ("a", "mes", "d"), 0.9, _LBL,
    ),
    Pattern(
        "edad", 1, _A,
        r"(?i)\b(?:edad|edat|age)(?:[ \t]*/[ \t]*sexo|[ \t]+cumplida)?[ \t]*[.:=]*[\"']?[ \t]*"
        r"(?P<v>\d{1,3}(?:[ \t]*(?:años|anos|meses|días|a\.?|m\.?))?)\b",
        labelled, ("edad",), 1.0, _LBL,
    ),
    Pattern(
        "edad-breve", 1, _A,
        r"(?:^|[^0-9.,/-]|[A-Z]/)(?P<v>\d{1,3}(?:[ \t]?a|A))\b\.?",
        breve, (), 0.8, _LBL,
    ),
)  # fmt: skip
