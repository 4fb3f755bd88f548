"""Tables: what the head of a column says of its cells.

table  = head line, lines of as many cells          cells parted by "|", ";" or tabs, three or more
       | the same, cells parted by two blanks and more, five or more, none of them empty
place  = ("bed" | "room" | "cama" | ...)            "7", "4B", "310-A"
signer = ("init" | "by" | "inic." | "firma" | ...)  two or three letters: "MG", "MG cramps", "jl"
day    = ("date" | "fecha" | "ingreso" | ...)       "5/11"

A head is a line whose cells are words and hold one of these. The table ends before the first line
without the sign that parts its cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.days import day_month
from stream_deid.text.folding import folded

DETECTOR = "headed@1"
_WORDS = Vocabulary("headed")
_SCORE = 0.8
_LEAST_CELLS, _LEAST_FILLED, _LONGEST_HEAD, _MOST_ROWS = 3, 5, 400, 2000
_SIGNS = ("|", "\t", ";", "  ")
_BLANKS = "  "
_FILLED = re.compile(r"[^ \n]+(?: [^ \n]+)*")
_NO_LETTERS = _WORDS.words("no_letters")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of column: its heads, the form of its cells, what they are."""

    head: re.Pattern[str]
    cell: re.Pattern[str]
    type: PhiType


_KINDS = (
    _Kind(
        re.compile(rf"(?i)(?:{_WORDS['places']})[.:#]?"),
        re.compile(r"[A-Za-z]{0,3}-?\d{1,4}(?:[-/ ]?[A-Za-z0-9]{1,2})?"),
        PhiType.LOCATION_OTHER,
    ),
    _Kind(
        re.compile(rf"(?i)(?:{_WORDS['signers']})[.:#]?"),
        re.compile(r"([A-Z]{2,3})(?:[ ,;].*)?|([a-z]{2,3})"),
        PhiType.DOCTOR,
    ),
    _Kind(
        re.compile(rf"(?i)(?:{_WORDS['days']})[.:#]?"),
        re.compile(r"\d{1,2}[/-]\d{1,2}"),
        PhiType.DATE,
    ),
)


def headed(text: str) -> Iterator[Detection]:
    """The cells of the tables of a text that their columns' heads tell."""
    shown = folded(text)
    kinds: dict[int, _Kind] = {}
    sign, at, rows, wide = "", 0, 0, 0
    for line in shown.splitlines(keepends=True):
        start, at = at, at + len(line)
        if sign and sign in line and rows < _MOST_ROWS:
            rows += 1
            cells = _parted(line, sign)
            if sign != _BLANKS or len(cells) == wide:
                yield from _cells(cells, start, kinds)
            continue
        sign, kinds, rows = *_head(line), 0
        wide = len(_parted(line, sign)) if sign else 0


def _head(line: str) -> tuple[str, dict[int, _Kind]]:
    """What parts the cells of a head, and the columns that it tells; nothing of other lines."""
    if len(line) > _LONGEST_HEAD:
        return "", {}
    for sign in _SIGNS:
        cells = [cell.strip() for _, cell in _parted(line, sign)]
        filled = [cell for cell in cells if cell]
        least = _LEAST_FILLED if sign == _BLANKS else _LEAST_CELLS
        if len(filled) < least or any(len(cell) > _LONGEST_LABEL for cell in filled):
            continue
        told = {
            i: kind for i, cell in enumerate(cells) for kind in _KINDS if kind.head.fullmatch(cell)
        }
        if told:
            return sign, told
    return "", {}


_LONGEST_LABEL = 24


def _parted(line: str, sign: str) -> list[tuple[int, str]]:
    """The cells of a line, and where each begins."""
    if sign == _BLANKS:
        return [(cell.start(), cell[0]) for cell in _FILLED.finditer(line)]
    cells, at = [], 0
    for cell in line.split(sign):
        cells.append((at, cell))
        at += len(cell) + 1
    return cells


def _cells(
    cells: list[tuple[int, str]], start: int, kinds: dict[int, _Kind]
) -> Iterator[Detection]:
    for i, (at, cell) in enumerate(cells):
        kind = kinds.get(i)
        found = kind.cell.fullmatch(cell.strip()) if kind is not None else None
        if kind is not None and found is not None:
            value = next(filter(None, found.groups()), found[0])
            if _is_one(value, kind):
                low = start + at + cell.index(value)
                yield Detection(low, low + len(value), kind.type, DETECTOR, _SCORE)


def _is_one(value: str, kind: _Kind) -> bool:
    """No "no" or "n/a" among initials, no score among days."""
    if kind.type is PhiType.DATE:
        return bool(day_month(*(int(n) for n in re.findall(r"\d+", value))))
    return kind.type is not PhiType.DOCTOR or value.lower() not in _NO_LETTERS
