"""Numbers that mean something clinical, and public ones: where a model or a pattern without a label
takes one for an identifier, it is let go.

Never against a labelled pattern (but where a unit stands behind the number), a known value of the
record or a structured field. The grammars stand in the files of this room, by what surrounds the
number on its line. Digits that were scanned as letters ("8/1O", "l6O/12.5") are read as digits.
"""

from __future__ import annotations

from stream_deid.detect.patterns import is_pattern
from stream_deid.detect.patterns.dates import rated
from stream_deid.detect.patterns.dates.told import is_told
from stream_deid.detect.quantities import (
    ages,
    anatomy,
    chains,
    codes,
    dated_values,
    money,
    pairs,
    ranges,
    schedules,
    spoken,
    units,
)
from stream_deid.detect.quantities.number import on_its_line
from stream_deid.detect.quantities.numbered_parts import is_numbered_part
from stream_deid.detect.quantities.public_lines import lettered, public
from stream_deid.detect.quantities.scanned import as_digits
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.note import Detection
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear
from stream_deid.text.memo import remembered
from stream_deid.text.readings import in_entity

T = PhiType
_LINE = 90
_TIMED = linear(r"\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d{2}[ T]+\d{1,2}:\d\d")
_DASHED, _DECIMALS = linear(r"\d{1,2}-\d{1,2}-\d{2}"), linear(r"^,\d(?:\D|$)")
_ROMAN, _IN_A_ROW = linear(r"\d{1,2} [IVX]{1,4} \d{2}"), linear(r"(?:^|[^\d])\d{1,2} $")
_BARE = frozenset(
    {"date-month-day", "date-ocr", "phone", "telefono", "long-number", "numero-suelto"}
)
"""The patterns that look at the form of a number alone."""
_OF_A_CODE = frozenset({"codigo", "code"})
"""Those that look at the form of a code alone, with letters in it."""
_LONG_LINE = 6
_DIAL = frozenset({T.PHONE, T.FAX, T.IDNUM, T.HEALTHPLAN})


def founded(text: str, detection: Detection) -> bool:
    """Whether a vote has a reason: all but those of patterns for what means something else."""
    if is_pattern(detection.detector) and (
        units.measured(text, detection)
        or _timed(text, detection)
        or in_entity(text, detection.start, detection.end)
        or _public_line(text, detection)
        or _after_a_point(text, detection)
        or _among_numbers(text, detection)
    ):
        return False
    name = detection.detector.partition("@")[0]
    if name not in _BARE and name not in _OF_A_CODE:
        return True
    return not harmless(text, detection.start, detection.end, detection.type)


def _after_a_point(text: str, vote: Detection) -> bool:
    """Whether a day with a month in words begins behind a decimal comma ("0,8. OCT")."""
    start = vote.start
    lettered = vote.type is T.DATE and any(map(str.isalpha, text[start : vote.end]))
    return lettered and start > 1 and text[start - 1] == "," and text[start - 2].isdecimal()


def _among_numbers(text: str, vote: Detection) -> bool:
    """Whether a date in figures goes on behind a decimal comma ("BT 14-12-10,9"), or one with its
    month in Roman figures stands in a row of numbers ("18 17 16 I 19 15").
    """
    if vote.type is not T.DATE:
        return False
    if _DASHED.fullmatch(text[vote.start : vote.end]):
        return _DECIMALS.match(text[vote.end : vote.end + 3]) is not None
    spaced = _ROMAN.fullmatch(text[vote.start : vote.end]) is not None
    return spaced and _IN_A_ROW.search(text[max(0, vote.start - 4) : vote.start]) is not None


def _public_line(text: str, vote: Detection) -> bool:
    """Whether a number is a public telephone line, whatever label stands before it."""
    digits = sum(map(str.isdecimal, text[vote.start : vote.end]))
    return digits >= _LONG_LINE and vote.type in _DIAL and public(text, vote.start, vote.end)


def _timed(text: str, vote: Detection) -> bool:
    """Whether a telephone number is a date and the hour of the clock behind it."""
    if vote.type not in (T.PHONE, T.FAX):
        return False
    return _TIMED.match(text[vote.start : vote.end + 3]) is not None


def harmless(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span of `phi_type` is a clinical quantity, a public number or a code, of
    the clinic or of the markup around. Dates are read with figures for letters that a scan made.
    """
    if phi_type is T.DATE and chains.is_acuity(text, start, end):
        return True
    read = as_digits(text, start, end) if phi_type is T.DATE else None
    return _harmless(*(read or (text, start, end)), phi_type)


def _harmless(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    if in_entity(text, start, end):
        return True
    if phi_type in PERSONS:
        return (
            schedules.in_a_week(text, start, end)
            or units.is_unit(text, start, end)
            or lettered(text, start, end)
        )
    value = text[start:end]
    if (
        spoken.is_a_dose(text, start, end)
        or (phi_type is T.DATE and ages.is_gestation(text, start, end))
        or dated_values.within_a_time(text, start, end)
    ):
        return True
    if phi_type not in units.NUMBERED and not (value.isdecimal() and phi_type in ORGANIZATIONS):
        return False
    if phi_type is T.DATE and any(map(str.isalpha, value)):
        # else a month or weekday stands with it
        return (
            schedules.recurs(value)
            or spoken.is_a_value(text, start, end)
            or schedules.is_relative(value)
            or schedules.scheduled(text, start, end)
            or schedules.in_a_week(text, start, end)
        )
    return _is_quantity(text, start, end, phi_type)


@remembered
def _is_quantity(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    number = on_its_line(text, start, end, phi_type)
    if number is None or (phi_type is T.DATE and is_told(text, start, end)):
        return False
    date = phi_type is T.DATE
    return (
        (date and rated.is_score(text, start, end))
        or (date and dated_values.is_found_on_a_day(text, start, end))
        or public(text, start, end)
        or schedules.is_time(number)
        or pairs.counts_something(number)
        or anatomy.of_the_body(number)
        or ranges.is_range(number)
        or chains.is_chain(number)
        or chains.no_date(number)
        or codes.coded(number.core, number.before, phi_type)
        or codes.held(number.bare, number.before, phi_type)
        or (not date and money.is_money(number))
        or units.read_off(number)
        or ages.of_a_patient(number)
        or (date and pairs.half_of_one(number))
        or (date and schedules.scheduled(text, start, end))
        or (date and is_numbered_part(text, start, end))
    )


def dated(text: str, start: int, end: int) -> bool:
    """Whether a word of dates stands before a span, or one of meeting behind it."""
    before = folded(text[max(0, start - _LINE) : start].rpartition("\n")[2])
    after = folded(text[end : end + 12])
    return bool(pairs.DATED.search(before) or pairs.WITH.match(after))
