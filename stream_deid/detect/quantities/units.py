"""Numbers with their unit, points of scores, readings.

measured = n unit | sign n "-" n         "born 1850 g", "HR60-100", "is 94 on RA"
reading  = score n | ("scan was" | ...) n   "bladder scan was 612"
calibre  = n ("F" | "Fr" | "G")             "18G"
litres   = n "L" behind what is breathed    "92 on 2L"
strength = "U-" (100 | 200 | 300 | 500)     "U-500", units of insulin in a millilitre
seconds  = n "s"                            "70 s" is no age
"""

from __future__ import annotations

from stream_deid.detect.patterns.dates.fractions import pointed
from stream_deid.detect.quantities.number import Number, run_around
from stream_deid.labels import NUMBERS, PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.linear import linear

_WORDS = Vocabulary("quantities")
T = PhiType
NUMBERED = frozenset({
    T.DATE, T.AGE, T.IDNUM, T.PHONE, T.FAX, T.LOCATION_OTHER, T.HEALTHPLAN, T.ACCOUNT, T.OTHER,
    T.MEDICALRECORD, T.DEVICE, T.ZIP, T.LICENSE,
})  # fmt: skip
"""The types of what may be a quantity."""
UNSAID = frozenset({T.LOCATION_OTHER, T.IDNUM, T.MEDICALRECORD, T.HOSPITAL, T.ORGANIZATION, T.DATE})
"""What models take figures for that have no label: behind a score they are its points."""
_FORMED = frozenset({T.SSN, T.VEHICLE})
_OBSTETRIC = linear(r"(?i)g\d{1,2}p[\dOo]{4}|(?:[gpacftlmv]\d{1,2}){2,6}")
_GRAVIDA = linear(r"(?i)[gpacflvm]\d{1,2}")
_GRAVIDAS = (
    linear(r"(?i)^,? [gpacflvm]\d{1,2}\b"),
    linear(r"(?i)\b[gpacflvm]\d{1,2},? $"),
)
_INSULIN = linear(r"(?i)u-?(?:40|100|200|300|500)")
_MEASURED = linear(r"(?:\pL{1,4}\d?\.? ?)?\d{1,6}(?:-\d{1,5})?")
_TWO_UNITS = linear(
    r"(?i)(?:[pnmukµ]?c?g|[mnpkµu]?mol|meq|eq|[mku]?[iu]u?|k)/(?:[mdu]?l|kg|g|hr?|min|d|day|dia|m2)[.,;:)]?"
)
_UNIT = linear(rf"^ ?(?:{_WORDS['units']})\b")
_OF_NO_AGE = linear(rf"(?i)^ ?(?:%|(?:{_WORDS['units_alone']})(?:[^\pL]|$))")
"""A unit behind what models take for an age ("91 kg", "92 % RA")."""
_WEIGHED = linear(r"(?i)^ ?(?:lbs?|ozs?|pounds?|libras?)(?:[^\pL]|$)")
_VITAL = linear(rf"(?i)(?:{_WORDS['signs']})\d{{2,3}}[-/]\d{{2,4}}")
_AIR = linear(r"(?i)^ ?(?:%|on (?:ra\b|room air|\d+ ?l\b|nc\b|bipap|cpap|vent))")
_DEGREES = linear(r"(?i)\b(?:t|tmax|temp\w*|fever)\b[^\n]{0,40}$")
_LONGEST_GAP = 12
_NUMBER_BEFORE = linear(r"\d(?:[ \x{a0}\x{202f}]|&#?\w{1,6};)?$")
_UNIT_ALONE = linear(rf"(?i:{_WORDS['units_alone']})|[glu]|{_WORDS['times_alone']}")
_POINTS = 3
_READING = linear(rf"(?i)\b(?:{_WORDS['readings']})[ :=]{{0,2}}(?:(?:was|is|of|de)[ ])?$")
_CALIBRE = linear(r"\d{1,2}(?:\.\d)?(?:F|Fr|G)")
"""Of a catheter or needle, of which a model took the number alone ("6F", "18G")."""
_LITRES = linear(r"\d{1,2}(?:\.\d)?L")
_BREATHED = linear(r"\b[89]\d(?:-(?:[89]\d|100))? ?%? on $")
_SECONDS = linear(r"\d{1,3} s(?:eg)?\.?")


def measured(text: str, vote: Detection) -> bool:
    """Whether a number has a unit behind it, or is the range of a vital sign, whatever stands
    before it: "Rx 50000 IU", "born 1850 g", "HR60-100", "is 94 on RA".
    """
    if vote.type not in NUMBERED and vote.type not in _FORMED:
        return False
    value, after = text[vote.start : vote.end], text[vote.end : vote.end + 20]
    if vote.type is T.AGE:
        hot = after[:2].upper() == " F" and _DEGREES.search(
            text[max(0, vote.start - 48) : vote.start]
        )
        return _AIR.match(after) is not None or bool(hot)
    if _VITAL.fullmatch(value) or _OBSTETRIC.fullmatch(value):
        return True
    if vote.type is T.DATE and _WEIGHED.match(after) and value.count("/") > 1:
        return True  # weights that are lifted ("8/10/12 lb")
    return _UNIT.match(after) is not None and _MEASURED.fullmatch(value) is not None


def is_unit(text: str, start: int, end: int) -> bool:
    """Whether a unit, or a part of one of two, stands right behind its number ("5&nbsp;mg", the
    "pg" and the "mL" of "20250 pg/mL").
    """
    run = run_around(text, start, end)
    if run is not None and _TWO_UNITS.fullmatch(run[2]) is not None:
        start = run[0]
    elif _UNIT_ALONE.fullmatch(text[start:end]) is None:
        return False
    return _NUMBER_BEFORE.search(text[max(0, start - _LONGEST_GAP) : start]) is not None


def read_off(number: Number) -> bool:
    """Whether a number is somebody's reading, the points of a score, or a measure of a thing."""
    kind = number.phi_type
    if kind is T.AGE and (_SECONDS.fullmatch(number.value) or _OF_NO_AGE.match(number.rest)):
        return True
    strength = _INSULIN.fullmatch(number.bare) is not None
    obstetric = kind in UNSAID | NUMBERS and _OBSTETRIC.fullmatch(number.core) is not None
    if obstetric or (kind in UNSAID and strength):
        return True
    if kind in UNSAID and _GRAVIDA.fullmatch(number.bare):
        behind, ahead = _GRAVIDAS[0].match(number.rest), _GRAVIDAS[1].search(number.before)
        if behind is not None or ahead is not None:
            return True
    if kind is T.LOCATION_OTHER and number.is_figure and _CALIBRE.fullmatch(number.run):
        return True
    return _points(number) or _litres(number)


def _points(number: Number) -> bool:
    if not number.is_figure or len(number.value) > _POINTS or number.phi_type not in UNSAID:
        return False
    return pointed(number.before) or _READING.search(number.before) is not None


def _litres(number: Number) -> bool:
    if number.phi_type not in (T.LOCATION_OTHER, T.IDNUM):
        return False
    return _LITRES.fullmatch(number.bare) is not None and bool(_BREATHED.search(number.before))
