"""Two numbers with a stroke between them: scores, shares, settings, acuity, weeks and months.

half     = n of n "/" m   no date where a model is sure of one number only and no word of a date
                          stands before (of 10 such halves in unseen notes 9 were scores and doses)
pair     = n "/" m        no date, if neither month/day, day/month nor month/year can be read;
                          a score, a count, a setting (`dates.fractions`), or one with the
                          denominator of a score before it; acuity; months and weeks (6/12, 2/52)
part     = ("boost" | "jaula" | ...) n "/" n          "boost 9/5"
         | n "/" n "boost"                             "then 9/5 boost"
given    = n "/" n ("given" | "puestas")              "hep B 2/3 given"
because  = word "2/2" word                            "ESRD 2/2 IgAN"
receptor = ("ER" | "PR") n "/8", where the line names a second marker   "ER 8/8, PR 7/8"
spell    = n "/" (7 | 12 | 52) ["history of"] complaint   "3/7 cough", "5/7 course of": days, months
         and weeks; no date stands on the line, and nothing behind says what became of it
months   = ("en" | "for" | "treated" ...) n "/12"     "vuelve en 3/12"
scar     = "VSS" n "/13", where the line names a scar
setting  = ("SBT" | "PS" | ...) "on" n "/" n          "SBT on 5/5 for 30 min"
         | "Hz" n "/" n                               "NMES 50 Hz 10/30", on and off
image    = "(" ("series" | "image" | ...) n "/" n      "nodule (series 3/24)"
murmur   = n "/6" [kind] ("PSM" | "apical" | ...)     "1/6 apical PSM", "1/6 -> 3/6 apical"
complete = word "(" n "/" n ")" | things n "/" n      "intact (4/4)", "slides 12/12"
"""

from __future__ import annotations

import re

from stream_deid.detect.patterns.dates.events import bottles
from stream_deid.detect.patterns.dates.fractions import counted, course, scored, sold
from stream_deid.detect.patterns.dates.pairs import ends_range
from stream_deid.detect.quantities.number import NOTED, PAIR, Number
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import day_month
from stream_deid.text.linear import linear

_WORDS, _NOTATIONS, _DATE_WORDS = map(Vocabulary, ("quantities", "notations", "dates"))
_SMALL_PAIR = linear(r"(\d{1,2})/(\d{1,2})")
_SIGNED_PAIR = linear(r"(\d{1,2})[+-]?/(\d{1,2}(?:\.\d)?)")
_PAIRS = re.compile(r"([0-9]{1,2})[+-]?/([0-9]{1,2})\b")
_LINE = 60

_DONE = linear(rf"(?i)\b(?:{_WORDS['done']})[ :]*$|\d ?= ?$")
DATED = linear(rf"(?i)\b(?:{_WORDS['dated']}) ?:? ?$")
"""A word of dates, before one."""
WITH = linear(r"(?i)^ ?(?:@|w/|with\b|dr\b|con\b|by\b|por\b)")
"""Words of meeting somebody, behind a date."""
_WITH_ITEM = linear(r"(?i)^ ?(?:w/|with|con) (?:item|cues?|aid|fade|help|ayuda|pistas)")
_TIMES = linear(rf"(?i)^ ?(?:(?:{_WORDS['times']})\b|\(?\d{{1,3}} ?%)")
_ACUITY = linear(rf"(?i)\b(?:{_WORDS['acuity']})\b")
_FEET = frozenset({6, 20})
_ROWS = frozenset({4, 5, 6, 9, 10, 12, 15, 18, 20, 24, 25, 30, 36, 40, 50, 60, 70, 80})
_WEEKS_AHEAD = linear(rf"(?i)\b(?:{_WORDS['ahead']})[^.;\n]{{0,14}}?\b(?:in|x|for|every|over)? ?$")
_SPELL = linear(
    rf"(?i)^ (?:(?:of|h/o|hx|history|hx of|history of) )?(?:(?:{_NOTATIONS['complaint_kinds']}) )"
    rf"{{0,2}}(?:{_NOTATIONS['complaints']})(?:[^\pL\d]|$)"
)
_BECAME = linear(rf"(?i)^ ?(?:{_NOTATIONS['became']})\b")
_SENTENCE = linear(r"[.;] +\p{Lu}")
_MOST_POINTS = 5
"""A score of more is as well a day of the month."""
_SPELLS = {7: 14, 12: 24, 52: 99}
"""The days, months and weeks of a spell: out of what, and how many at most."""
_HOUR = linear(r"^ (?:at )?\d{1,2}:[0-5]\d\b")

_PART = linear(rf"(?i)\b(?:{_NOTATIONS['part']})[ :]{{0,2}}$")
_PART_AFTER = linear(r"(?i)^ (?:boost|refuerzo)\b")
_GIVEN = linear(rf"(?i)^ (?:{_NOTATIONS['given']})\b")
_MOST_DOSES = 6
_MONTHS = linear(rf"(?i)\b(?:{_NOTATIONS['months']})(?: \pL+)? $")
_WORD_BEFORE = linear(r"\pL ?$")
_CAUSE = linear(r"^ (?:\pL{2,}|in (?:19|20)\d\d)")
_TOLD_AFTER = linear(rf"(?i)^ ?:? ?(?:{_NOTATIONS['resulted']})\b")
_CLOCK = linear(r"^,? (?:at |@ ?)?\d{1,2}(?::[0-5]\d|[ap]m?\b)")
_ALLRED = 8
_RECEPTOR = linear(
    rf"(?i)\b(?:{_NOTATIONS['receptors']})(?: ?(?:[+-]|pos\w*|neg\w*))?[ :=(]{{0,3}}$"
)
_GOING = linear(rf"(?i)\b(?:{_NOTATIONS['going']}) ?$")
_MARKERS = linear(rf"(?i)\b(?:{_NOTATIONS['markers']})\b")
_SCAR = 13
_VSS = linear(r"(?i)\b(?:vss|vancouver(?: scar(?: scale)?)?)[ :=]*$")
_SCARS = linear(rf"(?i)\b(?:{_DATE_WORDS['scars']})\b")
_SETTING = linear(rf"(?i)\b(?:(?:{_NOTATIONS['ventilated']})[ ]on|hz)[ :,]{{1,2}}$")
_IMAGE = linear(rf"(?i)\((?:{_NOTATIONS['images']}) ?[:#]? ?$")
_GRADES = 6
_MURMUR = linear(
    rf"(?i)^ ?(?:(?:->|→|to|a) ?\d/6 )?(?:(?:{_NOTATIONS['sounding']}) ){{0,3}}"
    rf"(?:{_NOTATIONS['murmurs']})(?:\b|$)"
)
_COMPLETE = linear(rf"(?i)\b(?:(?:{_NOTATIONS['complete']}) ?\(|(?:{_NOTATIONS['pieces']}) )$")


def half_of_one(number: Number) -> bool:
    """Whether the span is one number of a pair, and nothing before it speaks of a date."""
    pair = _SIGNED_PAIR.fullmatch(number.bare)
    start, end = number.inside
    if pair is None or not (end <= pair.end(1) or start >= pair.start(2)):
        return False
    return DATED.search(number.before) is None


def counts_something(number: Number) -> bool:
    """Whether a pair is a share of something, a setting, "secondary to", or months as the British
    write them.
    """
    pair = PAIR.fullmatch(number.bare)
    if pair is None:
        return False
    first, second = int(pair[1]), int(pair[2])
    if number.phi_type is PhiType.DATE and _set_or_heard(first, second, number):
        return True
    before, after = number.before, number.rest
    if NOTED.search(before) or _CLOCK.match(after):
        return False
    if (
        _PART.search(before)
        or _PART_AFTER.match(after)
        or (first <= second == _ALLRED and _of_a_receptor(before, after))
    ):
        return True
    if first <= second <= _MOST_DOSES and _GIVEN.match(after):
        return True
    because = first == second == 2 and _is_cause(before, after)
    scar = (
        second == _SCAR and _VSS.search(before) and _SCARS.search(before[-_LINE:] + after[:_LINE])
    )
    return bool(because or scar or (second == 12 and _MONTHS.search(before)))


def _is_cause(before: str, after: str) -> bool:
    """Whether "2/2" stands for "secondary to"; no result of a test stands behind it."""
    caused = _WORD_BEFORE.search(before) and _CAUSE.match(after)
    return bool(caused) and not _TOLD_AFTER.match(after)


def _set_or_heard(first: int, second: int, number: Number) -> bool:
    """A setting of a machine, the grade of a murmur, all of some things."""
    if _SMALL_PAIR.fullmatch(number.bare) is None:
        return False
    if _SETTING.search(number.before):
        return True
    if _IMAGE.search(number.before) and number.rest[:1] in (")", ",", ";"):
        return True
    if first <= second == _GRADES and _MURMUR.match(number.rest):
        return True
    return first == second > 1 and _COMPLETE.search(number.before) is not None


def _of_a_receptor(before: str, after: str) -> bool:
    """Whether a hormone receptor is scored (Allred, of eight): "ER 8/8" alone may be an emergency
    room on a day, so another marker must stand on the line.
    """
    found = _RECEPTOR.search(before)
    if found is None or _GOING.search(before[: found.start()]):
        return False
    return _MARKERS.search(f"{before[-_LINE : found.start()]} | {after[:_LINE]}") is not None


def no_day(first: int, second: int, before: str, after: str) -> bool:
    """Whether a pair can't be a day and a month, or is something else by the words around it."""
    if not day_month(first, second) and (first > 12 or second > 99):
        return True
    if DATED.search(before):
        return False
    if WITH.match(after):
        return scored(before) and _WITH_ITEM.match(after) is not None
    acuity = first in _FEET and second in _ROWS
    if ends_range(before, first, second):
        return False
    return bool(
        scored(before)
        or sold(f"{before}{first}/{second}")
        or counted(first, second, after)
        or course(first, second, before)
        or bottles(first, second, before, after)
        or _DONE.search(before)
        or _TIMES.match(after)
        or (second == 52 or (second in (7, 12) and _ahead(before, after)))
        or (acuity and _ACUITY.search(before + " " + after[:40]))
        or (_same_scale(first, second, before) and not _beside_a_day(second, after))
        or (first <= _SPELLS.get(second, 0) and _is_spell(before, after))
    )


def _ahead(before: str, after: str) -> bool:
    """Whether something is due in weeks or months; an hour behind it makes a date of it."""
    return _WEEKS_AHEAD.search(before) is not None and _HOUR.match(after) is None


def _is_spell(before: str, after: str) -> bool:
    """Whether a complaint has lasted so long: no day stands on the line, and nothing behind the
    complaint says that it began then.
    """
    found = _SPELL.match(after)
    if found is None or _BECAME.match(after[found.end() - 1 :]):
        return False
    pairs = [(int(one[1]), int(one[2])) for one in _PAIRS.finditer(f"{before} | {after}")]
    return all(second in _SPELLS or not day_month(first, second) for first, second in pairs)


def _beside_a_day(denominator: int, after: str) -> bool:
    """Whether a pair out of another number is named in one breath ("seen 4/5 and 5/1")."""
    other = _AND_PAIR.match(after)
    return (
        other is not None
        and int(other[2]) != denominator
        and day_month(int(other[1]), int(other[2]))
    )


_AND_PAIR = linear(r"^ (?:and|&|y|e) ([0-9]{1,2})/([0-9]{1,2})(?:[^0-9/]|$)")


_TELLING = linear(r"[^\s\d/,;.-]")  # a row of bare pairs tells nothing of itself


def _same_scale(points: int, denominator: int, before: str) -> bool:
    """Whether a score with this denominator stands in its sentence before it (`2/4 fade, 4/4`);
    of another sentence no "BIMS 7/15. Foley changed 6/15", nor more points than there are
    ("strength 4/5. Seen 11/5").
    """
    other_sentence = denominator > _MOST_POINTS or points > denominator
    return _TELLING.search(before) is not None and any(
        int(pair.group(2)) == denominator
        and not (other_sentence and _SENTENCE.search(before, pair.end()))
        and (scored(before[: pair.start()]) or _DONE.search(before[: pair.start()]))
        for pair in _PAIRS.finditer(before)
    )
