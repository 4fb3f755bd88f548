"""A month's name of another language that is a word in the note's own, and no month there.

let go = MONTH, where nothing beside it is of its language     "the mayo trial", "dec 3 puntos"
kept   = a word of its language beside it                      "5 de mayo", "en mayo", "Dec 3rd"
       | a sign that parts dates | a year                      "5-ago-24", "mayo 2024"
       | a whole name in its language's order, no count        "3 mayo", "March 5"; not "march 5 mg"
rest   = a date that the same vote holds besides               "Mayo 5/4": "5/4"

Names that are nothing else in the note's language ("enero" in English) count as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from stream_deid.detect.patterns.dates.digits import DAY
from stream_deid.detect.record.stated import states
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import WRITTEN_WEEKDAYS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.folding import folded

_WORDS = Vocabulary("foreign_months")
_NEARBY = 24
_PAIR = re.compile(r"\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?")
_OTHER = {"en": "es", "es": "en"}


_COUNTS = rf"[ ]?(?:{_WORDS['counted']})(?![a-z])"
_YEAR = rf"[-/.,]?[ ]?(?:{DAY},?[ ])?(?:19|20)\d\d\b(?![ ](?:{_WORDS['editions']})\b)"


@dataclass(frozen=True, slots=True)
class _Foreign:
    """Months of another language as notes of one read them, and what makes them months.

    `ahead`, `behind`: the day of a date in the order of the other language.
    """

    month: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    ahead: re.Pattern[str]
    behind: re.Pattern[str]


def _foreign(language: str) -> _Foreign:
    other = _OTHER[language]
    beside = rf"(?:{_WORDS['before_' + other]}|{WRITTEN_WEEKDAYS[other]})[.,]?[ ](?:{DAY}[ ])?"
    first = other == "es"
    day_before, day_after = (
        rf"(?:^|[^\d/.,-]){DAY}[ ]$",
        rf"\.?[ ]{DAY}(?![\w/-]|[.,]\d|{_COUNTS})",
    )
    months = rf"(?:({_WORDS['whole_' + language]})|{_WORDS['short_' + language]})"
    return _Foreign(
        re.compile(rf"(?i)(?<![a-z]){months}(?![a-z])"),
        re.compile(rf"(?i)(?:^|[^a-z\d])(?:{beside}|{DAY}[-/.])$"),
        re.compile(
            rf"(?i)(?:[ ](?:{_WORDS['after_' + other]})\b|{_YEAR}|\.?[ ]{DAY}(?:st|nd|rd|th)\b)"
        ),
        re.compile(day_before if first else _NEVER),
        re.compile(rf"(?i){_NEVER if first else day_after}"),
    )


_NEVER = r"(?!)"
_COUNTED = re.compile(rf"(?i){_COUNTS}")
_BY_LANGUAGE = {language: _foreign(language) for language in _OTHER}


def without_foreign_months(
    text: str, votes: Sequence[Detection], language: str
) -> Iterator[Detection]:
    """The votes; those for dates without months that are words of the note's language."""
    foreign = _BY_LANGUAGE.get(language[:2])
    for one in votes:
        stated = states(one.detector)
        if foreign is None or stated or one.type is not PhiType.DATE:
            yield one
        else:
            yield from _own(text, one, foreign)


def _own(text: str, one: Detection, foreign: _Foreign) -> Iterator[Detection]:
    """The vote, or what is a date in it without the word that is no month."""
    shown = folded(text[one.start : one.end])
    months = list(foreign.month.finditer(shown))
    if len(months) != 1 or _dates(text, one.start + months[0].start(), months[0], foreign):
        yield one
        return
    for pair in _PAIR.finditer(shown):
        yield replace(one, start=one.start + pair.start(), end=one.start + pair.end())


def _dates(text: str, start: int, month: re.Match[str], foreign: _Foreign) -> bool:
    """Whether what stands beside a month is of its language."""
    end = start + len(month[0])
    before = folded(text[max(0, start - _NEARBY) : start]).rpartition("\n")[2]
    after = folded(text[end : end + _NEARBY]).partition("\n")[0]
    if foreign.before.search(before) or foreign.after.match(after):
        return True
    ordered = foreign.ahead.search(before) if month[1] else None
    return foreign.behind.match(after) is not None or (
        ordered is not None and _COUNTED.match(after) is None
    )
