"""Two numbers with a line between them: goals, spans of time, saturations, reference ranges.

lasting  = n "-" n unit                        "TAT 10-14 d", "10-15 dB"
counted  = n "-" n ("/" | "per") field         "WBC 10-20/hpf"
goal     = ("goal" | "range" | ...) n "-" n | n "-" n "goal"   "tacrolimus 9.8 (goal 10-12)"
normal   = (result [unit] | sign) n "-" n      "Hb 10,2 g/dL 12-16", "RR 12-16"
air      = n "-" n behind a saturation's word | litres behind one      "90-91 (base 93-94 on 2L)"
result   = "|" n "-" n "|" on a line of HL7    "OBX|2|NM|HGB||7.9|g/dL|12-16|L"
column   = unit "|" n "-" n                    "B12 | 312 | pg/ml | 187-883"
centiles = "p" n "-" n                         "talla p25-50"
decimals = n "." n "-" n "." n                 "0.27-4.20"
compared = ("mes pasado" | "last month" | ...) n    "PHQ 14, el mes pasado 19"
"""

from __future__ import annotations

from stream_deid.detect.patterns.dates.fractions import of_values
from stream_deid.detect.quantities.number import NOTED, Number
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_WORDS = Vocabulary("notations")
T = PhiType
_RANGE = linear(r"\d{1,3}(?:\.\d{1,2})?-\d{1,3}(?:\.\d{1,2})?")
_ENDS = linear(r"(\d{1,3})-(\d{1,3})")
_LASTS = linear(rf"^ ?(?:{_WORDS['lasting_units']})(?:\b|$)")
_GOAL = linear(rf"(?i)\b(?:{_WORDS['goals']})[ :=(]{{0,3}}(?:of |is |de |es )?$")
_GOAL_AFTER = linear(rf"(?i)^ ?\(?(?:{_WORDS['goals']})\b")
_SATURATED = linear(r"[89]\d-(?:[89]\d|100)")
_OF_AIR = linear(rf"(?i)\b(?:{_WORDS['of_air']})\b[^.;\n]{{0,20}}$")
_COUNTED = linear(rf"(?i)\d{{1,4}}-\d{{1,4}} ?(?:/|per |por ) ?(?:{_WORDS['per']})(?:[^\pL\d]|$)")
_RESULT = linear(r"^OB[RX]\|\d")
_DECIMALS = linear(r"(\d{1,4})\.(\d{1,3})-(\d{1,4})\.(\d{1,3})")
_COMPARED = linear(
    rf"(?i)\b(?:{Vocabulary('quantities')['compared']})[ :=,]{{1,2}}(?:era |fue |was )?$"
)
_UNITS = Vocabulary("dates")["result_units"]
_OF_UNIT = linear(rf"(?i)(?:^|[|;\t ])(?:{_UNITS})[ \t]*[|;\t][ \t|]*$")
"""A unit's column before a range ("312 | pg/ml | 187-883")."""
_CENTILES = linear(r"[pP](?:3|5|10|15|25|50|75|85|90|95)-(?:5|10|15|25|50|75|85|90|95|97|99)")
_KINDS = frozenset({T.DATE, T.AGE, T.LOCATION_OTHER, T.IDNUM, T.OTHER, T.PHONE})


def is_range(number: Number) -> bool:
    """Whether a run is a clinical range."""
    run, before, after = number.bare, number.before, number.rest
    compared = run.isdecimal() and number.phi_type is T.DATE and _COMPARED.search(before)
    if compared or (number.phi_type in _KINDS and _COUNTED.match(run + after)):
        return True
    if number.phi_type not in _KINDS or not _RANGE.fullmatch(run):
        return number.phi_type is T.IDNUM and _CENTILES.fullmatch(run) is not None
    if _in_a_column(run, before, after):
        return True
    if (_LASTS.match(after) or _GOAL.search(before) or _GOAL_AFTER.match(after)) and not (
        NOTED.search(before)
    ):
        return True
    ends = _ENDS.fullmatch(run)
    if ends is not None and of_values(int(ends[1]), int(ends[2]), before):
        return True
    air = _SATURATED.fullmatch(run) is not None and _OF_AIR.search(before) is not None
    return air and number.phi_type is not T.PHONE


def _in_a_column(run: str, before: str, after: str) -> bool:
    """Whether a range stands in the column of a result of HL7, or behind that of its unit."""
    if before[-1:] == after[:1] == "|" and _RESULT.match(before):
        return True
    return _ENDS.fullmatch(run) is not None and _OF_UNIT.search(before) is not None


def no_range_of_days(run: str) -> bool:
    """`0.27-4.20`, `3.5-5.1`: two decimals, not both a day and a month with their zeros."""
    found = _DECIMALS.fullmatch(run)
    return found is not None and not all(len(part) == 2 for part in found.groups())
