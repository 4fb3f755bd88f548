"""Day and month without a year: the dates that look like fractions, scores and ranges.

monthday = n "/" n        where the context says that it is a date
dash     = n "-" n        only behind a word that dates, or beside its like
range    = monthday "-" n     the 19 of "6/17-19"
short    = n ("/" | "-") nn   a month and a year that can be no day ("PAP 11/99")
"""

# Regular expressions stay on one line, beside their grammar; tables of words stay words.
# ruff: noqa: E501

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, View, compiled, numbers, whole
from stream_deid.detect.patterns.dates import WEEKDAY_BEFORE, alone, day_month
from stream_deid.labels import PhiType

_D = PhiType.DATE
_SLASHED = r"\d{1,2}[ \t]?/[ \t]?\d{1,2}"
_SCORED = Context(
    r"(?i)(?:\b(?:strength|motor|power|mmse|moca|score[ds]?|scale|pain|dolor|pulses?|reflex(?:es)?|dtrs?|grade|gcs|glasgow|apgars?|bp|b/p"
    r"|ta|pa|tas|ratio|fraction|vision|va|acuity|od|os|ou|stage|phq-?[29]|gad-?7|cage|nihss|mrc|sips?|nodes?|ganglios|flexion|extension"
    r"|quads|delts?|grip|biceps|triceps|ehl|df|pf|murmur|soplo|fuerza|eva|mallampati|norton|barthel|i/e|i:e|levine|apache|bi-?pap|cpap|epap"
    r"|ipap|avaps|ps|pressure support|peep|simv|tof|train of four|beighton|recall|needles?|sponges?|counts?|instr|rate|ps/cpap|nppv|niv|sbt"
    r"|vent(?:ilator)?|nippv|settings|pg|page|pp?\.?|monofilament|naming|mini-cog|dorsiflexion|pressure|abd|gds-15|nottingham|bundle|neuro|group|token test|words|clock|vibration|steinberg|braden|kps|ecog|epds|cdr|cfs|fl|fp|wean(?:ed)?|at rest|commands|positive|cores?|sites?|[a-z]+ 20)"
    r"[ \t:=\-#]{0,4}(?:(?:of|was|is|at|a|to|de|about|now|down to|only|still|un|una)[ \t]+)?|[<>*][ \t]?|1:)$"
)
_COUNTED = Context(
    r"(?i)^[ \t]?(?:-?(?:strength|murmur|tabs?\b|tablets?|pills?|caps?\b|cup|cc\b|ml\b|mg|mcg|g\b"
    r"|gm?\b|cm|mm\b|inch|in\b\.?[ \t]?(?:all|the|both|ue|le|b/?l)|oz|lb|pack|ppd|ns\b|normal saline"
    r"|doses?\b|strong|power|motor|pain|reflex|pulses?|dtr|sem\b|systolic|diastolic|holosystolic|hsm"
    r"|of\b|the way|way|full|teaspoon|tsp|tbsp|hours?|hr|h\b|min|sec|y/?o\b|years?|yrs?"
    r"|months?\b|mos?\b|weeks?\b|wks?\b|days?\b|d\b|nodes?|cores?|bottles?|sets?\b|criteria|points?|pts?\b|ln\b"
    r"|throughout|bilat|b/l\b|symmetric|%|weakness|life|comp|comprimidos?|soplo|ganglios|fuerza|semanas"
    r"|meses|d[ií]as|horas|amp|unit|iu\b|visits?|sessions?|sticks|loss|deaf|stable|thickness|sites?|residents?"
    r"|nodos|positivos|bombillas|lit(?:er|re|ro)s?|l/min|lpm|l\b|people|times|x\b|on[ \t](?:the|a)[ \t](?:scale|right|left)"
    r"|UE|LE|bilaterally|flexion|extension|correct|objects|words|recall|at (?:rest|5)|pulse|fio2|40 ?%|hs\b|qhs|taken|muffin|at toes))"
)
_DATED_BEFORE = Context(
    r"(?i)(?:\b(?:on|since|until|till?|thru|through|by|from|dated?|seen|adm(?:it(?:ted)?)?|admission"
    r"|d/?c(?:'?d)?|disch(?:arged)?|dob|born|b|appt|visit|f/?u|due|exp|started?|begun|drawn|coll"
    r"|after|before|between|and|to|last|next|again|filled|fill|faxed|sent|signed|rec'?d|received|mailed"
    r"|returned?|ended|stopped|today|yesterday|effective|eff|onset|lmp|edd|edc|surgery|pod|window|approved|denied|deadline"
    r"|note|cxr|ct|mri|echo|labs?|cx|bcx|ucx|us|ekg|ecg|egd|pap|emg|eeg|pet|bx|mammo|pft|call|called|phoned|flies|back|qft|req"
    r"|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|el|del|desde|hasta|fecha|dia|día|ingreso|alta|control|cultures?"
    r"|al|entre|closed|opened|reviewed|review|updated|scheduled|rescheduled|bmp|cbc|inr|eval|initialed|listened"
    r"|last[ \t](?:dose|seen)|placed|removed|given|ending|week[ \t]of|wk[ \t]of|w/?c|per|late|early|rev|form rev|concentrator)"
    r"\.?(?:[ \t]+(?:was|is|were|on))?[ \t:(~]{0,5}|(?:^|\n)[ \t>*\-\[(|]{0,6})$"
)  # fmt: skip
_LISTED = Context(
    r"(?i)(?:[\n\t|,;][ \t>*\-\[(\d]{0,6}[ \t.)\]]{0,2}|\d{1,2}/\d{1,2}(?:,|-|[ \t]|;| - |->|>|)[ \t]*(?:and[ \t]+|&[ \t]*|to[ \t]+|y[ \t]+|thru[ \t]+)?"
    r"|[(\[][ \t]?|[.?!:][ \t]+)$"
)
_DATED_AFTER = Context(
    r"(?i)^(?:[ \t]*[-@,]?[ \t]*(?:at[ \t]+)?(?:[01]?\d|2[0-3]):?[0-5]\d(?:[ \t]?[ap]\.?m?\.?)?\b"
    r"|[ \t]*[:|\t]|[ \t]*-[ \t]*\d{1,2}/\d{1,2}|[ \t]*(?:at|@)[ \t]|[ \t]{2,}|[ \t]*$|\)|\]|[ \t](?:visit|appt|note|lab|ct|cxr|at|w/|with|dr|called|seen|per)\b)"
)
_SURE = compiled(r"(?:^|[^0-9/.])(\d{1,2})[/-](\d{1,2})(?:([/-])\d{2,4})?(?:[^0-9/]|$)")


def _months(view: View) -> frozenset[int]:
    """The months of the dates in the text that can be nothing else (`n/n/n`, or a number > 12)."""
    known = view.memo.get("months")
    if known is None:
        found: list[int] = []
        for match in _SURE.finditer(view.raw):
            first, second = int(match.group(1)), int(match.group(2))
            if day_month(first, second) and (match.group(3) or max(first, second) > 12):
                found += [first] if first <= 12 else [second]
        known = view.memo["months"] = frozenset(found)
    return known


def _ambiguous(first: int, second: int) -> bool:
    """Pairs that people write as fractions, scores and grades."""
    return (second in (2, 3, 4, 5, 6, 7, 8, 9, 10) and first <= second) or (first, second) == (1, 1)


def month_day(hit: Hit) -> bool:
    """Whether the context says that `n/n` is a date: a word that dates before it, a time after
    it, a zero before a digit, a date of the same month in the same text.

    Where the context says nothing ("proned 16/8", "memory 11/26") the models decide.
    """
    one, two = numbers(hit.value)[-2:]
    first, second = int(one), int(two)
    if not day_month(first, second) or (first, second) == (24, 7) or not alone(hit):
        return False
    before, after = hit.before(40), hit.after(24)
    if _inside_chain(before, after):
        return before[-1:] == "-" and "/" in before[-6:]
    if one[0] == "0" or (two[0] == "0" and len(two) == 2):
        return not _PAGE.search(before)
    if _RANGE_AFTER.match(after) or _CLOCK_AFTER.match(after) or hit.value[0].isalpha():
        return not _PRESSURE.search(before)
    scored = _SCORED.search(before) and not _DATED_TIGHT.search(before)
    if scored or _counted(first, second, after):
        return False
    return _signed(hit, first, second)


def _inside_chain(before: str, after: str) -> bool:
    """The pair is part of something longer ("7.30/58/54", "1:1/2")."""
    clock = before[-1:] == ":" and before[-2:-1].isdigit()
    return before[-1:] in ("/", "$", "-", "+") or clock or after[:1] in ("/", "%")


def _counted(first: int, second: int, after: str) -> bool:
    """What stands behind the pair is counted by it ("1/2 tab", "12/24 fields")."""
    common = _ambiguous(first, second) or second in (12, 15, 18, 20, 24, 30)
    return common and _COUNTED.match(after)


def _signed(hit: Hit, first: int, second: int) -> bool:
    """Whether the context of an ambiguous pair says that it is a date."""
    before, after = hit.before(40), hit.after(24)
    weeks = second == 7 and before[-3:-1].isdigit() and before[-1:] == " "
    if before.rstrip()[-1:] in ("=", "~") or weeks:
        return False
    months = _months(hit.view)
    near = first in months or (first > 2 and not months.isdisjoint((first - 1, first + 1)))
    if _CHAIN.search(before) and near:
        return True
    if second in (5, 10) or first == second or " " in hit.value.strip()[-6:]:
        return _DATED_BEFORE.search(before) or (near and _DATED_AFTER.match(after))
    if near and not (first == 1 and second in (2, 3, 4, 8)):
        return _LOOSE.search(before)
    return _DATED_BEFORE.search(before) or _LISTED.search(before) or _DATED_AFTER.match(after)


_RANGE_AFTER = Context(
    r"(?i)^[ \t]?(?:-|to |thru |through |until )[ \t]?\d{1,2}/\d{1,2}(?:[^/0-9]|$)"
)
_CLOCK_AFTER = Context(r"(?i)^,?[ \t]+(?:at[ \t]+|@[ \t]?)?\d{1,2}:\d\d")
_PRESSURE = Context(
    r"(?i)\b(?:bp|b/p|ta|pa|bi-?pap|cpap|ps|simv|peep|settings|vent settings)[ \t:]*$"
)
_CHAIN = Context(
    r"\d{1,2}/\d{1,2}(?:,|;|[ ]-|-|->|>|)[ \t]+(?:and[ \t]+|&[ \t]*|to[ \t]+|thru[ \t]+|y[ \t]+)?$"
)
_PAGE = Context(r"(?i)\b(?:p|pp|pg|page|sheet)\.?[ \t]*$")
_DATED_TIGHT = Context(r"(?i)\b(?:on|since|until|dated?|seen|adm|due|thru|through)[ \t]+$")
_LOOSE = Context(
    r"(?i)(?:[A-Za-z)\]][.,;:)]{0,2}[ \t\n]{1,3}(?:\(|~)?|^|[\n\t|(\[,;>-][ \t]*|\d[ \t]{2,}|\d[,;.)][ \t]+|[ \t]{2,})$"
)
_DASH_BEFORE = Context(
    r"(?i)(?:\b(?:on|since|until|till?|thru|dated?|seen|adm|dob|appt|due|d/?c|born|starting|doi|lmp|edc|rec'?d|inj|exp|cal|closed|dict|addendum|mailed"
    r"|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|desde|hasta|fecha|visit|signed|opened|completed|photo of|last|next|eff|review|updated|faxed|of|inr \d\.\d on|accident|b|wk of|week of|tx|started?|report|note)\.?[ \t:(]{1,4}"
    r"|\b[DTdt][ \t:.]{1,3}|(?:^|\n)[ \t]*)$"
)
_DASH_UNIT = Context(
    r"(?i)^[ \t]*(?:x\b|times|days?|d\b|weeks?|wks?|hours?|hrs?|h\b|min|months?|mos?\b|years?|y\b|yo|mg|ml|cc|"
    r"l\b|lpm|/|%|cm|mm|packs?|ppd|beers?|drinks?|sem|d[ií]as|horas|meses|tabs?|puffs?|units?|o\b|st\b|"
    r"times|people|steps|feet|ft|lbs?|kg|more|prn|per|of\b|bm|loose|episodes|small|large|cigs?|o'clock|range|pts?|points|\d+ ?(?:mg|ml|%))"
)
_CLOSED = Context(r"^(?:[.,;:)\n]|[ \t]{2,}|\t|[ \t]*$|[ \t]+[A-Za-z(0-9])")


def dash_day(hit: Hit) -> bool:
    """`n-n` is a date after a word that dates, at the start of a line, or beside its like."""
    one, two = numbers(hit.value)[-2:]
    first, second = int(one), int(two)
    before, after = hit.before(30), hit.after(16)
    if not day_month(first, second) or not alone(hit) or _dash_counts(before, after):
        return False
    near = first in _months(hit.view)
    bare = before.rstrip(" \t")
    if not bare or bare[-1] == "\n":
        return after[:1] in (":", "\t", "|", "\n", "") or after[:2] == "  " or second > 12 or near
    if _DASH_BEFORE.search(before):
        return near or second > 12 or one[0] == "0" or not before[-3:].lower().startswith("of")
    return second > 12 and near and _LOOSE.search(before)


def _dash_counts(before: str, after: str) -> bool:
    """A range or a decimal ("3-4 weeks", "days 1-21", "13,5-17")."""
    decimal = before[-1:] in (",", ".") and before[-2:-1].isdigit()
    closed = _CLOSED.match(after) or _SECOND.match(after)
    return decimal or not closed or _DASH_UNIT.match(after) or _RANGED.search(before)


_RANGED = Context(
    r"(?i)\b(?:rms?|rooms?|beds?|days?|cycles?|weeks?|pages?|[a-z]?pap|auto|autopap|weight|mme|photographs|levels?|grades?|ages?|lines?|items?|steps|[cdtls]|mf|active|passive|due|units?)[ \t(]*$"
)
_SECOND = Context(r"^-\d{1,2}\b")


def day_range(hit: Hit) -> bool:
    """The 19 of "6/17-19": a later day of the same month."""
    head = hit.before(12)
    pair = numbers(head)[-2:]
    if len(pair) < 2 or not whole(hit) or hit.after(1) == "/" or hit.before(1) == " ":
        return False
    month, day = int(pair[0]), int(pair[1])
    chained = head.split("/")[0][-3:-2] in ("/", ".") or head.count("/") > 1
    return month <= 12 and day < int(hit.value) <= 31 and not chained and month in _months(hit.view)


def short_year(hit: Hit) -> bool:
    """As in "PAP 11/99": a month and a year that can be no day."""
    month, year = (int(n) for n in numbers(hit.value)[-2:])
    if (
        not (1 <= month <= 12 and year > 31)
        or year in (52, 66)
        or not alone(hit)
        or _COUNTED.match(hit.after(16))
    ):
        return False
    before = hit.before(30)
    if "-" in hit.value:
        return bool(_DASH_BEFORE.search(before) and before[-1:] != "\n" and hit.after(1) != "%")
    return (
        before[-1:] in (" ", "\t", "(", "\n", "")
        and hit.after(1) not in ("%", "/")
        and not _SCORED.search(before)
        and year > 50
        and not _DIGIT_BEFORE.search(before)
    )


_DIGIT_BEFORE = Context(r"[0-9%][ \t,;]*$|(?i:\b(?:on|o2|sat|sats|spo2|rr|hr|map|gas|abg)[ \t:]*$)")


DATES = (
    Pattern("date-month-day", 1, _D, r"(?P<v>" + WEEKDAY_BEFORE + _SLASHED + ")", month_day, ("/",), 0.9),
    Pattern("date-month-year", 1, _D, r"(?P<v>\d{1,2}[/-][3-9]\d)", short_year, ("/", "-"), 0.8),
    Pattern("date-dash", 1, _D, r"\b(?:D|DD|d)[ :.]{1,3}(?P<v1>\d{1,2}[-/]\d{1,2})[ \t]+(?:T|DT|t)[ :.]{1,3}(?P<v2>\d{1,2}[-/]\d{1,2})", lambda h: (whole(h) and h.after(1) not in ("-", "/")) or h.after(2)[1:].isalpha(), ("d",), 0.9),
    Pattern("date-day-range", 1, _D, r"\d{1,2}/\d{1,2}[ \t]?-[ \t]?(?P<v>[12]\d|3[01]|0?[1-9])", day_range, ("/",), 0.8),
    Pattern("date-dash", 1, _D, r"(?P<v>" + WEEKDAY_BEFORE + r"\d{1,2}-\d{1,2})", dash_day, ("-",), 0.8),
)  # fmt: skip
