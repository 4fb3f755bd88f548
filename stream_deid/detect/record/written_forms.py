"""Written forms of dates and numbers that a message states."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial

from stream_deid.budget import check
from stream_deid.detect.record.sought import Sought
from stream_deid.lists.calendar import MONTHS
from stream_deid.lists.numbers import UNITS
from stream_deid.text.days import day_month, is_stamp
from stream_deid.text.folding import fold
from stream_deid.text.look_alikes import may_be, shape
from stream_deid.text.memo import remembered
from stream_deid.text.view import View

_EN, _ES = MONTHS["en"], MONTHS["es"]
_LEAST_DIGITS = 4
_LEAST_LABELLED = 5
_RUN = re.compile(r"[A-Z0-9]+")
_WORD = re.compile(r"[a-z0-9]+")
_DIGITS = re.compile(r"[0-9]+")
_GAP = re.compile(r"[ \-./()\t_]{1,2}")
_PIECE = re.compile(r"[A-Z]+|[0-9]+")
_SAID = {fold(UNITS[code][n]).upper(): str(n) for code in ("en", "es") for n in range(10)} | {
    "UNO": "1", "OH": "0", "O": "0",
}  # fmt: skip
"""Words that say one digit."""
_WIDE = re.compile(r"[^A-Za-z0-9]{1,6}")
"""What may part the digits of a number that is long enough to be no other."""
_DAY = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.]\d\d(?:\d\d)?")
_A_DAY = 8
_BEGINNING = 2
SURE_DIGITS = 6
"""Of so many digits a number of the record is that number, whatever touches it."""


def stated_day(value: str) -> date | None:
    """A date as formats hand it over: ISO 8601 or HL7 (`yyyymmdd...`)."""
    digits = "".join(c for c in value[:10] if c.isdecimal())[:8]
    if len(digits) < 8:
        return None
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None


def date_forms(value: str) -> tuple[str, ...]:
    """Lower-case, unaccented ways to write the whole date, both languages; none if unparsable."""
    day = stated_day(value)
    if day is None:
        return ()
    y, m, d = day.year, day.month, day.day
    years = (f"{y}", f"{y % 100:02d}")
    forms = [f"{y}{m:02d}{d:02d}", f"{m:02d}{d:02d}{y}", f"{d:02d}{m:02d}{y}", f"{day:%Y-%j}"]
    for sep in "/-.":
        forms += [f"{y}{sep}{m:02d}{sep}{d:02d}", f"{y}{sep}{m}{sep}{d}"]
        for year in years:
            for a, b in ((m, d), (d, m)):
                forms += [f"{a}{sep}{b}{sep}{year}", f"{a:02d}{sep}{b:02d}{sep}{year}"]
                forms += [f"{a}{sep}{b:02d}{sep}{year}", f"{a:02d}{sep}{b}{sep}{year}"]
    for name in (_EN[m - 1], _EN[m - 1][:3], _EN[m - 1][:3] + "."):
        for nth in (str(d), f"{d:02d}", f"{d}{_suffix(d)}"):
            forms += [f"{name} {nth}, {y}", f"{name} {nth} {y}", f"{nth} {name} {y}"]
            forms += [f"{nth} {name}, {y}", f"{nth} of {name} {y}", f"{nth} of {name}, {y}"]
    for sep in ("-", " ", ""):
        for year in years:
            forms.append(f"{d:02d}{sep}{_EN[m - 1][:3]}{sep}{year}")
            forms.append(f"{d}{sep}{_EN[m - 1][:3]}{sep}{year}")
            forms.append(f"{d}{sep}{_ES[m - 1][:3]}{sep}{year}")
    for nth in (str(d), f"{d:02d}"):
        forms += [f"{nth} de {_ES[m - 1]} de {y}", f"{nth} de {_ES[m - 1]} del {y}"]
        forms += [f"{nth} {_ES[m - 1]} {y}", f"{nth} de {_ES[m - 1]} {y}"]
    return tuple(dict.fromkeys(forms))


def _suffix(day: int) -> str:
    if 10 <= day <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def number_key(value: str) -> str:
    """Letters and digits of an identifier, upper-case; empty if it has too few digits."""
    key = "".join(c for c in value.upper() if c.isalnum() and c.isascii())
    return key if sum(c.isdecimal() for c in key) >= _LEAST_DIGITS else ""


def figures_in(key: str) -> Iterator[str]:
    """What of a number's letters and digits is so many digits in a row that it is that number
    without its letters too ("MRN84736251"); no day of the calendar among letters ("CT20250314").
    """
    for run in _DIGITS.findall(key):
        if len(run) >= SURE_DIGITS and (run == key or not is_stamp(run[:_A_DAY])):
            yield run


class SoughtNumbers:
    """Numbers whose letters and digits are looked for all at once, with any separators between.

    Leading zeros of a number may be missing, and a country code "1" before ten digits. A long one
    of digits may be touched by letters ("x40817263"), have any signs between its digits, and some
    letters that are drawn like them; so may the digits of one that has letters, and itself
    ("AB12C34S"). A long one with letters may be touched by others and have any signs in it
    ("XAB12:C345"). Digits may be said ("four four eight 291").
    """

    __slots__ = ("_drawn", "_lettered", "_others", "_shapes", "_sure")

    def __init__(self, values: Iterable[str]) -> None:
        said = [own for value in values for own in (value, _behind_label(value))]
        keys = [key for key in map(number_key, said) if key]
        sure = dict.fromkeys(_least(run) for key in keys for run in figures_in(key))
        self._sure = Sought(sure)
        others = [key for key in keys if not key.isdecimal() or len(key) < SURE_DIGITS]
        lettered = [key for key in others if len(key) > SURE_DIGITS]
        self._lettered = Sought(lettered)
        self._others = Sought(_least(key) for key in others)
        self._shapes: dict[str, list[str]] = {}
        for number in (*sure, *lettered):
            self._shapes.setdefault(shape(number), []).append(number)
        self._drawn = Sought(self._shapes)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where one of them stands in `text` (ASCII), with the zeros before it."""
        upper = text.upper() if self._sure or self._others else ""
        for sought, joins, gap in (
            (self._sure, str.isdecimal, _WIDE),
            (self._lettered, str.isdecimal, _WIDE),
            (self._others, str.isalnum, _GAP),
        ):
            for letters, at in _stretches(upper, gap) if sought else ():
                for first, last in sought.places(letters, partial(_apart, upper, at, joins)):
                    yield _from_zeros(upper, at[first]), at[last - 1] + 1
        yield from self.drawn(text)
        yield from self._said(upper)

    def _said(self, text: str) -> Iterator[tuple[int, int]]:
        """Where one of digits is said, by words for some or all of them."""
        for figures, spans in _said_stretches(text) if self._sure else ():

            def whole(first: int, last: int, spans: Sequence[tuple[int, int]] = spans) -> bool:
                start, end = spans[first][0], spans[last - 1][1]
                return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())

            for first, last in self._sure.places(figures, whole):
                if any(text[a].isalpha() for a, _ in spans[first:last]):
                    yield spans[first][0], spans[last - 1][1]

    def drawn(self, text: str) -> Iterator[tuple[int, int]]:
        """Where one stands with letters for some of its digits ("8473 62S1")."""
        upper = text.upper() if self._drawn else ""
        for letters, at in _stretches(upper, _WIDE) if self._drawn else ():
            fits = partial(self._is_drawn, upper, letters, at)
            for first, last in self._drawn.places(shape(letters), fits):
                yield _from_zeros(upper, at[first]), at[last - 1] + 1

    def _is_drawn(self, text: str, letters: str, at: Sequence[int], first: int, last: int) -> bool:
        written = letters[first:last]
        if not any(may_be(number, written) for number in self._shapes[shape(written)]):
            return False
        runs = _RUN.findall(text, at[first], at[last - 1] + 1)
        mixed = all(any(map(str.isdecimal, run)) for run in runs)
        return mixed and _apart(text, at, str.isalnum, first, last)


def _behind_label(value: str) -> str:
    """The digits behind a word and a blank ("MRN 48213"); nothing for others."""
    label, _, digits = value.rpartition(" ")
    return digits if len(digits) >= _LEAST_LABELLED and digits.isdecimal() and label else ""


def _from_zeros(text: str, start: int) -> int:
    """Where the zeros before a number begin."""
    while start and text[start - 1] == "0":
        start -= 1
    return start


def _least(key: str) -> str:
    """What of a number's letters and digits stands wherever it is written."""
    stripped = key.lstrip("0") if key.isdecimal() else key
    if len(stripped) == 11 and stripped[0] == "1" and stripped.isdecimal():
        stripped = stripped[1:]
    return stripped if len(stripped) >= _LEAST_DIGITS else key


@remembered
def _stretches(text: str, gap: re.Pattern[str]) -> tuple[tuple[str, Sequence[int]], ...]:
    """Letters and digits that nothing but a `gap` parts, and where each of them stands."""
    return tuple(_parted(text, gap))


def _parted(text: str, gap: re.Pattern[str]) -> Iterator[tuple[str, Sequence[int]]]:
    runs: list[str] = []
    at = array("I")
    for run in _RUN.finditer(text):
        if at and not gap.fullmatch(text, at[-1] + 1, run.start()):
            yield "".join(runs), at
            runs, at = [], array("I")
        runs.append(run[0])
        at.extend(range(*run.span()))
    yield "".join(runs), at


@remembered
def _said_stretches(text: str) -> tuple[tuple[str, Sequence[tuple[int, int]]], ...]:
    """Digits, in figures or said, that nothing but signs part, and where each of them stands; only
    where at least one is said.
    """
    return tuple(_said_parted(text))


def _said_parted(text: str) -> Iterator[tuple[str, Sequence[tuple[int, int]]]]:
    figures: list[str] = []
    spans: list[tuple[int, int]] = []
    said = False
    for run in _PIECE.finditer(text) if not _SAID.keys().isdisjoint(_PIECE.findall(text)) else ():
        check()
        digit = _SAID.get(run[0])
        if figures and (
            (digit is None and not run[0].isdecimal())
            or not _WIDE.fullmatch(text, spans[-1][1], run.start())
        ):
            if said:
                yield "".join(figures), spans
            figures, spans, said = [], [], False
        if digit is not None:
            figures.append(digit)
            spans.append(run.span())
            said = True
        elif run[0].isdecimal():
            figures += run[0]
            spans += ((at, at + 1) for at in range(*run.span()))
    if said:
        yield "".join(figures), spans


def _apart(
    text: str, at: Sequence[int], joins: Callable[[str], bool], first: int, last: int
) -> bool:
    """Whether nothing that `joins` touches a number, and it is written as no date; zeros may stand
    before it.
    """
    start, end = at[first], at[last - 1] + 1
    before = text[max(0, start - 1) : start]
    if (joins(before) and before != "0") or joins(text[end : end + 1]):
        return False
    day = _DAY.fullmatch(text, start, end)
    return day is None or not day_month(int(day[1]), int(day[2]))


class WrittenForms:
    """Phrases that are looked for all at once, whatever their case."""

    __slots__ = ("_forms", "_sizes")

    def __init__(self, forms: Iterable[str]) -> None:
        self._forms = frozenset(forms)
        sizes: dict[str, set[int]] = {}
        for form in self._forms:
            sizes.setdefault(form[:_BEGINNING], set()).add(len(form))
        self._sizes = {beginning: sorted(found) for beginning, found in sizes.items()}

    def __len__(self) -> int:
        return len(self._forms)

    def spans(self, view: View) -> Iterator[tuple[int, int]]:
        """Where one of them stands as a whole."""
        for run in _WORD.finditer(view.lower) if self._forms else ():
            start = run.start()
            for size in self._sizes.get(view.lower[start : start + _BEGINNING], ()):
                end = start + size
                whole = not view.lower[end : end + 1].isalnum()
                if whole and view.lower[start:end] in self._forms:
                    yield start, end


def phrases(view: View, forms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Occurrences of whole phrases, without regard to case."""
    for form in forms:
        at = view.lower.find(form)
        while at >= 0:
            end = at + len(form)
            if (
                not (view.lower[at - 1 : at].isalnum() and at)
                and not view.lower[end : end + 1].isalnum()
            ):
                yield at, end
            at = view.lower.find(form, at + 1)
