"""Pairs that count something of a whole or give two settings, by the words right beside them.

capped  = scale "/" its most points               "HAI 7/18", no more than there are, and no
          points behind ("PHQ-9 10/27: 14")
nodes   = nodes n "/" n, on a line that reports a specimen      "LN 2/27. TNM pT3"
answers = answers n "/" n, on a line that reports a visual field   "reliab 1/14 FL, GHT"
elastic = n "/" (4 | 8 | 16) force | elastics n "/" (8 | 16)      "3/16 4.5oz"
needle  = gauge n "/" (2 | 4 | 8)                 "25G 5/8"
sight   = 6 "/" n, on a line that tells of sight      "6/9 and 6/12 unaided"
menses  = days "/" days, on a line that tells of a cycle      "28/5, menarquia 12"
week    = ("wk" | "semana" | ...) n "/" (12 | 24 | 26)      "dara wk 9/24"
part    = solution n "/" n saline                 "D5 1/2 NS", "D10 1/4"
goal    = n "/" n ("goal" | "target") n              "tac 9/11 goal 8-10"
pumped  = ("hits" | "attempts" | ...) n "/" n      "hits 9/12"
stimuli = ("TENS" | "NMES" | ...) n "/" n          "TENS 10/30"
strip   = strength of buprenorphine, on its line, in a dose       "COWS 9, 8/2 x 2"

A word of dates between any of them and the pair makes a day of it ("LN bx 3/14", "elastics given
1/4").
"""

from __future__ import annotations

from stream_deid.detect.pairs.written import Pair
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_WORDS = Vocabulary("counts")
_SIGNS = r"[ :=(]{1,3}"
_CAPPED = _WORDS.words("capped")
_NAME = linear(r"(?:^|[^a-z\d-])([a-z\d]+(?:-[a-z\d]+)?)(?: score| scale| total)?[ :=(]{1,3}$")
_TOLD = linear(r"(?i)^\)?(?: ?[:=]| (?:was|is|fue|de)? ?\d)")
_NODES = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['nodes']}){_SIGNS}$")
_SPECIMEN = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['specimen']})(?:[^a-z]|$)")
_ANSWERS = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['answers']}){_SIGNS}$")
_PERIMETRY = linear(rf"(?i)(?:^|[^a-z\d])(?:{_WORDS['perimetry']})(?:[^a-z\d]|$)")
_ELASTICS = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['elastics']}){_SIGNS}$")
_FORCE = linear(rf'(?i)^"? (?:\d(?:[.,]\d)? ?)?(?:{_WORDS["forces"]})(?:[^a-z]|$)')
_GAUGE = linear(r"(?i)(?:^|[^\d])(?:1[4-9]|2\d|3[0-3]) ?ga?(?:auge)? (?:x )?$")
_PUMPED = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['pumped']}){_SIGNS}$")
_STIMULATED = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['stimulated']}){_SIGNS}$")
_BUP = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['buprenorphine']})(?:[^a-z]|$)")
_TAKEN = linear(rf"(?i)^ (?:{_WORDS['taken']})(?:[^a-z]|$)")
_GOAL = linear(r"(?i)^ (?:goal|target|meta|objetivo) \d")
_SOLUTION = linear(rf"(?i)(?:^|[^a-z\d])(?:{_WORDS['solutions']}) $")
_SIGHT = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['sight']})(?:[^a-z]|$)")
_MENSTRUAL = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['menstrual']})(?:[^a-z]|$)")
_WEEK = linear(rf"(?i)(?:^|[^a-z])(?:{_WORDS['weeks']})[.]? $")
_SEEN_AT = 6
_ROWS = frozenset((4, 5, 6, 7, 9, 12, 15, 18, 24, 30))
_CYCLES, _BLEEDING = range(21, 36), range(2, 10)
_WEEKS = frozenset((12, 24, 26))
_STRIPS = frozenset(((2, 1), (4, 1), (8, 2), (12, 3), (16, 4), (24, 6)))
_IN_SALINE = frozenset(((1, 2), (1, 3), (1, 4), (1, 5)))
_INCHES, _SMALL_INCHES = frozenset((4, 8, 16)), frozenset((8, 16))
_OF_NEEDLES = frozenset((2, 4, 8))


def counts(pair: Pair, before: str, after: str) -> bool:
    """Whether a pair is one of these; `before` and `after`: what stands beside it on its line."""
    if after[:1] in _GOES_ON and (_GOAL.match(after) or _is_sized(pair, before, after)):
        return True
    if _is_seen_or_bled(pair, before, after):
        return True
    if not before.rstrip(" :=(")[-1:].isalnum():
        return False  # no word stands right before it
    return _of_all(pair, before, after) or _is_size(pair, before) or _is_set(before)


_GOES_ON = (" ", '"')


def _is_seen_or_bled(pair: Pair, before: str, after: str) -> bool:
    """Whether it is the acuity of an eye or a menstrual cycle, by other words of the line."""
    if pair.first == _SEEN_AT and pair.second in _ROWS:
        return _SIGHT.search(f"{before} | {after}") is not None
    cycle = pair.first in _CYCLES and pair.second in _BLEEDING
    return cycle and _MENSTRUAL.search(f"{before} | {after}") is not None


def _of_all(pair: Pair, before: str, after: str) -> bool:
    """Whether it counts what was found of all there is."""
    if pair.first > pair.second:
        return False
    named = _NAME.search(before.lower())
    if named and f"{named[1]}/{pair.second}" in _CAPPED and not _TOLD.match(after):
        return True
    line = f"{before} | {after}"
    return bool(
        (pair.second in _WEEKS and pair.first < pair.second and _WEEK.search(before))
        or (_NODES.search(before) and _SPECIMEN.search(line))
        or (_ANSWERS.search(before) and _PERIMETRY.search(line))
    )


def _is_sized(pair: Pair, before: str, after: str) -> bool:
    """Whether it is a strength that is taken, or a part of an inch with its force."""
    first, second = pair.first, pair.second
    if (first, second) in _STRIPS and _TAKEN.match(after):
        return _BUP.search(f"{before} | {after}") is not None
    return first < second in _INCHES and _FORCE.match(after) is not None


def _is_size(pair: Pair, before: str) -> bool:
    """Whether it is a part of an inch or of saline."""
    first, second = pair.first, pair.second
    if first >= second:
        return False
    return bool(
        (second in _SMALL_INCHES and first % 2 and _ELASTICS.search(before))
        or (second in _OF_NEEDLES and _GAUGE.search(before))
        or ((first, second) in _IN_SALINE and _SOLUTION.search(before))
    )


def _is_set(before: str) -> bool:
    """Whether it is what a pump or a stimulator was set to or did."""
    return bool(_PUMPED.search(before) or _STIMULATED.search(before))
