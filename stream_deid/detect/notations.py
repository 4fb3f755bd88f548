"""Numbers whose own notation, or the word beside them, says that they are clinical: where only a
model or the bare form takes one for an identifier, it is let go.

every     = "c/" n | n "/" ("d" | "h" | "sem")      "90 c/12", "TBQ 20/d"
          | "q" n ["-" n] ["/" n]                     "q6-12/12"
gestation = weeks "+" days                            "eco 12+3"
acid      = "pH" n "." n ["/" n "." n]                "Cord pH 7.24/7.31"
skeleton  = ">" n "/" n "<"                           "7.2>10.1/31.4<233"
probing   = n "/" n "/" n "//" ...                    "PSR 3/2/3//3/2/4"
course    = ("POD" | "cycle" | "semana") n ["/" n]    "POD 5", "wk 9/24"
part      = ("boost" | "jaula" | ...) n "/" n         "boost 9/5"
given     = n "/" n ("given" | "puestas")             "hep B 2/3 given"
because   = word "2/2" word                           "ESRD 2/2 IgAN"
tablets   = part "-" part "-" part ["-" part]         "Sinemet 1/2-0-1/2", "Sintrom (3/4-1/2)"
          | part weekday, twice behind a dose in mg    "4 mg: 3/4 lunes, 1/2 martes"
receptor  = ("ER" | "PR") n "/8", where the line names a second marker   "ER 8/8, PR 7/8"
months    = ("en" | "for" | "treated" ...) n "/12"    "vuelve en 3/12"
tooth     = ("seat" | "tooth" ...) "#" n              "seat #14"
          | ("endo" | "pieza" ...) two figures of ISO 3950  "Endo 11"
isotope   = element "-" n ["m"]                       "Tc-99m"
jaeger    = "J" n ("OU" | "OD" | ...)                 "J3 OU"
ordinal   = n ("st" | "nd" | "rd" | "th") anatomy     "5th MT base"
follicles = (side | "follicles") n "/" n ...          "R: 12/9/8" where the line names follicles
teeth     = ("caries" | ...) n "/" n "," n "/" n   "caries on 2/15, 12/13"
scar      = "VSS" n "/13", where the line names a scar
lasting   = ("LOS" | "for" | ...) n "d"               "LOS 5d"
seconds   = n "s"                                     "70 s" is no age
"""

from __future__ import annotations

import re2

from stream_deid.labels import PhiType
from stream_deid.lists.calendar import WRITTEN_WEEKDAYS
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("notations")
T = PhiType

EVERY = re2.compile(
    r"(?i)c/ ?\d{1,2}(?:-\d{1,2})?(?:/12)?h?"
    r"|q ?\d{1,2}(?:-\d{1,2})?(?:/\d{1,2})?(?:h|hrs?|d|wks?|mos?)?"
    r"|\d{1,3}/(?:d|dia|day|h|hr|sem|wk|w|mes|mo)"
)
_GESTATION = re2.compile(r"\d{1,2}\+[0-6]")
_ACID = re2.compile(r"[67]\.\d{1,2}(?:/[67]\.\d{1,2})?(?:/\d{1,3}(?:\.\d)?){0,4}")
_ACID_BEFORE = re2.compile(r"(?i)\bp\.?h\b[ :=a-z]{0,12}$")
_PROBING = re2.compile(r"\d(?:/\d)+//\d(?:/\d)+")
_PAIR = re2.compile(r"(\d{1,3})/(\d{1,3})")
_COURSE = re2.compile(rf"(?i)\b(?:{_WORDS['course']})[ .:#]{{0,2}}$")
_COURSE_VALUE = re2.compile(r"\d{1,3}(?:[/-]\d{1,2})?")
_PART = re2.compile(rf"(?i)\b(?:{_WORDS['part']})[ :]{{0,2}}$")
_GIVEN = re2.compile(rf"(?i)^ (?:{_WORDS['given']})\b")
_MOST_DOSES = 6
_ALLRED = 8
_RECEPTOR = re2.compile(
    rf"(?i)\b(?:{_WORDS['receptors']})(?: ?(?:[+-]|pos\w*|neg\w*))?[ :=(]{{0,3}}$"
)
_DATE_WORDS = Vocabulary("dates")
_SIZES = re2.compile(r"\d{1,2}(?:\.\d)?(?:/\d{1,2}(?:\.\d)?){1,9}")
_FOLLICLES = re2.compile(rf"(?i)\b(?:{_DATE_WORDS['follicles']})\b")
_SIDE = re2.compile(
    rf"(?i)\b(?:{_DATE_WORDS['follicles']}|[rlid]|rt|lt|right|left|o[di]|dcho|izq\w*|derech[oa])"
    r"(?: ?(?:ov(?:ary|ario)?|follic\w+|folicul\w+))?(?: ?(?:of|de|:|=|x ?\d+|,|\())* ?"
    r"(?:\d{1,2}(?:\.\d)?(?:/\d{1,2}(?:\.\d)?)+(?:, ?| and | y | & ))*$"
)
_SCAR = 13
_VSS = re2.compile(r"(?i)\b(?:vss|vancouver(?: scar(?: scale)?)?)[ :=]*$")
_SCARS = re2.compile(rf"(?i)\b(?:{_DATE_WORDS['scars']})\b")
_WIDE = 90
_GOING = re2.compile(rf"(?i)\b(?:{_WORDS['going']}) ?$")
_MARKERS = re2.compile(rf"(?i)\b(?:{_WORDS['markers']})\b")
_WORD_BEFORE = re2.compile(r"\pL ?$")
_DATED = re2.compile(rf"(?i)\b(?:{_WORDS['dated']})[ :]*$")
_CAUSE = re2.compile(r"^ (?:\pL{2,}|in (?:19|20)\d\d)")
_CLOCK = re2.compile(r"^,? (?:at |@ ?)?\d{1,2}(?::[0-5]\d|[ap]m?\b)")
_PART_OF_ONE = r"(?:1/2|1/3|2/3|1/4|3/4)"
_TAKEN = rf"(?:\d|{_PART_OF_ONE})"
_TAKEN_BEFORE = re2.compile(rf"(?:{_TAKEN} ?- ?)*$")
_TAKEN_AFTER = re2.compile(rf"^(?: ?- ?{_TAKEN})*")
_TABLETS = re2.compile(rf"{_TAKEN}(?: ?- ?{_TAKEN}){{2,3}}|{_PART_OF_ONE} ?- ?{_PART_OF_ONE}")
_DOSE = re2.compile(rf"(?i)\d ?mg\b|\b(?:{_WORDS['dosed']})\b")
WEEKDAY = rf"(?:{WRITTEN_WEEKDAYS['en']}|{WRITTEN_WEEKDAYS['es']}|{_WORDS['other_weekdays']})s?\.?"
"""A day of the week in a schedule, folded."""
_DAY = re2.compile(rf"(?i){WEEKDAY}")
_DAYS_IN_A_ROW = re2.compile(
    rf"(?i)\b{WEEKDAY}(?:(?:[ ,/&+-]|and|y|e){{1,5}}{WEEKDAY}){{2,}}"
    rf"|\b{WEEKDAY}(?: ?[,/&+] ?| and | y | e ){WEEKDAY}"
)
_PART_BY_DAY = re2.compile(rf"(?i){_PART_OF_ONE} (?:los )?{WEEKDAY}\b")
_MONTHS = re2.compile(rf"(?i)\b(?:{_WORDS['months']})(?: \pL+)? $")
_TOOTH = re2.compile(rf"(?i)\b(?:{_WORDS['dental']})\b[^\d\n]{{0,12}}#$")
_FDI = re2.compile(r"[1-8][1-8]")
_TOOTH_NAMED = re2.compile(
    rf"(?i)\b(?:{_WORDS['dental_es']})\.?[ :]{{1,2}}(?:[1-8][1-8](?:,|[ ]y)[ ])*$"
)
_ISOTOPE = re2.compile(
    r"(?:Tc|Ga|In|Lu|Ra|Rb|Xe|Tl|Sm|Sr|Cr)-?\d{2,3}m?|F-?18|I-?1\d\d|Y-?90|P-?32"
)
_JAEGER = re2.compile(r"J\d{1,2}[+-]?")
_EYE = re2.compile(r"^ ?(?:OU|OD|OS|AO|OI|near|cerca)\b")
_ORDINAL = re2.compile(r"^\d{1,2}(?:st|nd|rd|th) ?")
_ANATOMY = re2.compile(rf"(?i)^ ?(?:{_WORDS['anatomy']})\b")
_LASTING = re2.compile(r"(?i)\d{1,3}(?:d|h|wks?|mos?)")
_LASTING_BEFORE = re2.compile(
    r"(?i)\b(?:los|estancia|stay|duration|duracion|for|por|durante|x)[ :=]{0,3}$"
)
_SECONDS = re2.compile(r"\d{1,3} s(?:eg)?\.?")
_LINE = 60
_PLACES = frozenset({T.LOCATION_OTHER, T.IDNUM, T.DEVICE, T.DATE})


def in_a_row(line: str, start: int, end: int) -> bool:
    """Whether `[start, end)` of a folded line is one day of the week in a row of them: "vancomycin
    Monday Wednesday Friday" is a schedule, and another day in it another one.
    """
    return _DAY.fullmatch(line[start:end]) is not None and any(
        row.start() <= start < row.end() for row in _DAYS_IN_A_ROW.finditer(line)
    )


def noted(value: str, run: str, before: str, after: str, phi_type: PhiType) -> bool:
    """Whether a span `value` of a number's type, part of the unbroken `run`, is clinical.

    `before` and `after`: the rest of the line around the run.
    """
    bare = run.rstrip(".'")
    run, after = bare, run[len(bare) :] + after
    if phi_type is T.AGE and _SECONDS.fullmatch(value):
        return True
    if phi_type in _PLACES and _named(value, run, before, after):
        return True
    return (
        EVERY.fullmatch(run) is not None
        or _GESTATION.fullmatch(run) is not None
        or (_ACID.fullmatch(run) is not None and _ACID_BEFORE.search(before) is not None)
        or _PROBING.fullmatch(run) is not None
        or (before[-1:] == ">" and after[:1] == "<")
        or (_COURSE_VALUE.fullmatch(run) is not None and _COURSE.search(before) is not None)
        or _counted(run, before, after)
        or _of_follicles(run, before, after)
        or _of_teeth(run, before, after)
        or _tablets(run, before, after)
        or (_LASTING.fullmatch(run) is not None and _LASTING_BEFORE.search(before) is not None)
    )


def _tablets(run: str, before: str, after: str) -> bool:
    """Parts of tablets over a day, or by day of the week behind a dose."""
    run = run.strip("()")
    if "/" not in run:
        return False
    whole = _TAKEN_BEFORE.search(before)[0] + run + _TAKEN_AFTER.match(after)[0]
    dosed = _DOSE.search(before) is not None
    if _TABLETS.fullmatch(whole) and (dosed or len(whole.split("-")) > 2):
        return True
    by_day = _PART_BY_DAY.findall(before[-_LINE:] + run + after)
    return dosed and len(by_day) > 1 and _PART_BY_DAY.match(run + after) is not None


def _named(value: str, run: str, before: str, after: str) -> bool:
    """A tooth, an isotope, a line of small print, a bone by its number."""
    if run.isdecimal() and 1 <= int(run) <= 32 and _TOOTH.search(before):
        return True
    if _FDI.fullmatch(run) and _TOOTH_NAMED.search(before):
        return True
    ordinal = _ORDINAL.match(value)
    jaeger = _JAEGER.match(value)
    return bool(
        _ISOTOPE.fullmatch(run)
        or (jaeger and _EYE.match(value[jaeger.end() :] + after))
        or (ordinal and _ANATOMY.match(value[ordinal.end() :] + after))
    )


def _counted(run: str, before: str, after: str) -> bool:
    """A pair that is a share of something, "secondary to", or months as the British write them."""
    pair = _PAIR.fullmatch(run)
    if pair is None or _DATED.search(before) or _CLOCK.match(after):
        return False
    first, second = int(pair[1]), int(pair[2])
    if _PART.search(before) or (first <= second == _ALLRED and _of_a_receptor(before, after)):
        return True
    if first <= second <= _MOST_DOSES and _GIVEN.match(after):
        return True
    because = first == second == 2 and _WORD_BEFORE.search(before) and _CAUSE.match(after)
    scar = (
        second == _SCAR and _VSS.search(before) and _SCARS.search(before[-_LINE:] + after[:_LINE])
    )
    return bool(because or scar or (second == 12 and _MONTHS.search(before)))


def _of_follicles(run: str, before: str, after: str) -> bool:
    """Sizes or numbers of follicles side by side: on a line that names them, right behind their
    word, a side or further sizes.
    """
    if not _SIZES.fullmatch(run) or not _FOLLICLES.search(f"{before[-_WIDE:]} | {after[:_LINE]}"):
        return False
    return _SIDE.search(before) is not None and _DATED.search(before) is None


def _of_teeth(run: str, before: str, after: str) -> bool:
    """Teeth by their numbers, side by side ("caries on 2/15, 12/13"): two pairs at least, right
    behind what was found of teeth.
    """
    pair = _PAIR.fullmatch(run)
    if pair is None or max(int(pair[1]), int(pair[2])) > _TEETH:
        return False
    row = _TEETH_BEFORE.search(before)
    return row is not None and (bool(row[1]) or _NEXT_TEETH.match(after) is not None)


_TEETH = 32
_TEETH_BEFORE = re2.compile(
    rf"(?i)\b(?:{_WORDS['teeth']})(?: (?:on|at|of|in|en|teeth|tooth|piezas?))?[ :#]{{1,3}}"
    r"((?:#?\d{1,2}(?:/\d{1,2})?(?:, ?| and | y | & ))*)#?$"
)
_NEXT_TEETH = re2.compile(r"^(?:, ?| and | y | & )#?\d{1,2}/\d{1,2}(?:[^/\d]|$)")


def _of_a_receptor(before: str, after: str) -> bool:
    """Whether a hormone receptor is scored (Allred, of eight): "ER 8/8" alone may be an emergency
    room on a day, so another marker must stand on the line.
    """
    found = _RECEPTOR.search(before)
    if found is None or _GOING.search(before[: found.start()]):
        return False
    return _MARKERS.search(f"{before[-_LINE : found.start()]} | {after[:_LINE]}") is not None
