"""Places on the earth's grid, down to a kilometre and less.

decimal  = ["-"] nn.nnnn "," ["-"] nnn.nnnn                     "42.3601, -71.0589"
         | ["-"] nn.nnn "," "-" nnn.nnn                         "46.786, -92.100"
labelled = "lat" nn.nn "lon" nnn.nn | "GPS" nn.n "," nnn.n      "latitude: 46.79", "geo:46.78,-92.1"
degrees  = dd mm [ss] [NS] "," ddd mm [ss] [EW]                 "46 47 12 N, 92 06 02 W", "464712N"
utm      = zone easting northing                                "15T 567890 5182345"
mgrs     = zone square easting-and-northing                     "15T WM 6789 8234"
plus     = [4 signs] 4 signs "+" 2 or 3 signs                   "86R8QXGV+X6" (Open Location Code)
words    = "///" word "." word "." word                         "///filled.count.soap"
geohash  = "geohash" signs                                      "geohash 9zvxqr4t"
"""

from __future__ import annotations

import re

from stream_deid.detect.patterns.base import Context, Hit, Pattern, in_decimals, whole
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import SHORT_MONTHS
from stream_deid.lists.field_labels import is_label

_T = PhiType.LOCATION_OTHER
_DECIMAL = re.compile(r"\d{1,3}\.\d{1,8}")
_NUMBERS = re.compile(r"\d+")
_CUE = r"(?i:gps|coord(?:inate|enada)?s?|lat(?:itude?)?[ ]?[,/][ ]?(?:lon|lng)g?(?:itude?)?|geo)"
_PLACED = r"(?i)\b(?:mgrs|usng|grid|gps|coord\w*)\b[^\n]{0,16}$"


def coordinates(hit: Hit) -> bool:
    """Degrees of latitude and longitude, to ten metres or less."""
    found = [abs(float(part)) for part in _DECIMAL.findall(hit.value)]
    values = max(found) < 1  # p-values, optical densities
    return (
        whole(hit)
        and hit.before(1) not in (".", "-")
        and found[0] <= 90
        and found[1] <= 180
        and not values
    )


def degrees(hit: Hit) -> bool:
    """Degrees, minutes and seconds that a latitude and a longitude can have."""
    numbers = [int(n) for n in _NUMBERS.findall(hit.value.split(".")[0])]
    return whole(hit) and numbers[0] <= 90 and all(n < 60 for n in numbers[1:2])


def grid(hit: Hit) -> bool:
    """A square and two numbers of one length in it; a short one needs a word before it. No day and
    hour ("15JUN2025 09"), no bed and the label of a number ("318-2 NHC 448 201").
    """
    letters = "".join(filter(str.isalpha, hit.value))
    if letters.lower() in _MONTHS or (letters in hit.value and is_label(letters)):
        return False
    digits = "".join(_NUMBERS.findall(hit.value)[1:])
    known = len(digits) >= 6 or _GRID_BEFORE.search(hit.before(24))
    if in_decimals(hit):
        return False
    return whole(hit) and len(digits) % 2 == 0 and bool(known) and _zone(hit)


def utm(hit: Hit) -> bool:
    return whole(hit) and _zone(hit)


def _zone(hit: Hit) -> bool:
    return 1 <= int(_NUMBERS.findall(hit.value)[0]) <= 60


def plus_code(hit: Hit) -> bool:
    """A figure and a letter are in it; without either it is a word, a sum or a list of tests."""
    letters = sum(c.isalpha() for c in hit.value)
    digits = sum(c.isdecimal() for c in hit.value)
    return whole(hit) and bool(letters and digits) and hit.before(1) not in ("+", "/", "-")


_GRID_BEFORE = Context(_PLACED)
_MONTHS = frozenset(SHORT_MONTHS["en"])
_SIGNED = r"\d{1,3}[ ]?o[ ]?\d{1,2}(?:\.\d+)?[ ]?'[ ]?(?:\d{1,2}(?:\.\d+)?[ ]?(?:\"|''))?"
_BARE = r"\d{1,3}[ :d-]{1,2}\d{2}(?:[ :m'-]{1,2}\d{1,2})?(?:\.\d+)?(?:[ ]?[sm'\"]{1,2})?"
_AND = r"[ ]?[,;/]?[ ]?"
_PLUS = "[23456789CFGHJMPQRVWX]"

COORDINATES = (
    Pattern(
        "coordinates", 1, _T,
        r"(?P<v>-?\d{1,2}\.\d{4,8}[ \t]?o?[ \t]?[NS]?[ \t]?[,;/ ][ \t]?-?\d{1,3}\.\d{4,8}"
        r"(?:[ \t]?o?[ \t]?[EWO]\b)?)",
        coordinates,
    ),
    Pattern(
        "coordinates", 1, _T,
        r"(?P<v>-?\d{2}\.\d{3,8}[ \t]?(?:[,;/][ \t]?-\d{1,3}|[ \t]-\d{2,3})\.\d{3,8})",
        coordinates,
    ),
    Pattern(
        "coordinates", 1, _T,
        rf"\b{_CUE}[ .:=(]{{1,4}}(?P<v>-?\d{{1,2}}\.\d{{1,8}}[ ]?o?[ ]?[NS]?{_AND}"
        r"-?\d{1,3}\.\d{1,8}(?:[ ]?o?[ ]?[EWO]\b)?)",
        coordinates,
    ),
    Pattern(
        "coordinates", 1, _T,
        rf"(?P<v>{_SIGNED}[ ]?[NS]{_AND}{_SIGNED}[ ]?[EWO])\b",
        whole,
    ),
    Pattern(
        "coordinates", 1, _T,
        r"(?P<v>\d{1,3}[ ]?o[ ]?\d{1,2}[ ]?'[ ]?\d{1,2}(?:\.\d+)?[ ]?(?:\"|'')[ ]?[NSEWO])\b",
        whole,
    ),
    Pattern("coordinates", 1, _T, rf"(?P<v>{_BARE}[ ]?[NS]{_AND}{_BARE}[ ]?[EWO])\b", degrees),
    Pattern("coordinates", 1, _T, rf"(?P<v>[NS][ ]?{_BARE}{_AND}[EWO][ ]?{_BARE})\b", degrees),
    Pattern("coordinates", 1, _T, r"(?P<v>\d{6}(?:\.\d+)?[NS][ ,/]?[01]\d{6}(?:\.\d+)?[EWO])"),
    Pattern(
        "coordinates", 1, _T,
        r"(?P<v>[NS][ ]?\d{1,2}\.\d{3,8}[ ,;]{1,2}[EWO][ ]?\d{1,3}\.\d{3,8})",
        whole,
    ),
    Pattern(
        "coordinates", 1, _T,
        r"(?i)\blat(?:itude?)?[ .:=]{1,3}(?P<v1>-?\d{1,2}[.,]\d{1,8})[ ,;\n]{1,3}"
        r"(?:lon|long|lng|longitude?)[ .:=]{1,3}(?P<v2>-?\d{1,3}[.,]\d{1,8})",
        whole, ("lat",),
    ),
    Pattern(
        "coordinates", 1, _T,
        r"(?i)\b(?:(?:latitude?|longitude)[ .:=]{1,3}(?P<v1>-?\d{1,3}[.,]\d{2,8})"
        r"|longitud[ .:=]{1,3}(?P<v2>-\d{1,3}[.,]\d{3,8}))",
        whole, ("latitud", "longitud"),
    ),
    Pattern(
        "utm", 1, _T,
        r"(?P<v>\d{1,2}[ ]?[C-HJ-NP-X][ ,]{1,2}\d{6}(?:\.\d+)?[ ]?(?:m?E)?[ ,]{1,2}\d{7}"
        r"(?:\.\d+)?(?:[ ]?m?N)?)",
        utm,
    ),
    Pattern(
        "mgrs", 1, _T,
        r"(?P<v>\d{1,2}[ ]?[C-HJ-NP-X][ ]?[A-HJ-NP-Z]{2}[ ]?\d{2,5}[ ]?\d{2,5})",
        grid,
    ),
    Pattern(
        "plus-code", 1, _T,
        rf"(?P<v>(?:{_PLUS}{{4}})?{_PLUS}{{4}}\+{_PLUS}{{2,3}})",
        plus_code, ("+",),
    ),
    Pattern(
        "place-words", 1, _T,
        r"(?P<v>///[A-Za-z]{3,}\.[A-Za-z]{3,}\.[A-Za-z]{3,})",
        whole, ("///",),
    ),
    Pattern(
        "place-words", 1, _T,
        r"(?i)\b(?:what[ ]?3[ ]?words|w3w|what[ ]three[ ]words)(?:[ ](?:is|are|at))?[ :=]{1,3}"
        r"(?P<v>[a-z]{3,}\.[a-z]{3,}\.[a-z]{3,})",
        whole, ("w3w", "words"),
    ),
    Pattern(
        "geohash", 1, _T, r"(?i)\bgeohash[ :=#]{1,3}(?P<v>[0-9b-hjkmnp-z]{5,12})", whole,
        ("geohash",),
    ),
)  # fmt: skip
