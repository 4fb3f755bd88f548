"""Numbers that mean something clinical, and public ones: where a model or a pattern without a label
takes one for an identifier, it is let go.

Never against a labelled pattern (but where a unit stands behind the number), a known value of the
record or a structured field. Grammar, by what surrounds the number on its line:

half     = n of n "/" m   no date where a model is sure of one number only and no word of a date
                       stands before (of 10 such halves in unseen notes 9 were scores and doses)
pair     = n "/" m     no date, if neither month/day, day/month nor month/year can be read;
                       a score, a count, a setting (`patterns.dates_fractions`), or one with the
                       denominator of a score before it; acuity; months and weeks (UK: 6/12, 2/52)
ratio    = n "." n "/" n | n "/" n "." n | n "/" nnn   no date: decimals ("8/8.4"), "50/1000"
chain    = n "/" n "/" n ...   no date where a part is 0, too large, or the year has one digit; a
                       telephone's groups of figures are none
code     = system ":" code     SNOMED CT, LOINC, CPT, HCPCS, ICD, ATC, RxNorm, NDC, OID, NCT
public   = emergency and crisis lines
weekdays = "M-W-F", "T/Th", "L-X-V"
schedule = "Mon Wed Fri", "lunes 3/4, martes 1/2, jueves 3/4" (a part of a tablet on two days)

Digits that were scanned as letters ("8/1O", "l6O/12.5") are read as digits.
"""

from __future__ import annotations

import re2

from stream_deid.detect.notations import EVERY, WEEKDAY, in_a_row, noted
from stream_deid.detect.notations_more import explained, in_a_week
from stream_deid.detect.patterns import is_pattern
from stream_deid.detect.patterns.contact import dialled
from stream_deid.detect.patterns.dates_fractions import counted, pointed, scored, sold
from stream_deid.detect.patterns.dates_pairs import ends_range
from stream_deid.detect.public_lines import public
from stream_deid.detect.scanned import as_digits
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.days import day_month
from stream_deid.text.folding import folded
from stream_deid.text.readings import in_entity

_WORDS = Vocabulary("quantities")
T = PhiType
_LINE = 90
_NUMBERED = frozenset({
    T.DATE, T.AGE, T.IDNUM, T.PHONE, T.FAX, T.LOCATION_OTHER, T.HEALTHPLAN, T.ACCOUNT, T.OTHER,
    T.MEDICALRECORD, T.DEVICE, T.ZIP, T.LICENSE,
})  # fmt: skip
_FORMED = frozenset({T.SSN, T.VEHICLE})
_RUN = re2.compile(r"[\pL\d/+'.-]*")
_RUN_BEFORE = re2.compile(r"[\pL\d/+'.-]*$")
_CHAIN = re2.compile(r"\d{1,3}[+-]?(?:/\d{1,3}[+-]?)+|\d{1,3}(?:-\d{1,3})+")
_SIGNED = re2.compile(
    r"\d{1,3}(?:\.\d{1,2})?(?:/-?\d{0,3}){0,2}/[+-]\d?(?:/\d{0,3})?|\d{1,2}\.\d{1,2}(?:/\d{1,3}){2,3}"
)
"""Dilatation, effacement, station (`4/80/-1`); blood gases (`7.28/60/-/28`)."""
_DECIMALS = re2.compile(r"(\d{1,4})\.(\d{1,3})-(\d{1,4})\.(\d{1,3})")
_RATIO = re2.compile(
    r"\d{1,4}\.\d{1,3}/\d{1,3}\.\d{1,3}|\d{1,3}/\d{1,2}\.\d|\d{3}/\d{1,2}\.\d{1,2}|\d{1,3}\.\d/\d{1,3}"
)
_STRENGTH = re2.compile(r"(\d{1,4})/(\d{3,4})")
_YEARS = range(1900, 2100)
_COMMAS = re2.compile(r"(?:^|[^\d/.,-])\d+,$"), re2.compile(r"^,\d+(?:$|[^\d/,-])")
_TIMED = re2.compile(r"\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d{2}[ T]+\d{1,2}:\d\d")
_OBSTETRIC = re2.compile(r"(?i)g\d{1,2}p[\dOo]{4}|(?:[gpacftlmv]\d{1,2}){2,6}")
_NUMBER = re2.compile(r"\d+")
_PAIR = re2.compile(r"(\d{1,2})[+-]?/(\d{1,2}(?:\.\d)?)")
_PAIRS = re2.compile(r"(\d{1,2})[+-]?/(\d{1,2})\b")
_DONE = re2.compile(rf"(?i)\b(?:{_WORDS['done']})[ :]*$|\d ?= ?$")
_DATED = re2.compile(rf"(?i)\b(?:{_WORDS['dated']}) ?:? ?$")
_WITH = re2.compile(r"(?i)^ ?(?:@|w/|with\b|dr\b|con\b|by\b|por\b)")
_WITH_ITEM = re2.compile(r"(?i)^ ?(?:w/|with|con) (?:item|cues?|aid|fade|help|ayuda|pistas)")
_TIMES = re2.compile(rf"(?i)^ ?(?:(?:{_WORDS['times']})\b|\(?\d{{1,3}} ?%)")
_ACUITY = re2.compile(rf"(?i)\b(?:{_WORDS['acuity']})\b")
_FEET = frozenset({6, 20})
_ROWS = frozenset({4, 5, 6, 9, 10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 50, 60, 70, 80})
_WEEKS_AHEAD = re2.compile(
    rf"(?i)\b(?:{_WORDS['ahead']})[^.;\n]{{0,14}}?\b(?:in|x|for|every|over)? ?$"
)
_SYSTEM = re2.compile(rf"(?i)\b(?:{_WORDS['systems']})\b[^\n]*$")
_CODE = re2.compile(r"(?i)[a-z]{0,2}\d[\d.-]*[a-z]{0,2}\d{0,4}|nct ?\d{8}|[a-z]\d\d[a-z]{2}\d{0,2}")
_TRIAL = re2.compile(r"(?i)nct ?0\d{7}|ens[tgp]\d{11}|rs\d{5,10}")
_VOCABULARY = re2.compile(rf"(?i)\b(?:{_WORDS['vocabularies']})[ :]{{0,2}}$")
_LETTER = rf"(?:{_WORDS['day_letters']})"
_WEEKDAYS = re2.compile(rf"(?i){_LETTER}(?:[-/,]{_LETTER})+")
_DAYS_ALONE = re2.compile(rf"(?i){WEEKDAY}(?:(?:[ ,/&+-]|and|y|e){{1,5}}{WEEKDAY})+")
_PART_A_DAY = re2.compile(rf"(?i)\b{WEEKDAY}[ :]{{1,2}}(1/2|1/4|3/4)\b")
"""Without a dose before it (else `notations`): thirds would be dates of January and February."""
_FOR_DAYS = re2.compile(
    r"(?i)(?:\bx|×|durante|por|cada|c/|hace|en|dentro de|for|every|q"
    r"|\b(?:cuadro|evolucion|historia|clinica|fiebre|tos|dolor) de) ?$"
)
_BARE = frozenset(
    {"date-month-day", "date-ocr", "phone", "telefono", "long-number", "numero-suelto"}
)
"""The patterns that look at the form of a number alone."""


_MEASURED = re2.compile(r"(?:\pL{1,4}\d?\.? ?)?\d{1,6}(?:-\d{1,5})?")
_UNIT = re2.compile(rf"^ ?(?:{_WORDS['units']})\b")
_VITAL = re2.compile(rf"(?i)(?:{_WORDS['signs']})\d{{2,3}}[-/]\d{{2,4}}")
_AIR = re2.compile(r"(?i)^ ?(?:%|on (?:ra\b|room air|\d+ ?l\b|nc\b|bipap|cpap|vent))")
_DEGREES = re2.compile(r"(?i)\b(?:t|tmax|temp\w*|fever)\b[^\n]{0,40}$")

_LONGEST = 120
"""A run that goes on for longer beside a span is no quantity."""


def founded(text: str, detection: Detection) -> bool:
    """Whether a vote has a reason: all but those of patterns for what means something else."""
    if is_pattern(detection.detector) and (
        measured(text, detection)
        or _timed(text, detection)
        or in_entity(text, detection.start, detection.end)
        or _public_line(text, detection)
    ):
        return False
    if detection.detector.partition("@")[0] not in _BARE:
        return True
    return not harmless(text, detection.start, detection.end, detection.type)


def _public_line(text: str, vote: Detection) -> bool:
    """Whether a number is a public telephone line, whatever label stands before it."""
    digits = sum(map(str.isdecimal, text[vote.start : vote.end]))
    return digits >= _LONG_LINE and vote.type in _DIAL and public(text, vote.start, vote.end)


_LONG_LINE = 6
_DIAL = frozenset({T.PHONE, T.FAX, T.IDNUM, T.HEALTHPLAN})


def _timed(text: str, vote: Detection) -> bool:
    """Whether a telephone number is a date and the hour of the clock behind it."""
    if vote.type not in (T.PHONE, T.FAX):
        return False
    return _TIMED.match(text[vote.start : vote.end + 3]) is not None


def measured(text: str, vote: Detection) -> bool:
    """Whether a number has a unit behind it, or is the range of a vital sign, whatever stands
    before it: "Rx 50000 IU", "born 1850 g", "HR60-100", "is 94 on RA".
    """
    if vote.type not in _NUMBERED and vote.type not in _FORMED:
        return False
    value, after = text[vote.start : vote.end], text[vote.end : vote.end + 20]
    if vote.type is T.AGE:
        hot = after[:2].upper() == " F" and _DEGREES.search(
            text[max(0, vote.start - 48) : vote.start]
        )
        return _AIR.match(after) is not None or bool(hot)
    if _VITAL.fullmatch(value) or _OBSTETRIC.fullmatch(value):
        return True
    return _UNIT.match(after) is not None and _MEASURED.fullmatch(value) is not None


def harmless(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span of `phi_type` is a clinical quantity, a public number or a code, of
    the clinic or of the markup around. Dates are read with figures for letters that a scan made.
    """
    read = as_digits(text, start, end) if phi_type is T.DATE else None
    return _harmless(*(read or (text, start, end)), phi_type)


def _harmless(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    if in_entity(text, start, end):
        return True
    if phi_type in PERSONS:
        whole = _run(text, start, end)
        weekdays = whole is not None and _WEEKDAYS.fullmatch(folded(whole[2])) is not None
        return weekdays or in_a_week(text, start, end) or _is_unit(text, start, end)
    figure = text[start:end].isdecimal()
    if phi_type not in _NUMBERED and not (figure and phi_type in ORGANIZATIONS):
        return False
    if phi_type is T.DATE and any(c.isalpha() for c in text[start:end]):
        recurs = EVERY.fullmatch(text[start:end]) is not None
        return recurs or _scheduled(text, start, end)  # else a month or weekday stands with it
    found = _run(text, start, end)
    if found is None:
        return False
    first, last, run = found
    page = _PAGE.match(run)
    if page is not None and first + page.end() <= start:
        first, run = first + page.end(), run[page.end() :]
    bare = run.rstrip(".'")
    before = folded(text[max(0, first - _LINE) : first].rpartition("\n")[2])
    after = folded(text[last : last + _LINE].partition("\n")[0])
    return (
        public(text, start, end)
        or noted(text[start:end], bare, before, run[len(bare) :] + after, phi_type)
        or explained(bare, before, run[len(bare) :] + after, phi_type)
        or (phi_type is T.DATE and _scheduled(text, start, end))
        or (phi_type is T.DATE and _is_ratio(run.strip(".'"), before, after))
        or (phi_type is T.DATE and _half(start - first, end - first, run, before))
        or (phi_type in (T.DATE, T.IDNUM, T.PHONE) and _no_date(run.strip(".'"), before, after))
        or (phi_type is not T.DATE and _coded(run.strip(".'"), before))
        or (phi_type is T.AGE and _FOR_DAYS.search(before) is not None)
        or (figure and end - start <= _POINTS and _read_off(before, phi_type))
        or (phi_type in _UNSAID and _OBSTETRIC.fullmatch(run) is not None)
        or (phi_type is T.LOCATION_OTHER and figure and _CALIBRE.fullmatch(run) is not None)
        or (phi_type in _UNSAID and _DAY_OF_STAY.fullmatch(bare) is not None)
    )


def _is_unit(text: str, start: int, end: int) -> bool:
    """Whether a unit stands right behind its number ("5&nbsp;mg")."""
    measured = _NUMBER_BEFORE.search(text[max(0, start - _LONGEST_GAP) : start])
    return measured is not None and _UNIT_ALONE.fullmatch(text[start:end]) is not None


_PAGE = re2.compile(r"(?i)(?:pp?|pgs?|pags?)\.")
_CALIBRE = re2.compile(r"\d{1,2}(?:\.\d)?(?:F|Fr|G)")
"""Of a catheter or needle, of which a model took the number alone ("6F", "18G")."""
_DAY_OF_STAY = re2.compile(r"(?i:pod|dol|hod|dpo|pnd)[ #]?\d{1,3}")
_POINTS = 3
_UNSAID = frozenset(
    {T.LOCATION_OTHER, T.IDNUM, T.MEDICALRECORD, T.HOSPITAL, T.ORGANIZATION, T.DATE}
)
"""What models take figures for that have no label: behind a score they are its points."""
_READING = re2.compile(rf"(?i)\b(?:{_WORDS['readings']})[ :=]{{0,2}}(?:(?:was|is|of|de)[ ])?$")


def _read_off(before: str, phi_type: PhiType) -> bool:
    """Whether a figure is the points of a score or somebody's reading ("bladder scan was 612")."""
    return phi_type in _UNSAID and (pointed(before) or _READING.search(before) is not None)


_LONGEST_GAP = 12
_NUMBER_BEFORE = re2.compile(r"\d(?:[ \x{a0}\x{202f}]|&#?\w{1,6};)?$")
_UNIT_ALONE = re2.compile(rf"(?i:{_WORDS['units_alone']})|g|l|{_WORDS['times_alone']}")


def _scheduled(text: str, start: int, end: int) -> bool:
    """Whether days of the week are those of a treatment; a month or one day alone is a date's."""
    if _DAYS_ALONE.fullmatch(folded(text[start:end])):
        return True
    first = max(text.rfind("\n", 0, start) + 1, start - _LINE)
    line = folded(text[first : end + _LINE].partition("\n")[0])
    if in_a_row(line, start - first, end - first):
        return True
    parts = list(_PART_A_DAY.finditer(line))
    recurs = len({hit.group(1) for hit in parts}) < len(parts)
    return recurs and any(hit.start() < end - first and start - first < hit.end() for hit in parts)


def dated(text: str, start: int, end: int) -> bool:
    """Whether a word of dates stands before a span, or one of meeting behind it."""
    before = folded(text[max(0, start - _LINE) : start].rpartition("\n")[2])
    return bool(_DATED.search(before) or _WITH.match(folded(text[end : end + 12])))


def _run(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """The unbroken run of letters, digits and signs that a span belongs to; None where it is longer
    than any quantity, so that a thousand spans of one endless run are judged in linear time.
    """
    before = _RUN_BEFORE.search(text[max(0, start - _LONGEST) : start])
    after = _RUN.match(text[end : end + _LONGEST])
    first, last = start - len(before[0]), end + len(after[0])
    return None if max(start - first, last - end) == _LONGEST else (first, last, text[first:last])


def _half(start: int, end: int, run: str, before: str) -> bool:
    """Whether `[start, end)` is one number of a pair, and nothing before it speaks of a date."""
    pair = _PAIR.fullmatch(run.rstrip(".'"))
    if pair is None or not (end <= pair.end(1) or start >= pair.start(2)):
        return False
    return _DATED.search(before) is None


def _no_date(run: str, before: str, after: str) -> bool:
    if _SIGNED.fullmatch(run) or _no_range_of_days(run):
        return True
    if not _CHAIN.fullmatch(run) or dialled(run.split("-"), before[-40:]):
        return False
    numbers = [int(n) for n in _NUMBER.findall(run)]
    if len(numbers) == 2:
        return "/" in run and _no_pair(numbers[0], numbers[1], before, after)
    year = _NUMBER.findall(run)[-1]
    return len(numbers) > 3 or 0 in numbers[:2] or len(year) == 1 or not day_month(*numbers[:2])


def _is_ratio(run: str, before: str, after: str) -> bool:
    """Decimals of which one is in the other, points or commas on both sides; a strength."""
    if _DATED.search(before):
        return False
    if _RATIO.fullmatch(run) or (_COMMAS[0].search(before) and _COMMAS[1].match(after)):
        return True
    strength = _STRENGTH.fullmatch(run)
    return strength is not None and not (int(strength[1]) <= 12 and int(strength[2]) in _YEARS)


def _no_range_of_days(run: str) -> bool:
    """`0.27-4.20`, `3.5-5.1`: two decimals, not both a day and a month with their zeros."""
    found = _DECIMALS.fullmatch(run)
    return found is not None and not all(len(part) == 2 for part in found.groups())


def _no_pair(first: int, second: int, before: str, after: str) -> bool:
    if not day_month(first, second) and (first > 12 or second > 99):
        return True
    if _DATED.search(before):
        return False
    if _WITH.match(after):
        return scored(before) and _WITH_ITEM.match(after) is not None
    acuity = first in _FEET and second in _ROWS
    if ends_range(before, first, second):
        return False
    return bool(
        scored(before)
        or sold(f"{before}{first}/{second}")
        or counted(first, second, after)
        or _DONE.search(before)
        or _TIMES.match(after)
        or (second == 52 or (second in (7, 12) and _ahead(before, after)))
        or (acuity and _ACUITY.search(before + " " + after[:40]))
        or _same_scale(second, before)
    )


def _ahead(before: str, after: str) -> bool:
    """Whether something is due in weeks or months; an hour behind it makes a date of it."""
    return _WEEKS_AHEAD.search(before) is not None and _HOUR.match(after) is None


_HOUR = re2.compile(r"^ (?:at )?\d{1,2}:[0-5]\d\b")


def _same_scale(denominator: int, before: str) -> bool:
    """Whether a score with this denominator stands before it on the line (`2/4 with fade, 4/4`)."""
    return any(
        int(pair.group(2)) == denominator
        and (scored(before[: pair.start()]) or _DONE.search(before[: pair.start()]))
        for pair in _PAIRS.finditer(before)
    )


def _coded(run: str, before: str) -> bool:
    if _TRIAL.fullmatch(run):
        return True
    told = _SYSTEM.search(before) or _VOCABULARY.search(before)
    return _CODE.fullmatch(run) is not None and told is not None
