"""Rows of scores with their days: "Pain 6/10 3/2, 4/10 3/5", "quad 3/5 on 3/2, 4/5 on 3/9".

row  = item link item ...         two items and more on one line
item = n "/" (5 | 10) ["on" | "@" | "("] n "/" n [")"]
link = ("," | ";") ["and" | "then"] | "to" | "->"

One scale for all, no more points than it has, and days that can be ones and go on. Of two such
pairs the judge sees fractions alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from stream_deid.text.days import day_month
from stream_deid.text.folding import folded
from stream_deid.text.linear import Match, linear

_AROUND = 120
_ITEM = linear(
    r"(?i)(?:^|[ (,;:])(\d{1,2}/(?:5|10))[ ](?:on |@ ?|\()?(\d{1,2}/\d{1,2})"
    r"(?:\)|[^\d/%.]|$|[.](?:\D|$))"
)
_LINK = linear(r"(?i)[)]?(?:[,;] ?(?:and |then |now )?| (?:to|then|->|>) )")


def is_day(text: str, start: int, end: int) -> bool:
    """Whether a pair is one of the days of a row of scores."""
    return _place(text, start, end, 2)


def is_score(text: str, start: int, end: int) -> bool:
    """Whether a pair is one of the scores of such a row."""
    return _place(text, start, end, 1)


def _place(text: str, start: int, end: int, group: int) -> bool:
    low = max(0, start - _AROUND, text.rfind("\n", 0, start) + 1)
    line = folded(text[low : end + _AROUND].partition("\n")[0])
    at = (start - low, end - low)
    return any(_fits(row) and any(one.span(group) == at for one in row) for row in _rows(line))


def _rows(line: str) -> Iterator[list[Match]]:
    """The rows of items that follow one another."""
    row: list[Match] = []
    for one in _ITEM.finditer(line):
        if row and not _LINK.fullmatch(line[row[-1].end(2) : one.start(1)]):
            yield row
            row = []
        row.append(one)
    yield row


def _fits(row: list[Match]) -> bool:
    if len(row) <= 1:
        return False
    scores = [tuple(map(int, one[1].split("/"))) for one in row]
    days = [tuple(map(int, one[2].split("/"))) for one in row]
    scales = {scale for _, scale in scores}
    return (
        len(scales) == 1
        and all(points <= scale for points, scale in scores)
        and all(day_month(*day) for day in days)
        and len({second for _, second in days} | scales) > 1
        and (days == sorted(days) or days == sorted(days, key=lambda day: day[::-1]))
    )
