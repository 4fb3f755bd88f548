"""Spanish dates with words.

    named   = [weekday] day ["de"] month [("de" | "del") year]   "4 de marzo de 2021", "2-feb-14"
    month   = ["mediados de"] month [("de" | "del") year]        "abril", "marzo de 2014"
    ordinal = "el" day | weekday day                             "el 9", "jueves 16"
              "el dia" day | "el" day "-" month                  only the number is the value
    year    = ("en" | "desde" | "hasta" | ...) year              MEDDOCAN counts bare years

Patterns see text without accents; the words here are written without them or folded when compiled.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, numbers, whole
from stream_deid.detect.patterns.dates.courses import counted, dosed
from stream_deid.detect.patterns.dates.digits import DAY, GAP, alone, sentence_ends
from stream_deid.detect.patterns.dates.feasts import FEASTS, LONG_MONTH, feast
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import MONTHS, WEEKDAYS, WRITTEN_MONTHS, WRITTEN_WEEKDAYS
from stream_deid.lists.numbers import ONES_ES, TEN_TO_TWENTY_ES, TENS_ES, TWO_TO_NINE_ES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.years import ALONE, ALONE_FORM

_WORDS = Vocabulary("dates_es")

_D, _L = PhiType.DATE, "FECHAS"
MONTH = rf"(?:{WRITTEN_MONTHS['es']})"
WEEKDAY = rf"(?:{WRITTEN_WEEKDAYS['es']})"
_FULL_WEEKDAY = rf"(?:{'|'.join(map(fold, WEEKDAYS['es']))})"
_WD = r"(?:" + WEEKDAY + r"\.?,?[ \t]+(?:dia[ \t]+)?)?"
_WORD_DAY = (
    rf"(?:primero|{ONES_ES}|{TEN_TO_TWENTY_ES}|veinti(?:uno?|{TWO_TO_NINE_ES})"
    r"|treinta(?:[ \t]+y[ \t]+uno?)?)"
)
_TENS = rf"(?:{TENS_ES})"
WORD_YEAR = (
    r"(?:(?:mil[ \t]+novecientos|dos[ \t]+mil)(?:[ \t]+(?:"
    + _TENS + r"(?:[ \t]+y[ \t]+(?:" + ONES_ES + r"))?|" + _WORD_DAY + r"))?)"
)  # fmt: skip
_SHORT_WORD_YEAR = rf"{_TENS}(?:[ \t]+y[ \t]+(?:{ONES_ES}))?"
"""As people say it: "del cincuenta y uno"."""


def named(hit: Hit) -> bool:
    if not whole(hit) or hit.before(1) in ("_", "@"):
        return False
    return not (hit.before(1) in ("-", "/", ".") and hit.before(2)[:1].isalnum())


_IN = Context(rf"(?i)(?:\b(?:{_WORDS['timely']})[ \t\n:(]+|[(\-/:,][ \t]?|(?:^|\n)[ \t]*|\t)$")


def month_alone(hit: Hit) -> bool:
    """A long month name by itself, after a preposition, a bracket or at the start."""
    mayo = _MAYO.search(hit.before(12)) if hit.value == "Mayo" else False
    return (
        whole(hit)
        and not mayo
        and _IN.search(hit.before(16))
        and hit.before(1) not in ("'", "_", "@")
    )


_MAYO = Context(r"(?i)\b(?:pinzas?|tijeras?|mesa|aguja|clinica)[ ](?:de[ ])?$")


def short_month_year(hit: Hit) -> bool:
    apart = whole(hit) and hit.before(1) not in ("_", "@")
    return apart and not _clock(hit) and not sentence_ends(hit)


def _clock(hit: Hit) -> bool:
    """The two digits that look like a year are an hour ("22 de enero, 12:15")."""
    return len(hit.groups.get("year") or "") == 2 and _HOUR.match(hit.after(4))


_HOUR = Context(r"^(?::\d\d|[ ]?hs?\b)")


_EL_NOT = Context(
    rf"(?i)^[ \t]*(?:{_WORDS['no_day_behind']}"
    rf"|de[ \t]+(?:{MONTH[3:-1]}|los|las)\b"
    r"|[,.]?\d|[.]?(?:er|o)\b|y[ ](?:el[ ])?\d{1,3}(?:[,.]\d+)?[ ]?%"
    rf"|{_WORDS['no_day_of']})"
)


def weekday_day(hit: Hit) -> bool:
    apart = hit.before(1) not in ("-", "/")
    timed = _HOUR_NEXT.match(hit.after(7))
    return whole(hit) and apart and bool(timed or not _EL_NOT.match(hit.after(20)))


_HOUR_NEXT = Context(r"^,? (?:a las )?\d{1,2}[:h]\d\d")


def el_day(hit: Hit) -> bool:
    """A day of this month; no day of a longer date, which has its own pattern."""
    return weekday_day(hit) and not _DATE_GOES_ON.match(hit.after(6))


def spoken_day(hit: Hit) -> bool:
    """A weekday and a day in words; no count of what is taken on it ("lunes uno, martes dos")."""
    amount = hit.value.split()[-1].lower() in _FEW and _TAKEN.match(hit.after(24))
    return whole(hit) and not amount


_FEW = frozenset(("uno", "una", "dos", "tres", "cuatro"))
_TAKEN = Context(
    r"(?i)^[ ]?(?:[ ](?:comprimid|past|tomas?\b|sobre|gota|puff|inhal|capsul|medi[oa])"
    r"|(?:,|;|[ ]y)[ ](?:lun|mar|mie|jue|vie|sab|dom|medi[oa]|una?\b)|[.;]?$)"
)
_DATE_GOES_ON = Context(r"^[-/.](?:\d|[IVX]+\b)")


def el_dia(hit: Hit) -> bool:
    """The day behind "el dia"; none that is counted of a stay or a course."""
    return el_day(hit) and not counted(hit)


def told_day(hit: Hit) -> bool:
    """A day in words behind "el" and a word for what was done on it; no share ("el dos por")."""
    return whole(hit) and not _EL_NOT.match(hit.after(20)) and not _SHARE.match(hit.after(16))


_SHARE = Context(r"(?i)^[ ](?:por|coma|de[ ](?:ellos|ellas|cada)|veces|%|y[ ]medio)")


def first_of_days(hit: Hit) -> bool:
    """The first of two days; no tablets and a part of one ("Sintrom 4 y 1/4")."""
    part = _PART_OF_ONE.match(hit.after(12)) and not _DAYS_BEFORE.search(hit.before(12))
    return whole(hit) and hit.before(1) not in (":", "/", "-") and not part


_PART_OF_ONE = Context(r"^[ ]?y[ ](?:1/[234]|2/3|3/4)(?:[^/\d]|$)")
_DAYS_BEFORE = Context(r"(?i)\b(?:el|los|dias?|del)[ ]$")


def el_day_month(hit: Hit) -> bool:
    """As in "el 23-11", "el 31-XII": no range, no emergency number ("9-1-1")."""
    after = hit.after(20)
    return whole(hit) and not _DATE_GOES_ON.match(after) and not _EL_NOT.match(after)


_YEAR_BEFORE = Context(rf"(?i)\b(?:{_WORDS['year_before']})[ \t\n.:]+(?:ano[ \t]+)?$|\([ \t]?$")


_YEAR_AFTER = Context(rf"(?i)^[ \t]?(?:{_WORDS['year_after']})|^\.\d")


def year(hit: Hit) -> bool:
    """A year by itself behind a preposition of time, or a recent one behind a word or a comma."""
    number = int(hit.value)
    if not whole(hit) or number not in ALONE or _YEAR_AFTER.match(hit.after(10)):
        return False
    if _VALUE_OF.search(hit.before(24)):
        return False
    return _YEAR_BEFORE.search(hit.before(16)) or (
        number >= 1930 and _YEAR_LOOSE.search(hit.before(16))
    )


_VALUE_OF = Context(rf"(?i)\b(?:{_WORDS['values']})[ ]de[ ]$")


def months(hit: Hit) -> bool:
    """A month and a short year that can be no day and month, in a range of two ("2/24 a 7/24")."""
    month, year = (int(n) for n in numbers(hit.value))
    later = 13 <= year <= 29
    return alone(hit) and 1 <= month <= 12 and later and hit.after(1) not in ("%", "/")


def birth_year(hit: Hit) -> bool:
    """A year behind a label of birth, and no first part of a date ("1931-04-02")."""
    return whole(hit) and not (hit.after(1) in ("-", "/", ".") and hit.after(2)[1:].isdecimal())


_YEAR_LOOSE = Context(r"(?:^|[ (])[a-z]{2,}[,:;]?[ ]$")


_EN_MONTH = f"(?:{'|'.join(name for name in MONTHS['en'] if name != 'may')})"


def _season(hit: Hit) -> bool:
    if not whole(hit):
        return False
    return hit.value[-1].isdecimal()


_AMBIGUOUS = _WORDS.words("months_or_words")


def _day_month(hit: Hit) -> bool | int:
    """A day and its month; how much of the value, where an hour follows that looked like a year."""
    if not named(hit):
        return False
    if _clock(hit):
        return len(hit.value[:-2].rstrip(" \t\n,./-"))
    month = hit.groups["month"].lower()
    if sentence_ends(hit):
        return hit.value.lower().rindex(month) + len(month)
    if month in _AMBIGUOUS:
        head = hit.value.lower()
        at = head.rindex(month)
        gap = head[:at]
        return gap.endswith(("-", "/", ".", "de ", " ")) and not gap.rstrip().endswith(("mg", "al"))
    return hit.after(1) != "@"


def _month_day(hit: Hit) -> bool:
    wave = _MITRAL_WAVE.search(hit.before(4))
    if not named(hit) or hit.after(1) in ("%", ":") or wave or sentence_ends(hit):
        return False
    month = hit.groups["month"].lower()
    if month in ("mar", "may", "set", "sep", "ago", "ene"):
        return bool(hit.groups.get("year")) or hit.value[len(month) : len(month) + 1] in ".-/ "
    return not _EL_NOT.match(hit.after(12))


_MITRAL_WAVE = Context(r"(?i)\b[eas]'[ ]?$")
_DAY_NEXT = Context(
    r"(?i)^[ \t]*(?:y|e|al|,|hasta|a)[ \t]+(?:el[ \t]+)?\d{1,2}[ \t]+(?:de[ \t]+)?[a-z]{3,}"
)
_DAY_PREP = Context(r"(?i)\b(?:los|del|para el|hasta el|desde el|entre el)[ \t]+dias[ \t]+$")


def _bare_day(hit: Hit) -> bool:
    """As in "el dia 9", "del 3 al 9 de mayo": a number that a month follows, or "el dia" leads."""
    if not whole(hit) or hit.after(1) == "/" or _EL_NOT.match(hit.after(20)):
        return False
    head = hit.before(12)
    if dosed(hit):
        return False
    return _DAY_NEXT.match(hit.after(24)) or _DAY_PREP.search(head)


DATES = (
    Pattern(
        "fecha", 1, _D,
        rf"(?i)(?P<v>{_WD}(?:{DAY}o?|{_WORD_DAY})"
        rf"(?:[ \t]*[-/.][ \t]*|{GAP}(?:de[ \t]+|d['e]?[ \t]*)?|)(?P<month>{MONTH})\b\.?"
        rf"(?:(?:[ \t]*[-/.,][ \t]*|,?{GAP}(?:de(?:l)?{GAP}(?:ano[ \t]+)?)?)"
        rf"(?P<year>(?:19|20)\d\d\b|'\d\d\b|\d\d\b|{WORD_YEAR}|{_SHORT_WORD_YEAR}))?)",
        _day_month, label=_L,
    ),
    Pattern(
        "fecha", 1, _D,
        rf"(?i)(?P<v>{_WD}(?P<month>{MONTH})\b\.?(?:[ \t]*[-/.][ \t]*|[ \t]+){DAY}"
        r"(?:(?:[ \t]*[-/,][ \t]*|[ \t]+(?:de(?:l)?[ \t]+)?)(?P<year>(?:19|20)\d\d\b|'\d\d\b))?)",
        _month_day, label=_L,
    ),
    Pattern(
        "fecha-mes", 1, _D,
        rf"(?i)(?P<v>(?P<month>{MONTH})\b\.?(?:[ \t]*[-/.,'][ \t]*|[ \t]+(?:de(?:l)?[ \t]+)?"
        rf"(?:ano[ \t]+)?)(?P<year>(?:19|20)\d\d|\d\d|{WORD_YEAR})\b)",
        short_month_year, label=_L,
    ),
    Pattern("fecha-mes", 1, _D, r"(?i)(?P<v>" + LONG_MONTH + ")", month_alone, score=0.8, label=_L),
    Pattern("fecha-dia", 1, _D, r"(?i)(?P<v>el[ \t]+" + DAY + r")", el_day, score=0.7, label=_L),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)(?P<v>{WEEKDAY}\.?,?[ \t]+(?:dia[ \t]+)?{DAY})",
        weekday_day, score=0.7, label=_L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)\bel[ \t]+dia[ \t]+(?P<v>{DAY}|{_WORD_DAY}\b)",
        el_dia, ("dia",), 0.7, _L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)\b(?:{_WORDS['told']})[ ]el[ ](?P<v>{_WORD_DAY})\b",
        told_day, (" el ",), 0.7, _L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)\bel[ \t]+(?P<v>{DAY}[-/]"
        r"(?:0?[1-9]|1[0-2]|(?-i:I{1,3}|IV|VI{0,3}|IX|XI{0,2}))\b)",
        el_day_month, ("el ",), 0.7, _L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)\b(?:dia|dias|al|del)[ \t]+(?P<v>{DAY})",
        _bare_day, ("dia", "al ", "del "), 0.6, _L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        r"(?i)\b(?:el|este|proximo|pasado|del|hasta|desde)[ ]"
        rf"(?P<v>{_FULL_WEEKDAY})\b",
        whole, (), 0.7, _L,
    ),
    Pattern(
        "fecha-meses", 1, _D,
        r"(?P<v1>\d{1,2}/[12]\d)[ ]?(?:a|al|hasta|-|>)[ ]?(?P<v2>\d{1,2}/[12]\d)",
        months, ("/",), 0.7, _L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)(?P<v>(?:{WEEKDAY}[ \t]+){_WORD_DAY})",
        spoken_day, (), 0.7, _L,
    ),
    Pattern(
        "fecha-dia", 1, _D,
        rf"(?i)(?P<v>{DAY})[ ]?(?:y|al|a|e|-)[ ](?:el[ ])?{DAY}(?:[ ]y[ ]{DAY})?"
        rf"(?:[ ](?:de[ ])?{LONG_MONTH}|/\d{{1,2}}(?:/\d{{2,4}})?\b)",
        first_of_days, (), 0.7, _L,
    ),
    Pattern(
        "fecha-ano", 1, _D,
        r"(?P<v1>(?:19|20)\d\d)[ ]?-[ ]?(?P<v2>(?:19|20)\d\d)",
        whole, (), 0.7, _L,
    ),
    Pattern("fecha-ano", 1, _D, r"(?P<v>(?:19|20)\d\d)", year, (), 0.8, _L),
    Pattern(
        "fecha-ano", 1, _D,
        r"(?i)\b(?:f(?:echa)?\.?[ \t]?(?:de[ \t]+)?nac(?:imiento|\.)?|f\.?n\.?|nacid[oa])[ \t]*"
        r"[:=.]*[ \t]*(?P<v>" + ALONE_FORM + r")\b",
        birth_year, ("nac", "fn", "f.n"), 0.9, _L,
    ),
    Pattern(
        "fecha-fiesta", 1, _D,
        rf"(?i)(?P<v>{FEASTS}(?:[ \t]+(?:de(?:l)?[ \t]+)?(?:(?:19|20)\d\d))?)",
        feast, (), 0.8, _L,
    ),
    Pattern(
        "fecha-estacion", 1, _D,
        r"(?i)(?P<v>(?:primavera|verano|otono|invierno)(?:[ \t]+(?:de(?:l)?[ \t]+)?(?:ano[ \t]+)?"
        r"(?:(?:19|20)\d\d))?)",
        _season, (), 0.7, _L,
    ),
    Pattern(
        "fecha-en", 1, _D,
        rf"(?i)(?P<v>{_EN_MONTH}[ \t]+{DAY}(?:st|nd|rd|th)?(?:,?[ \t]+(?:19|20)\d\d)?)",
        whole, (), 0.9, _L,
    ),
    Pattern(
        "fecha-suelta", 1, _D,
        rf"(?i)fecha[ \t]*[:.]?[ \t]*(?P<v>{_WORD_DAY}[ \t]+(?:{_WORD_DAY}|{LONG_MONTH})[ \t]+"
        rf"(?:{WORD_YEAR}|{_TENS}(?:[ \t]+y[ \t]+(?:{ONES_ES}))?))",
        whole, ("fecha",), 0.9, _L,
    ),
)  # fmt: skip
