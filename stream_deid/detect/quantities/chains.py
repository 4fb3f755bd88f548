"""Numbers in a row with strokes, points or lines between them.

chain    = n "/" n "/" n ...   no date where a part is 0, too large, or the year has one digit; a
                       telephone's groups of figures are none
signed   = n "/" n "/-" n      dilatation, effacement, station ("4/80/-1"); gases ("7.28/60/-/28")
ratio    = n "." n "/" n | n "/" n "." n | n "/" nnn   no date: decimals ("8/8.4"), "50/1000"
teeth    = "#" n "-" n                                "#12-14 FPD"
acid     = "pH" n "." n ["/" n "." n]                "Cord pH 7.24/7.31"
ratios   = n "/" n "-" n "/" n "-" n "/" n             "1/10-1/12-1/9"
montage  = "EEG" "10-20"                               the places of its electrodes
field    = ("HVF" | ...) ("24-2" | "10-2" | ...)     the programme of a perimeter
acuity   = ("20" | "6") "/" n ("OD" | "OS" | "OU")     "20/40OD20/25OS"
         | ("OD" | "OS" | "OU") ("20" | "6") "/" n     "OD 20/30-2"
skeleton = ">" n "/" n "<"                           "7.2>10.1/31.4<233"
waves    = ("DU" | "UC" ...) n "/10/" n                "DU 2/10/30": of so many seconds
span     = score n "-" n "/" n                      "RPE 11-13/20", "pain 4-6/10"
curve    = ("OGTT" | "curva" | ...) nn "-" nn ...          "SOG 92-181-154-110", three and more
picture  = "(" n "/" nn ")," "(" n "/" nn ")"          "nodule (5/88), (5/91)": series and image
probing  = n "/" n "/" n "//" ...                    "PSR 3/2/3//3/2/4"
"""

from __future__ import annotations

from stream_deid.detect.patterns.contact.telephones import dialled
from stream_deid.detect.patterns.dates.fractions import scored
from stream_deid.detect.quantities.number import Number
from stream_deid.detect.quantities.pairs import DATED, no_day
from stream_deid.detect.quantities.ranges import no_range_of_days
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import day_month
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear
from stream_deid.text.years import IN_FIGURES

_CHAIN = linear(r"\d{1,3}[+-]?(?:/\d{1,3}[+-]?)+|\d{1,3}(?:-\d{1,3})+")
_SIGNED = linear(
    r"\d{1,3}(?:\.\d{1,2})?(?:/-?\d{0,3}){0,2}/[+-]\d?(?:/\d{0,3})?|\d{1,2}\.\d{1,2}(?:/\d{1,3}){2,3}"
)
_RATIO = linear(
    r"\d{1,4}\.\d{1,3}/\d{1,3}\.\d{1,3}|\d{1,3}/\d{1,2}\.\d|\d{3}/\d{1,2}\.\d{1,2}|\d{1,3}\.\d/\d{1,3}"
)
_STRENGTH = linear(r"(\d{1,4})/(\d{3,4})")
_COMMAS = linear(r"(?:^|[^\d/.,-])\d+,$"), linear(r"^,\d+(?:$|[^\d/,-])")
_NUMBER = linear(r"\d+")
_ACID = linear(r"[67]\.\d{1,2}(?:/[67]\.\d{1,2})?(?:/\d{1,3}(?:\.\d)?){0,4}")
_ACID_BEFORE = linear(r"(?i)\bp\.?h\b[ :=a-z]{0,12}$")
_PROGRAMME = linear(r"(?:10|24|30)-2|60-4")
_FIELD_BEFORE = linear(
    rf"(?i)\b(?:{Vocabulary('quantities')['fields']})[ :,(]{{1,3}}(?:o[dsiu] )?$"
)
_MONTAGE = linear(r"10-(?:10|20)")
_EEG_BEFORE = linear(r"(?i)\b(?:v?eeg|montage|montaje|system|sistema)[ :,(]{1,3}$")
_NEARBY = 32
_WAVES = linear(r"[0-7]/10/[3-9][05]")
_WAVES_BEFORE = linear(rf"(?i)\b(?:{Vocabulary('notations')['contractions']})[ :=]{{0,3}}$")
_RATIOS = linear(r"\d{1,3}/\d{1,3}(?:-\d{1,3}/\d{1,3}){2,4}")
_SPAN = linear(r"\d{1,2}-\d{1,2}/\d{1,3}")
_SIGHT = linear(
    r"(?i)\b(?:(?:20|6)/\d{1,3}(?:[+-]\d)?o[dsu])+|\bo[dsu] (?:20|6)/\d{1,3}(?:[+-]\d)?\b"
)
_LONGEST_SIGHT = 24
_CURVE = linear(r"\d{2,3}(?:[-/]\d{2,3}){2,5}")
_CURVE_BEFORE = linear(rf"(?i)\b(?:{Vocabulary('notations')['curves']})[ :=,]{{1,3}}$")
_PICTURE = linear(r"\d{1,2}/(?:3[2-9]|[4-9]\d|\d{3})")
_PICTURE_BEFORE = linear(r"\(\d{1,2}/\d{1,3}\)[ ,;y]{0,3}(?:and )?\($")
_PICTURE_AFTER = linear(r"^\)[ ,;y]{0,3}(?:and )?\(\d{1,2}/\d{1,3}\)")
_PROBING = linear(r"\d(?:/\d)+//\d(?:/\d)+")


def is_chain(number: Number) -> bool:
    """Whether numbers in a row are results, whatever was taken of them."""
    run, before = number.bare, number.before
    return (
        (_ACID.fullmatch(run) is not None and _ACID_BEFORE.search(before) is not None)
        or _PROBING.fullmatch(run) is not None
        or _RATIOS.fullmatch(run) is not None
        or (_CURVE.fullmatch(run) is not None and _CURVE_BEFORE.search(before) is not None)
        or (before[-1:] == ">" and number.rest[:1] == "<")
    )


def is_acuity(text: str, start: int, end: int) -> bool:
    """Whether a span lies in what eyes see, their letters without a blank ("20/40OD20/25OS")."""
    low = max(0, start - _LONGEST_SIGHT)
    return any(
        low + found.start() <= start and end <= low + found.end()
        for found in _SIGHT.finditer(text[low : end + _LONGEST_SIGHT])
    )


def is_programme(text: str, start: int, end: int) -> bool:
    """Whether a pair is the programme of a perimeter ("CV 24-2") or of electrodes ("EEG 10-20")."""
    before = folded(text[max(0, start - _NEARBY) : start])
    if _MONTAGE.fullmatch(text[start:end]):
        return _EEG_BEFORE.search(before) is not None
    if not _PROGRAMME.fullmatch(text[start:end]):
        return False
    return _FIELD_BEFORE.search(before) is not None


def no_date(number: Number) -> bool:
    """Whether numbers in a row can't be a date, or aren't one by what stands around them."""
    run, before = number.core, number.before
    counted = before[-1:] == "#" or _is_ratio(run, before, number.after)
    waves = _WAVES.fullmatch(run) is not None and _WAVES_BEFORE.search(before) is not None
    span = _SPAN.fullmatch(run) is not None and scored(before)
    picture = _PICTURE.fullmatch(run) is not None and _is_picture(before, number.after)
    if number.phi_type is PhiType.DATE and (counted or waves or span or picture):
        return True
    if number.phi_type not in (PhiType.DATE, PhiType.IDNUM, PhiType.PHONE):
        return False
    if _SIGNED.fullmatch(run) or no_range_of_days(run):
        return True
    if not _CHAIN.fullmatch(run) or dialled(run.split("-"), before[-40:]):
        return False
    numbers = [int(n) for n in _NUMBER.findall(run)]
    if len(numbers) == 2:
        padded = run[0] != "0" and "/0" in run and day_month(*numbers) and scored(before)
        return "/" in run and not padded and no_day(numbers[0], numbers[1], before, number.after)
    year = _NUMBER.findall(run)[-1]
    return len(numbers) > 3 or 0 in numbers[:2] or len(year) == 1 or not day_month(*numbers[:2])


def _is_picture(before: str, after: str) -> bool:
    """Whether series and image stand in brackets beside further ones."""
    row = _PICTURE_BEFORE.search(before) or (before[-1:] == "(" and _PICTURE_AFTER.match(after))
    return bool(row)


def _is_ratio(run: str, before: str, after: str) -> bool:
    """Decimals of which one is in the other, points or commas on both sides; a strength."""
    if DATED.search(before):
        return False
    if _RATIO.fullmatch(run) or (_COMMAS[0].search(before) and _COMMAS[1].match(after)):
        return True
    strength = _STRENGTH.fullmatch(run)
    return strength is not None and not (int(strength[1]) <= 12 and int(strength[2]) in IN_FIGURES)
