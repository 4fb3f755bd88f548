"""When something is taken, done or due, and for how long.

clock     = ("hora" | "a las" | ...) n "." nn        "hora 9.12"
every     = "c/" n | n "/" ("d" | "h" | "sem")       "90 c/12", "TBQ 20/d"
          | "q" n ["-" n] ["/" n]                      "q6-12/12"
gestation = weeks "+" days                             "eco 12+3"
course    = ("POD" | "cycle" | "semana") n ["/" n]     "POD 5", "wk 9/24"
treated   = "día" n "de" word, no month            "día 3 de fluoxetina"
nth       = n ("er" | "do" | "to" | ...) "dia"         "tac al 3er dia"
soon      = ("repeat" | "recheck" | ...) "in" n        "recheck in 15", minutes; odds: "1 in 20"
lasting   = ("LOS" | "for" | ...) n "d"                "LOS 5d"
tablets   = part "-" part "-" part ["-" part]          "Sinemet 1/2-0-1/2", "Sintrom (3/4-1/2)"
          | part weekday, twice behind a dose in mg     "4 mg: 3/4 lunes, 1/2 martes"
weekdays  = "M-W-F", "T/Th", "L-X-V"
day       = n "/" n letter | two letters hour          "3/18 W seen", "Tu 1300"
spelled   = number in words unit                       "veinte días", "8 sem"
relative  = "mañana" | "tomorrow" | ...                a day by another one, which no calendar has
week      = letters of three days and more, in order   "1/2 tab M W F"
schedule  = "Mon Wed Fri", "lunes 3/4, martes 1/2, jueves 3/4" (a part of a tablet on two days)
"""

from __future__ import annotations

from stream_deid.detect.quantities.number import Number, run_around
from stream_deid.detect.quantities.units import UNSAID
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import WRITTEN_WEEKDAYS, is_day_of_course
from stream_deid.lists.numbers import ONES, ONES_ES, TEN_TO_TWENTY_ES, TENS_ES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.age import ninety_or_over
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

_WORDS, _QUANTITIES = Vocabulary("notations"), Vocabulary("quantities")
_LINE, _WIDE = 60, 90
_EVERY = linear(
    r"(?i)c/ ?\d{1,2}(?:-\d{1,2})?(?:/12)?h?"
    r"|q ?\d{1,2}(?:-\d{1,2})?(?:/\d{1,2})?(?:h|hrs?|d|wks?|mos?)?"
    r"|\d{1,3}/(?:d|dia|day|h|hr|sem|wk|w|mes|mo)"
)
_GESTATION = linear(r"\d{1,2}\+[0-6]")
_COURSE = linear(rf"(?i)\b(?:{_WORDS['course']})[ .:#]{{0,2}}$")
_COURSE_VALUE = linear(r"\d{1,3}(?:[/-]\d{1,2})?")
_ORDINAL_DAY = linear(r"^\d{1,2}(?:er|ro|do|to|mo|vo|no)\.? d[ií]a\b")
_SOON = linear(rf"(?i)(?:\b(?:{_WORDS['again']})|(?:^|[^\d])1) in $")
_LASTING = linear(r"(?i)\d{1,3}(?:d|h|wks?|mos?)")
_LASTING_BEFORE = linear(
    r"(?i)\b(?:los|estancia|stay|duration|duracion|for|por|durante|x)[ :=]{0,3}$"
)
_SPELLED_TIME = linear(
    rf"(?:un[oa]?|{ONES_ES}|{TEN_TO_TWENTY_ES}|(?:{TENS_ES})(?: y (?:{ONES_ES}))?|\d{{1,3}})"
    rf" ?(?:{_QUANTITIES['lasting_units']})"
)
_DAY_OF_STAY = linear(r"(?i:pod|dol|hod|dpo|pnd)[ #]?\d{1,3}")
_SHIFT = linear(r"(?:[01]\d|2[0-3])[0-5][05] ?- ?(?:[01]\d|2[0-3])[0-5][05](?:h|hrs)?")
_YEARS = linear(r"(?:19|20)\d\d ?- ?(?:19|20)\d\d")
_FOR_DAYS = linear(
    r"(?i)(?:\bx|×|durante|por|cada|c/|hace|en|dentro de|for|every|q"
    r"|\b(?:cuadro|evolucion|historia|clinica|fiebre|tos|dolor) de) ?$"
)
_PART_OF_ONE = r"(?:1/2|1/3|2/3|1/4|3/4)"
_TAKEN = rf"(?:\d|{_PART_OF_ONE})"
_TAKEN_BEFORE = linear(rf"(?:{_TAKEN} ?- ?)*$")
_TAKEN_AFTER = linear(rf"^(?: ?- ?{_TAKEN})*")
_TABLETS = linear(rf"{_TAKEN}(?: ?- ?{_TAKEN}){{2,3}}|{_PART_OF_ONE} ?- ?{_PART_OF_ONE}")
_DOSE = linear(rf"(?i)\d ?mg\b|\b(?:{_WORDS['dosed']})\b")
_WEEKDAY = rf"(?:{WRITTEN_WEEKDAYS['en']}|{WRITTEN_WEEKDAYS['es']}|{_WORDS['other_weekdays']})s?\.?"
"""A day of the week in a schedule, folded."""
_DAY = linear(rf"(?i){_WEEKDAY}")
_DAYS_IN_A_ROW = linear(
    rf"(?i)\b{_WEEKDAY}(?:(?:[ ,/&+-]|and|y|e){{1,5}}{_WEEKDAY}){{2,}}"
    rf"|\b{_WEEKDAY}(?: ?[,/&+] ?| and | y | e ){_WEEKDAY}"
)
_DAYS_ALONE = linear(
    rf"(?i){_WEEKDAY}(?:(?:[ ,/&+-]|and|y|e){{1,5}}{_WEEKDAY})+(?: (?:{ONES}|half)(?: and)?)*"
)
"""With the next dose in words, in dictation ("monday wednesday friday two and a half")."""
_PART_BY_DAY = linear(rf"(?i){_PART_OF_ONE} (?:los )?{_WEEKDAY}\b")
_PART_A_DAY = linear(rf"(?i)\b{_WEEKDAY}[ :]{{1,2}}(1/2|1/4|3/4)\b")
"""Without a dose before it: thirds would be dates of January and February."""
_LETTER = rf"(?:{_QUANTITIES['day_letters']})"
_SHORT_DAY = rf"(?:{_WORDS['short_days']})"
_LETTERS = linear(
    rf"(?i){_LETTER}(?:[-/,]{_LETTER})+|{_SHORT_DAY}(?:[-/,]{_SHORT_DAY}){{2,}}|ma[-/,]ju|mi[-/,]vi"
)
_JOINED_DAYS = linear(r"(?:M|Tu|Th|W|F|Sa|Su){3,7}|(?:Tu|Th|Sa|Su){2,4}")
"""Days of the week written together ("TuThSaSu", "MWF")."""
_WEEK = ("M", "T", "Tu", "W", "R", "Th", "F", "Sa", "Su")
_OF_WEEK = rf"(?:{'|'.join(_WEEK)})"
_WEEKS_LETTERS = linear(rf"\b{_OF_WEEK}(?:[ ,]{{1,2}}{_OF_WEEK}){{2,6}}\b")
_ONE_DAY = linear(rf"(?:{_WORDS['one_day']})")
_DATE_BEFORE = linear(r"(?:^|[^\d/])\d{1,2}/\d{1,2}(?:/\d{2,4})? $")
_HOUR_BEHIND = linear(r" (?:[01]\d|2[0-3]):?[0-5]\d(?:\D|$)")
_INITIAL_AFTER = linear(r"\.|[\pL\d]| \p{Lu}")
_SEVEN = 24
"""Characters of a week's letters."""


def recurs(value: str) -> bool:
    """Whether something happens every so often, or lasts so long ("veinte días")."""
    return _EVERY.fullmatch(value) is not None or _lasts(value)


def _lasts(value: str) -> bool:
    return _SPELLED_TIME.fullmatch(folded(value).lower()) is not None


def is_relative(value: str) -> bool:
    """Whether a day is told by another one alone."""
    return folded(value).lower() in _RELATIVE


_RELATIVE = _QUANTITIES.words("relative_days")


_LOGGED = frozenset({PhiType.LOCATION_OTHER, PhiType.PHONE, PhiType.IDNUM})
HOUR = linear(r"(?:[01]\d|2[0-3])[0-5]\d")
"""An hour of the clock in four figures."""
_LOG = linear(r"\pL{2,12}:? (?:[01]\d|2[0-3])[0-5]\d\b")
_LOG_LEAST = 3
_NUMBERED_BEFORE = linear(rf"(?i)\b(?:{_WORDS['numbered']})[.:#]? ?$")


def is_time(number: Number) -> bool:
    """Whether a number is an interval, a day or week of a course, a duration, parts of a day or
    the hours of a shift.
    """
    run, before = number.bare, number.before
    return (
        (recurs(run) and not _may_be_an_age(number))
        or _GESTATION.fullmatch(run) is not None
        or (number.phi_type is not PhiType.DATE and _from_to(run))
        or (_COURSE_VALUE.fullmatch(run) is not None and _COURSE.search(before) is not None)
        or _tablets(number)
        or (number.is_figure and _SOON.search(before) is not None)
        or (_LASTING.fullmatch(run) is not None and _LASTING_BEFORE.search(before) is not None)
        or (number.phi_type is PhiType.AGE and _FOR_DAYS.search(before) is not None)
        or _ORDINAL_DAY.match(f"{run}{number.rest}") is not None
        or (number.is_figure and is_day_of_course(number.before, number.rest))
        or _of_a_log(number)
        or _is_clock(number)
        or (number.phi_type in UNSAID and _DAY_OF_STAY.fullmatch(run) is not None)
    )


def _may_be_an_age(number: Number) -> bool:
    """Whether what lasts so long ("5 meses") may be a child's age, which stays as it is."""
    return number.phi_type is PhiType.AGE and not ninety_or_over(number.bare)


def _is_clock(number: Number) -> bool:
    """Whether "n.nn" is an hour and its minutes: behind a word for one, or no day of any month."""
    found = _POINTED.fullmatch(number.bare)
    if found is None or number.phi_type is not PhiType.DATE:
        return False
    return int(found[1]) > _LAST_DAY or _CLOCK_BEFORE.search(number.before) is not None


_POINTED = linear(r"(?:[01]?\d|2[0-3])\.([0-5]\d)")
_LAST_DAY = 31
_CLOCK_BEFORE = linear(rf"(?i)\b(?:{_WORDS['clock']})[ :.]{{1,3}}$")


def _of_a_log(number: Number) -> bool:
    """Whether a figure is one of three hours and more on its line, each behind what happened then
    ("In 1312 Incision 1344 Close 1502").
    """
    if number.phi_type not in _LOGGED or HOUR.fullmatch(number.bare) is None:
        return False
    if _NUMBERED_BEFORE.search(number.before):
        return False
    line = f"{number.before}{number.bare} {number.rest}"
    return len(_LOG.findall(line)) >= _LOG_LEAST


def _from_to(run: str) -> bool:
    """Whether figures are the hours of a shift ("0700-1930") or the years of a time."""
    return _SHIFT.fullmatch(run) is not None or _YEARS.fullmatch(run) is not None


def _tablets(number: Number) -> bool:
    """Parts of tablets over a day, or by day of the week behind a dose."""
    run, before, after = number.bare.strip("()"), number.before, number.rest
    if "/" not in run:
        return False
    whole = _TAKEN_BEFORE.search(before)[0] + run + _TAKEN_AFTER.match(after)[0]
    dosed = _DOSE.search(before) is not None
    if _TABLETS.fullmatch(whole) and (dosed or len(whole.split("-")) > 2):
        return True
    by_day = _PART_BY_DAY.findall(before[-_LINE:] + run + after)
    return dosed and len(by_day) > 1 and _PART_BY_DAY.match(run + after) is not None


def scheduled(text: str, start: int, end: int) -> bool:
    """Whether days of the week are those of a treatment; a month or one day alone is a date's."""
    if _DAYS_ALONE.fullmatch(folded(text[start:end])):
        return True
    first = max(text.rfind("\n", 0, start) + 1, start - _WIDE)
    line = folded(text[first : end + _WIDE].partition("\n")[0])
    if _in_a_row(line, start - first, end - first):
        return True
    parts = list(_PART_A_DAY.finditer(line))
    again = len({hit.group(1) for hit in parts}) < len(parts)
    return again and any(hit.start() < end - first and start - first < hit.end() for hit in parts)


def _in_a_row(line: str, start: int, end: int) -> bool:
    """Whether `[start, end)` of a folded line is one day of the week in a row of them: "vancomycin
    Monday Wednesday Friday" is a schedule, and another day in it another one.
    """
    return _DAY.fullmatch(line[start:end]) is not None and any(
        row.start() <= start < row.end() for row in _DAYS_IN_A_ROW.finditer(line)
    )


def in_a_week(text: str, start: int, end: int) -> bool:
    """Whether letters that models take for initials are days of the week."""
    run = run_around(text, start, end)
    joined = run is not None and (
        _LETTERS.fullmatch(folded(run[2])) is not None
        or _JOINED_DAYS.fullmatch(run[2].strip(".,;:")) is not None
    )
    return joined or _of_a_date(text, start, end) or _in_order(text, start, end)


def _of_a_date(text: str, start: int, end: int) -> bool:
    """Whether letters are the day of the week right behind a date, or before an hour."""
    if not _ONE_DAY.fullmatch(text[start:end]) or _INITIAL_AFTER.match(text[end : end + 2]):
        return False
    dated = _DATE_BEFORE.search(text[max(0, start - _SEVEN) : start]) is not None
    return dated or (end - start > 1 and _HOUR_BEHIND.match(text[end : end + _SEVEN]) is not None)


def _in_order(text: str, start: int, end: int) -> bool:
    """Whether letters with blanks between them are days of the week in their order."""
    if end - start > _SEVEN:
        return False
    first = max(0, start - _SEVEN)
    for found in _WEEKS_LETTERS.finditer(text[first : end + _SEVEN]):
        if found.start() <= start - first and end - first <= found.end():
            days = [_WEEK.index(day) for day in found[0].replace(",", " ").split()]
            return days == sorted(set(days))
    return False
