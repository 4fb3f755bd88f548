"""Parts of the body by their numbers, what grows in them, and what is put into them.

tooth     = ("seat" | "tooth" ...) "#" n              "seat #14"
          | ("endo" | "pieza" ...) two figures of ISO 3950  "Endo 11"
          | two such figures, behind no label, on a line that names work on teeth  "36 obt. OD"
teeth     = ("caries" | ...) n "/" n "," n "/" n      "caries on 2/15, 12/13"
ordinal   = n ("st" | "nd" | "rd" | "th") anatomy     "5th MT base"
follicles = (side | "follicles") n "/" n ...          "R: 12/9/8" where the line names follicles
isotope   = element "-" n ["m"]                       "Tc-99m"
jaeger    = "J" n ("OU" | "OD" | ...)                 "J3 OU"
          | acuity ... "J" n                          "AV 20/30; J5 de cerca"
"""

from __future__ import annotations

from stream_deid.detect.quantities.number import NOTED, PAIR, Number
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_WORDS = Vocabulary("notations")
_DATE_WORDS = Vocabulary("dates")
T = PhiType
_PLACES = frozenset({T.LOCATION_OTHER, T.IDNUM, T.DEVICE, T.DATE})
_LINE, _WIDE = 60, 90
_TOOTH = linear(rf"(?i)\b(?:{_WORDS['dental']})\b[^\d\n]{{0,12}}#$")
_FDI_RUN = linear(r"[1-8][1-8](?:-[1-8][1-8])?")
_TOOTH_NAMED = linear(
    rf"(?i)\b(?:{_WORDS['dental_es']})\.?[ :]{{1,2}}(?:[1-8][1-8](?:,|[ ]y)[ ])*$"
)
_TEETH = 32
_TEETH_BEFORE = linear(
    rf"(?i)\b(?:{_WORDS['teeth']})(?: (?:on|at|of|in|en|teeth|tooth|piezas?))?[ :#]{{1,3}}"
    r"((?:#?\d{1,2}(?:/\d{1,2})?(?:, ?| and | y | & ))*)#?$"
)
_NEXT_TEETH = linear(r"^(?:, ?| and | y | & )#?\d{1,2}/\d{1,2}(?:[^/\d]|$)")
_ISOTOPE = linear(r"(?:Tc|Ga|In|Lu|Ra|Rb|Xe|Tl|Sm|Sr|Cr)-?\d{2,3}m?|F-?18|I-?1\d\d|Y-?90|P-?32")
_JAEGER = linear(r"J\d{1,2}[+-]?")
_EYE = linear(r"^ ?(?:OU|OD|OS|AO|OI|near|cerca)\b")
_ORDINAL = linear(r"^\d{1,2}(?:st|nd|rd|th) ?")
_ANATOMY = linear(rf"(?i)^ ?(?:{_WORDS['anatomy']})\b")
_SIZES = linear(r"\d{1,2}(?:\.\d)?(?:/\d{1,2}(?:\.\d)?){1,9}")
_FOLLICLES = linear(rf"(?i)\b(?:{_DATE_WORDS['follicles']})\b")
_ACUITY = linear(rf"(?i)\b(?:{_WORDS['near_vision']})\b[^\n]{{0,40}}$")
_TEETH_WORK = linear(rf"(?i)\b(?:{_WORDS['teeth_work']})\b")
_FDI_ALONE = linear(r"(?:^|[ ,(-])[1-8][1-8](?:[ ,;:.)-]|$)")
_LABELLED = linear(
    r"(?i)(?:[#:]|\b(?:"
    rf"{_WORDS['numbered']}|{_WORDS['seats']}|no|n[.]?[º°]))[ .:]{{0,2}}$"
)
_SIDE = linear(
    rf"(?i)\b(?:{_DATE_WORDS['follicles']}|[rlid]|rt|lt|right|left|o[di]|dcho|izq\w*|derech[oa])"
    r"(?: ?(?:ov(?:ary|ario)?|follic\w+|folicul\w+))?(?: ?(?:of|de|:|=|x ?\d+|,|\())* ?"
    r"(?:\d{1,2}(?:\.\d)?(?:/\d{1,2}(?:\.\d)?)+(?:, ?| and | y | & ))*$"
)


def of_the_body(number: Number) -> bool:
    """Whether a number names a part of the body, or what was counted or measured in one."""
    named = number.phi_type in _PLACES and _named(number)
    return named or _of_follicles(number) or _of_teeth(number)


def _named(number: Number) -> bool:
    """A tooth, an isotope, a line of small print, a bone by its number."""
    value, run, before = number.value, number.bare, number.before
    if run.isdecimal() and 1 <= int(run) <= _TEETH and _TOOTH.search(before):
        return True
    if _FDI_RUN.fullmatch(run) and (_TOOTH_NAMED.search(before) or _on_a_line_of_teeth(number)):
        return True
    ordinal = _ORDINAL.match(value)
    jaeger = _JAEGER.match(value)
    return bool(
        _ISOTOPE.fullmatch(run)
        or (jaeger and _EYE.match(value[jaeger.end() :] + number.rest))
        or (jaeger and len(value) == jaeger.end() and _ACUITY.search(before))
        or (ordinal and _ANATOMY.match(value[ordinal.end() :] + number.rest))
    )


def _on_a_line_of_teeth(number: Number) -> bool:
    """Whether the line names what is done to teeth, by words that say nothing else, and another
    tooth; a chair or a room by its number stands behind its label.
    """
    line = f"{number.before} | {number.rest}"
    worked = _TEETH_WORK.search(line) is not None and _LABELLED.search(number.before) is None
    return worked and len(_FDI_ALONE.findall(line)) > 0


def _of_follicles(number: Number) -> bool:
    """Sizes or numbers of follicles side by side: on a line that names them, right behind their
    word, a side or further sizes.
    """
    before = number.before
    if not _SIZES.fullmatch(number.bare):
        return False
    if not _FOLLICLES.search(f"{before[-_WIDE:]} | {number.rest[:_LINE]}"):
        return False
    return _SIDE.search(before) is not None and NOTED.search(before) is None


def _of_teeth(number: Number) -> bool:
    """Teeth by their numbers, side by side ("caries on 2/15, 12/13"): two pairs at least, right
    behind what was found of teeth.
    """
    pair = PAIR.fullmatch(number.bare)
    if pair is None or max(int(pair[1]), int(pair[2])) > _TEETH:
        return False
    row = _TEETH_BEFORE.search(number.before)
    return row is not None and (bool(row[1]) or _NEXT_TEETH.match(number.rest) is not None)
