"""What speaks for and against a pair of numbers being a day, as names of features.

words   = those before and behind it, alone, in twos and with its numbers; how they begin and end
line    = its place on the line, the line's first word, the signs beside it
numbers = both, which is larger, whether they can be month and day in the text's own order
others  = pairs of the same second number (scores of one scale), of the same first one, how near
          in time the text's other pairs and full dates lie
rules   = what the grammars of scores, doses and events say of it
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from stream_deid.detect.pairs.written import Pair
from stream_deid.detect.patterns.dates import events, fractions
from stream_deid.detect.patterns.dates.digits import DATED_WEEKDAY, WEEKDAY
from stream_deid.detect.quantities.clinical import dated, harmless
from stream_deid.labels import PhiType

_TOKEN = re.compile(
    r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+(?:[.,:/-]\d+)*|\n|[ \t]{2,}|\t|[^\w\s]", re.ASCII
)
_FULL = re.compile(
    r"(?<!\d)(?:(\d{1,2})[/.-](\d{1,2})[/.-](?:19|20)?\d\d|(?:19|20)\d\d-?(\d\d)-?(\d\d))(?!\d)"
)
_FIGURES = re.compile(r"\d+")
_WEEKDAY_BEFORE = re.compile(rf"(?i)\b{DATED_WEEKDAY}[ ]$")
_WEEKDAY_BEHIND = re.compile(rf"(?i),?[ ]\(?{WEEKDAY}\b")
_BEFORE, _AFTER, _LEFT, _RIGHT = 60, 40, 7, 5
_YEAR, _DAYS = 2023, 365
_NEAR = (0, 7, 30, 60, 120)
_SHORT, _BESIDE, _MONTHS = 90, 40, 12


@dataclass(frozen=True, slots=True)
class Days:
    """How far from a day of a year the next of some days lies, as the place in `_NEAR`."""

    marked: tuple[int, ...]

    @classmethod
    def of(cls, days: Iterable[int]) -> Days:
        """Of days of the year (1 to 365)."""
        return cls(tuple(sorted({day % _DAYS for day in days})))

    def apart(self, day: int) -> int:
        """The place in `_NEAR` of a day's distance; -1 where there are none."""
        if not self.marked:
            return -1
        at = bisect_left(self.marked, day % _DAYS)
        before, behind = self.marked[at - 1], self.marked[at % len(self.marked)]
        return bisect_left(_NEAR, min((day - before) % _DAYS, (behind - day) % _DAYS))


def day_of(first: int, second: int, *, day_first: bool) -> int | None:
    """The day of a year without a leap day, in the text's order where that is one."""
    month, day = (second, first) if day_first else (first, second)
    return _day(month, day) or _day(day, month)


def _days_of_the_year() -> dict[tuple[int, int], int]:
    first = date(_YEAR, 1, 1)
    days = ((first + timedelta(n), n + 1) for n in range(_DAYS))
    return {(one.month, one.day): number for one, number in days}


_OF_THE_YEAR = _days_of_the_year()


def _day(month: int, day: int) -> int | None:
    """The number of a day in a year without a leap day; None where there is no such day."""
    return _OF_THE_YEAR.get((month, day))


def full_dates(text: str, *, day_first: bool) -> Iterator[int]:
    """The days of the year of a text's dates with their year, as written in figures."""
    for found in _FULL.finditer(text):
        if found[1]:
            day = day_of(int(found[1]), int(found[2]), day_first=day_first)
        else:
            day = _day(int(found[3]), int(found[4]))
        if day is not None:
            yield day


class Text:
    """A folded text and its pairs, with what is counted once for all of them.

    `told`: the days of the year that full dates tell of, in it or elsewhere in the message.
    """

    def __init__(self, text: str, pairs: Sequence[Pair], told: Days, *, day_first: bool) -> None:
        self.text, self.pairs, self.told, self.day_first = text, pairs, told, day_first
        self.seconds = Counter(one.second for one in pairs)
        self.firsts = Counter(one.first for one in pairs)
        self.days = [day_of(one.first, one.second, day_first=day_first) for one in pairs]
        self.counted = Counter(day for day in self.days if day is not None)
        self._near: dict[tuple[int, int], int] = {}

    def fits(self, pair: Pair) -> bool:
        """Whether a pair can be a day and a month in the order of the text's language."""
        month, day = (pair.second, pair.first) if self.day_first else (pair.first, pair.second)
        return _day(month, day) is not None

    def features(self, at: int) -> list[str]:
        """The features of pair number `at`."""
        pair = self.pairs[at]
        return [
            *self._numbers(pair),
            *self._words(pair),
            *self._line(pair),
            *self._others(at),
            *self._rules(pair),
        ]

    def _numbers(self, pair: Pair) -> Iterator[str]:
        a, b, order, fits = pair.first, pair.second, pair.relation, self.fits(pair)
        yield from (f"a={a}", f"b={b}", order, f"sign={pair.sign}", f"{order}|b={b}", f"ab={a}/{b}")
        yield from (f"fits={fits}|{pair.sign}", f"over={max(a, b) > _MONTHS}|{fits}")

    def _words(self, pair: Pair) -> Iterator[str]:
        left, right, last = _around(self.text, pair)
        order, b = pair.relation, pair.second
        l1, l2, l3 = (left[-n] if len(left) >= n else "<no>" for n in (1, 2, 3))
        r1, r2 = (right[n] if len(right) > n else "<no>" for n in (0, 1))
        yield from (f"L{n}={one}" for n, one in enumerate(reversed(left[-4:]), 1))
        yield from (f"R{n}={one}" for n, one in enumerate(right[:3], 1))
        yield from (f"L12={l2}_{l1}", f"L123={l3}_{l2}_{l1}", f"R12={r1}_{r2}", f"L1R1={l1}_{r1}")
        yield from (f"L1={l1}|b={b}", f"R1={r1}|{order}")
        before = [one for one in left if one[0].isalpha()]
        behind = [one for one in right if one[0].isalpha()]
        word, after = (before or ["<none>"])[-1], (behind or ["<none>"])[0]
        yield from (f"lw={word}", f"rw={after}", f"lw={word}|{order}", f"lw={word}|b={b}")
        yield f"rw={after}|{order}"
        if len(before) > 1:
            yield from (f"lw2={before[-2]}_{word}", f"lw2={before[-2]}")
        yield from (f"bl={one}" for one in before)
        yield from (f"br={one}" for one in behind)
        yield from (f"pre{n}={word[:n]}" for n in (3, 4))
        yield from (f"suf{n}={word[-n:]}" for n in (3, 4))
        yield from (f"rpre={after[:3]}", f"rsuf={after[-3:]}", f"shape={last}")
        yield f"shape={last}|{order}"

    def _line(self, pair: Pair) -> Iterator[str]:
        text, start, end = self.text, pair.start, pair.end
        begins = text.rfind("\n", max(0, start - 400), start) + 1 or max(0, start - 400)
        ends = text.find("\n", end, end + 400)
        ends = min(len(text), end + 400) if ends < 0 else ends
        first = _TOKEN.search(text, begins, ends)
        yield f"first={_norm(first[0]) if first else ''}"
        yield f"bol={not text[begins:start].strip()}|eol={not text[end:ends].strip()}"
        yield from (f"beside={text[start - 1 : start]}{text[end : end + 1]}",)
        yield f"short={len(text) < _SHORT}"

    def _others(self, at: int) -> Iterator[str]:
        pair, day = self.pairs[at], self.days[at]
        yield f"same={min(self.seconds[pair.second] - 1, 3)}"
        yield f"month={min(self.firsts[pair.first] - 1, 3)}"
        yield f"many={min(len(self.pairs), 6)}"
        if day is None:
            yield "noday"
            return
        apart = self.told.apart(day)
        yield from (f"told={apart}", f"told={apart}|{pair.relation}")
        near = [self._within(day, reach) for reach in (7, 30, 60)]
        yield from (f"near={[min(n, 3) for n in near]}", f"near30={min(near[1], 3)}")
        for name, other in (("last", at - 1), ("next", at + 1)):
            if 0 <= other < len(self.pairs):
                yield from self._neighbour(name, pair, day, other)

    def _within(self, day: int, reach: int) -> int:
        """How many other pairs can be days at most `reach` days from one."""
        known = self._near.get((day, reach))
        if known is None:
            days = ((day + apart - 1) % _DAYS + 1 for apart in range(-reach, reach + 1))
            known = self._near[day, reach] = sum(self.counted[one] for one in days) - 1
        return known

    def _neighbour(self, name: str, pair: Pair, day: int, other: int) -> Iterator[str]:
        beside, when = self.pairs[other], self.days[other]
        if abs(beside.start - pair.start) >= _BESIDE:
            return
        if beside.second == pair.second:
            yield f"{name}=second"
        elif beside.first == pair.first:
            yield f"{name}=first"
        else:
            gap = abs(day - when) if when is not None else _DAYS
            yield f"{name}={'near' if min(gap, _DAYS - gap) <= 45 else 'far'}"

    def _rules(self, pair: Pair) -> Iterator[str]:
        text, start, end = self.text, pair.start, pair.end
        before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
        line = before.rpartition("\n")[2]
        said = {
            "score": fractions.scored(line),
            "drug": fractions.sold(line + text[start:end]),
            "counted": fractions.counted(pair.first, pair.second, after),
            "course": fractions.course(pair.first, pair.second, before),
            "measured": fractions.measured(after),
            "happened": events.happened(before),
            "resulted": events.resulted(before, after),
            "likely": events.likely(before, after),
            "timed": events.timed(before, after),
            "bottles": events.bottles(pair.first, pair.second, before, after),
            "harmless": harmless(text, start, end, PhiType.DATE),
            "dated": dated(text, start, end),
            "weekday": weekday_beside(text, pair),
            "zero": padded(text, pair),
        }
        for name, holds in said.items():
            if holds:
                yield from (f"rule={name}", f"rule={name}|{pair.relation}")


def weekday_beside(text: str, pair: Pair) -> bool:
    """Whether a day of the week stands right before or behind a pair of a folded text."""
    before = _WEEKDAY_BEFORE.search(text[max(0, pair.start - _BEFORE) : pair.start])
    return bool(before or _WEEKDAY_BEHIND.match(text, pair.end))


def padded(text: str, pair: Pair) -> bool:
    """Whether a zero stands before one of its figures ("08/25")."""
    return text[pair.start] == "0" or f"{pair.sign}0" in text[pair.start : pair.end]


def _around(text: str, pair: Pair) -> tuple[list[str], list[str], str]:
    """The tokens before and behind a pair, and the form of the last one before it."""
    left, right = text[max(0, pair.start - _BEFORE) : pair.start], text[pair.end :][:_AFTER]
    before, behind = _TOKEN.findall(left)[-_LEFT:], _TOKEN.findall(right)[:_RIGHT]
    shape = _shape(before[-1]) if before else "no"
    begins = pair.start <= _BEFORE and len(before) < _LEFT
    ends = len(right) < _AFTER and len(behind) < _RIGHT
    left_names = [*(["<bos>"] if begins else []), *map(_norm, before)]
    return left_names, [*map(_norm, behind), *(["<eos>"] if ends else [])], shape


def _norm(token: str) -> str:
    """A token without case; figures by how many they are."""
    if token.isspace():
        return "<nl>" if "\n" in token else "<gap>"
    if token[0].isdigit():
        return _FIGURES.sub(lambda found: "9" * min(len(found[0]), 3), token)
    return token.lower()


def _shape(token: str) -> str:
    if token.isspace():
        return "gap"
    if token.isupper():
        return "AA" if len(token) > 1 else "A"
    return "Aa" if token.istitle() else "a" if token.islower() else "x"
