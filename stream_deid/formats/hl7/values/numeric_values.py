"""Numbers that measure nothing: what OBX-5 of a numeric type holds where it is no value.

A count has a unit (OBX-6) or few digits or is round; a telephone number, the seconds of a clock and
a person's number are long, exact and without one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from stream_deid.formats.hl7.er7.syntax import Hl7Message
from stream_deid.formats.hl7.values import timestamps
from stream_deid.formats.short_values import counts_days
from stream_deid.labels import PhiType
from stream_deid.text.days import is_stamp

_NUMERIC = frozenset({"NM", "SN", "SI", "NR", "CP", "MO", "CQ"})  # table 0125
_VALUE = re.compile(r"(OBX\[\d+\]-5)(?!\d)")
_NUMBER = re.compile(r"[+-]?\d{1,17}(?:\.\d{0,9})?")
_WHOLE = re.compile(r"[+-]?(\d{9,17})(?:[.,]\d{0,9})?")
_ROUND, _VERY_ROUND = "000", "00000"
_NANP = re.compile(r"[2-9]\d{2}[2-9]\d{6}")  # area and exchange, of North America
_TIMES = frozenset({"s", "sec", "ms", "msec"})
_EPOCHS = ((631_152_000, 2_240_524_800), (631_152_000_000, 2_240_524_800_000))
"""1990 to 2040 in seconds and milliseconds."""


def no_measure(text: str, unit: str) -> PhiType | None:
    """What a number is that measures nothing in its unit; None for one that may be a value."""
    found = _WHOLE.fullmatch(text.strip())
    if found is None:
        return None
    digits = found[1]
    if unit:
        clock = unit.casefold() in _TIMES and _is_epoch(int(digits))
        return PhiType.IDNUM if clock else None
    if digits.endswith(_VERY_ROUND if _is_epoch(int(digits)) else _ROUND):
        return None
    return PhiType.PHONE if is_telephone(digits) else PhiType.IDNUM


def is_moment(text: str, unit: str) -> bool:
    """Whether a value in its unit (none: empty) is the seconds of a clock since 1970."""
    found = _WHOLE.fullmatch(text.strip())
    if found is None or (unit and unit.casefold() not in _TIMES):
        return False
    return _is_epoch(int(found[1])) and not found[1].endswith(_VERY_ROUND)


def is_number(text: str) -> bool:
    """Whether a value is a plain number."""
    return _NUMBER.fullmatch(text.strip()) is not None


def lone(text: str) -> PhiType | None:
    """What a short value says alone, whatever stands around it: a date, a telephone number."""
    value = text.strip()
    found = timestamps.dtm(value)
    if found is not None and is_stamp(value) and not timestamps.is_none(found):
        return PhiType.DATE
    return PhiType.PHONE if is_telephone(value) else None


def is_telephone(digits: str) -> bool:
    """Whether ten digits have the form of a North American telephone number."""
    return _NANP.fullmatch(digits) is not None


def units(message: Hl7Message) -> Mapping[str, str]:
    """The code of the unit (OBX-6) of every numeric OBX-5, by path; empty where there is none."""
    found: dict[str, str] = {}
    for segment in message.segments:
        if segment.name == "OBX":
            kind, unit = (
                message.text[slice(*place)].strip() if (place := segment.at(number)) else ""
                for number in (2, 6)
            )
            if kind in _NUMERIC:
                code = unit.split(message.delimiters.component)[0].strip()
                found[f"OBX[{segment.number}]-5"] = code
    return found


def counted_days(message: Hl7Message) -> frozenset[str]:
    """The path of every OBX-5 whose test (OBX-3) asks for a day as machines count it."""
    return frozenset(
        f"OBX[{segment.number}]-5"
        for segment in message.segments
        if segment.name == "OBX"
        and (place := segment.at(3))
        and counts_days(message.text[slice(*place)])
    )


def value_of(path: str) -> str:
    """The path of the OBX-5 that a leaf belongs to, or the empty string."""
    found = _VALUE.match(path)
    return found[1] if found else ""


def _is_epoch(number: int) -> bool:
    return any(first <= number < last for first, last in _EPOCHS)
