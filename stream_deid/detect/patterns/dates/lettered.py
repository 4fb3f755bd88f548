"""A day and month beside its day of the week in letters: "seen M 3/5 by", "3/5 (W)".

lettered = LETTER ["," | ")"] n "/" n    one letter, or the first two of the day
bracket  = n "/" n "(" (LETTER | day) ")"
behind   = n "/" n [","] day             "3/5, Friday"

A letter is a side, a muscle or a sign as well ("T 3/5 strength"). It is a day where another letter
beside a pair is as many days away as the two dates are, else where no clinical word stands on its
line and no fraction near it; letters that are sides and signs more often (R, L, S, D, V) only
behind or before a word of meeting. A pair of neighbours ("T 11/12") may be two vertebrae.
"""

from __future__ import annotations

from datetime import date
from functools import partial

from stream_deid.detect.patterns.base import Context, Hit, Pattern, compiled, numbers
from stream_deid.detect.patterns.dates.digits import WEEKDAY, alone
from stream_deid.detect.patterns.dates.evidence import among_fractions, calendar
from stream_deid.detect.patterns.dates.fractions import counted, measured, scored, sold
from stream_deid.labels import PhiType
from stream_deid.lists.calendar import WEEKDAYS, WRITTEN_WEEKDAYS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.days import day_month
from stream_deid.text.folding import fold

_WORDS = Vocabulary("dates_lettered")
_D = PhiType.DATE
DETECTOR = "date-lettered"
_DAYS = {
    code: {
        letters.upper(): tuple(map(int, days.split()))
        for letters, days in _WORDS.table(f"days_{code}").items()
    }
    for code in ("en", "es")
}
"""Letters of a language and the days (Monday: 0) that they may stand for."""
_DOUBTFUL = frozenset("RLSDV")
_SPINE = frozenset("TLSC")
_PAIR = r"\d{1,2}/\d{1,2}"
_MATE = compiled(rf"\b([A-Z][A-Za-z]?)[.,]?[ \t]({_PAIR})\b")
_BEFORE = Context(rf"(?i)(?:\b(?:{_WORDS['before']})[ \t:]*)$")
_AFTER = Context(rf"(?i)^[ \t]*(?:{_WORDS['after']})(?:[^a-z]|$)")
_CLINICAL = Context(rf"(?i)\b(?:{_WORDS['clinical']})\b")
_OWN_DAY = Context(rf"(?i)\b(?:{WRITTEN_WEEKDAYS['en']}|{WRITTEN_WEEKDAYS['es']})[.:,]?[ ]$")
_COMA = Context(r"\b[EOV][ :=]?[1-6](?:T|/[456])?[ ,;]{0,2}$")
_COUNTED = Context(r"(?:^|[^/.\d-])(?:\d{1,3}\.)?\d{1,3}[ \t]*(?:y/?o?[ \t]*)?$")
_HALVES = frozenset(((1, 2), (1, 3), (1, 4), (2, 3), (3, 4)))
_REACH, _NEAR, _YEAR = 72, 40, 2023


def lettered(hit: Hit, language: str) -> bool:
    """Whether the pair behind a letter is the date of that day of the week."""
    first, second = (int(n) for n in numbers(hit.value))
    letters = hit.groups["day"]
    head, after = hit.before(_NEAR).rpartition(letters)[0], hit.after(_NEAR)
    if letters.upper() not in _DAYS[language] or not _is_pair(hit, first, second):
        return False
    if _COUNTED.search(head) or counted(first, second, after) or measured(after):
        return False
    if _in_step(hit, letters, language):
        return True
    line = head.rpartition("\n")[2] + " | " + after.partition("\n")[0]
    if _COMA.search(head) or _CLINICAL.search(line) or among_fractions(hit):
        return False
    spine = letters in _SPINE and second == first + 1
    if letters in _DOUBTFUL or spine or (first, second) in _HALVES:
        return _BEFORE.search(head) or _AFTER.match(after)
    return not sold(head + hit.value)


def _is_pair(hit: Hit, first: int, second: int) -> bool:
    after = hit.after(2)
    chained = after[:1] in ("/", "%") or (after[:1] == "," and after[1:].isdecimal())
    return day_month(first, second) and alone(hit) and not chained


def _in_step(hit: Hit, letters: str, language: str) -> bool:
    """Whether another letter beside a pair is as far from this one as the two dates are."""
    known = calendar(hit.view)
    own = _day(hit.value, day_first=known.day_first or language == "es")
    around = hit.before(_REACH) + hit.value + hit.after(_REACH)
    for m in _MATE.finditer(around.encode("ascii")):
        mate, pair = m.group(1).decode(), m.group(2).decode()
        other = _day(pair, day_first=known.day_first or language == "es")
        days = _DAYS[language].get(mate.upper())
        if days is None or own is None or other is None or own == other:
            continue
        apart = (other - own).days
        if abs(apart) <= _FORTNIGHT and any(
            (day - mine - apart) % 7 == 0
            for day in days
            for mine in _DAYS[language][letters.upper()]
        ):
            return True
    return False


_FORTNIGHT = 14


def _day(pair: str, *, day_first: bool) -> date | None:
    """The day of a pair in a year without a leap day."""
    first, second = (int(n) for n in numbers(pair))
    month, day = (second, first) if (day_first and second <= 12) or first > 12 else (first, second)
    try:
        return date(_YEAR, month, day)
    except ValueError:
        return None


def followed(hit: Hit) -> bool:
    """A pair with its day of the week behind it, unless a scale stands before it, or another day:
    that one's it would be ("lunes 3/4, martes 1/2").
    """
    first, second = (int(n) for n in numbers(hit.value))
    before = hit.before(_NEAR)
    return _is_pair(hit, first, second) and not scored(before) and not _OWN_DAY.search(before)


def bracketed(hit: Hit, language: str) -> bool:
    """A pair with a day of the week in brackets behind it; a letter needs no fraction near."""
    letters = hit.groups.get("day", "")
    if letters and (letters.upper() not in _DAYS[language] or among_fractions(hit)):
        return False
    return followed(hit) and not (letters and _CLINICAL.search(hit.before(_NEAR)))


def _patterns(language: str) -> tuple[Pattern, ...]:
    return (
        Pattern(
            DETECTOR, 1, _D,
            rf"(?:^|[^A-Za-z0-9_/+-])(?P<day>[A-Z][A-Za-z]?)[.,)\]]?[ \t]{{1,2}}(?P<v>{_PAIR})",
            partial(lettered, language=language), ("/",), 0.8,
        ),
        Pattern(
            DETECTOR, 1, _D,
            rf"(?P<v>{_PAIR})[ \t]?[(\[](?:(?P<day>[A-Z][a-z]?)|(?:{WEEKDAY})\.?)[)\]]",
            partial(bracketed, language=language), ("/",), 0.9,
        ),
        Pattern(
            DETECTOR, 1, _D,
            rf"(?P<v>{_PAIR}),?[ \t](?:on[ \t])?(?i:{'|'.join(map(fold, WEEKDAYS[language]))})\b",
            followed, ("/",), 0.9,
        ),
    )  # fmt: skip


ENGLISH, SPANISH = _patterns("en"), _patterns("es")
