"""Notations that a whole line explains: settings, murmurs, complete counts, spans of time, gases.

setting  = ("SBT" | "PS" | ...) "on" n "/" n      "SBT on 5/5 for 30 min"
         | "Hz" n "/" n                            "NMES 50 Hz 10/30", on and off
murmur   = n "/6" [kind] ("PSM" | "apical" | ...)  "1/6 apical PSM", "1/6 -> 3/6 apical"
complete = word "(" n "/" n ")" | things n "/" n   "intact (4/4)", "slides 12/12"
lasting  = n "-" n unit                            "TAT 10-14 d", "10-15 dB"
goal     = ("goal" | "range" | ...) n "-" n | n "-" n "goal"   "tacrolimus 9.8 (goal 10-12)"
air      = n "-" n behind a saturation's word | litres behind one      "90-91 (base 93-94 on 2L)"
hold     = "on" (a section's number)               "on 5150"
result   = "|" n "-" n "|" on a line of HL7        "OBX|2|NM|HGB||7.9|g/dL|12-16|L"
week     = letters of three days and more, in order "1/2 tab M W F"
"""

from __future__ import annotations

import re2

from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("notations")
T = PhiType
_PAIR = re2.compile(r"(\d{1,2})/(\d{1,2})")
_SETTING = re2.compile(rf"(?i)\b(?:(?:{_WORDS['ventilated']})[ ]on|hz)[ :,]{{1,2}}$")
_GRADES = 6
_MURMUR = re2.compile(
    rf"(?i)^ ?(?:(?:->|→|to|a) ?\d/6 )?(?:(?:{_WORDS['sounding']}) ){{0,3}}"
    rf"(?:{_WORDS['murmurs']})(?:\b|$)"
)
_COMPLETE = re2.compile(rf"(?i)\b(?:(?:{_WORDS['complete']}) ?\(|(?:{_WORDS['pieces']}) )$")
_RANGE = re2.compile(r"\d{1,3}(?:\.\d{1,2})?-\d{1,3}(?:\.\d{1,2})?")
_LASTS = re2.compile(rf"^ ?(?:{_WORDS['lasting_units']})(?:\b|$)")
_DATED = re2.compile(rf"(?i)\b(?:{_WORDS['dated']})[ :]*$")
_GOAL = re2.compile(rf"(?i)\b(?:{_WORDS['goals']})[ :=(]{{0,3}}(?:of |is |de |es )?$")
_GOAL_AFTER = re2.compile(rf"(?i)^ ?\(?(?:{_WORDS['goals']})\b")
_SATURATED = re2.compile(r"[89]\d-(?:[89]\d|100)")
_OF_AIR = re2.compile(rf"(?i)\b(?:{_WORDS['of_air']})\b[^.;\n]{{0,20}}$")
_LITRES = re2.compile(r"\d{1,2}(?:\.\d)?L")
_BREATHED = re2.compile(r"\b[89]\d(?:-(?:[89]\d|100))? ?%? on $")
_HOLD = re2.compile(r"(?:5150|5250|5585|5260|5350)")
_HELD = re2.compile(r"(?i)\b(?:on|under|hold|placed on|a)(?: an?)?:? $")
_RESULT = re2.compile(r"^OB[RX]\|\d")
_WEEK = ("M", "T", "Tu", "W", "R", "Th", "F", "Sa", "Su")
_DAY = rf"(?:{'|'.join(_WEEK)})"
_DAYS = re2.compile(rf"\b{_DAY}(?:[ ,]{{1,2}}{_DAY}){{2,6}}\b")
_SEVEN = 24
"""Characters of a week's letters."""
_NUMBERS = frozenset({T.DATE, T.AGE, T.LOCATION_OTHER, T.IDNUM, T.OTHER, T.PHONE})


def explained(run: str, before: str, after: str, phi_type: PhiType) -> bool:
    """Whether the unbroken `run`, which models or the form alone take for an identifier of
    `phi_type`, is one of these; `before` and `after`: the rest of its line.
    """
    if phi_type not in _NUMBERS:
        return False
    pair = _PAIR.fullmatch(run)
    if pair is not None:
        return phi_type is T.DATE and _paired(int(pair[1]), int(pair[2]), before, after)
    if _RANGE.fullmatch(run):
        return _ranged(run, before, after, phi_type)
    if phi_type in (T.LOCATION_OTHER, T.IDNUM):
        litres = _LITRES.fullmatch(run) is not None and _BREATHED.search(before) is not None
        held = _HOLD.fullmatch(run) is not None and _HELD.search(before) is not None
        return litres or held
    return False


def in_a_week(text: str, start: int, end: int) -> bool:
    """Whether letters that models take for initials are days of the week in their order."""
    if end - start > _SEVEN:
        return False
    first = max(0, start - _SEVEN)
    for found in _DAYS.finditer(text[first : end + _SEVEN]):
        if found.start() <= start - first and end - first <= found.end():
            days = [_WEEK.index(day) for day in found[0].replace(",", " ").split()]
            return days == sorted(set(days))
    return False


def _paired(first: int, second: int, before: str, after: str) -> bool:
    if _SETTING.search(before):
        return True
    if first <= second == _GRADES and _MURMUR.match(after):
        return True
    return first == second > 1 and _COMPLETE.search(before) is not None


def _ranged(run: str, before: str, after: str, phi_type: PhiType) -> bool:
    if before[-1:] == after[:1] == "|" and _RESULT.match(before):
        return True
    if (_LASTS.match(after) or _GOAL.search(before) or _GOAL_AFTER.match(after)) and not (
        _DATED.search(before)
    ):
        return True
    air = _SATURATED.fullmatch(run) is not None and _OF_AIR.search(before) is not None
    return air and phi_type is not T.PHONE
