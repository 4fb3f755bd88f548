"""A last look at what a message keeps: codes, numbers and control fields that may hold a person.

The field map trusts a field by its place. Senders put an SSN beside its field, a record number
into an order's code, a time stamp into a counter, and a broken text joins the field before it. So
whatever stays is searched for what the message itself says of its people, for identifiers of
fixed form and for dates (beside a shifted date they would tell the shift). A hit is declared like
any other identifier; prose is examined as free text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from stream_deid.formats.hl7.builder import Builder
from stream_deid.formats.hl7.syntax import CHARSETS
from stream_deid.formats.people import Fact
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.note import Span

_WORDS_OF_A_CODE = 4
_LONGEST_CODE = 120
_MIN_NUMBER = 5
_LONG_NUMBER = 7
"""Shorter ones may be a quantity or part of a public code."""
_MIN_NAME = 4
_MEASURED = ("OBX", "RXA", "RXC", "RXD", "RXE", "RXG", "RXO", "RXR", "TQ1", "FT1")
"""Segments whose numbers are values, doses and amounts."""
_NEAR = timedelta(days=400)
_CLOCKS = {10: 1, 13: 1000}
"""Digits of a clock's count, and its counts in a second."""
_LEAST_LONE, _ROUND = 6, "000"
_NORTH_AMERICAN = re.compile(r"[2-9]\d\d[2-9]\d{6}")

_EDGE = r"(?<![\w.@-])"
_HOST = r"[\w+-]{1,64}(?:\.[\w+-]{1,64}){0,8}"
_FIXED = (
    (PhiType.SSN, re.compile(_EDGE + r"\d{3}-\d{2}-\d{4}(?![\w.-])")),
    (PhiType.PHONE, re.compile(_EDGE + r"(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4}(?![\w.-])")),
    (PhiType.EMAIL, re.compile(rf"{_EDGE}{_HOST}@{_HOST}\.[\w-]{{2,24}}")),
)
_DIGITS = re.compile(r"\d+")
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_WRITTEN_DAY = re.compile(rf"{_EDGE}\d{{1,2}}([-/.])\d{{1,2}}\1(?:19|20)\d\d(?![\w.-])")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Kept:
    """A leaf that stays: `[start, end)` of the message; `vocabulary`: of a public coding system,
    `number`: the code itself of one whose codes are long numbers.
    """

    start: int
    end: int
    path: str
    vocabulary: bool = False
    number: bool = False


@dataclass(frozen=True, slots=True)
class _Told:
    """What the message says of its people: numbers by their letters and digits, words, dates."""

    numbers: dict[str, PhiType] = field(repr=False)
    names: dict[str, PhiType] = field(repr=False)
    days: frozenset[date] = field(repr=False)


def look_again(out: Builder, kept: Sequence[Kept], unmeasured: Collection[str] = ()) -> None:
    """Declare or examine whatever identifies in the leaves that stay.

    `unmeasured`: paths of results without a unit.
    """
    told = _told(out)
    numbers = _any_of(told.numbers)
    for leaf in kept:
        text = out.decoded(leaf.start, leaf.end).text
        if leaf.path.startswith("MSH[1]-18") and text.strip().upper() in CHARSETS:
            continue  # how the message is to be read, whatever else is called so
        if _is_prose(text):
            out.examine(list(_lines(out.message.text, leaf)), leaf.path)
        elif leaf.path in unmeasured and (phi := _number_of_a_person(text.strip(), told)):
            out.declare_within(leaf.start, leaf.end, leaf.path, [Span(0, len(text), phi)])
        elif any(c.isalnum() for c in text) and (spans := _spans(text, leaf, told, numbers)):
            out.declare_within(leaf.start, leaf.end, leaf.path, spans)


def _number_of_a_person(value: str, told: _Told) -> PhiType | None:
    """What a lone number without a unit is, in a result: one of the record's own, written with
    fewer zeros; a telephone number of North America; a clock's count near the message's dates.
    """
    if not value.isdecimal() or len(value) < _LEAST_LONE:
        return None
    own = (phi for number, phi in told.numbers.items() if number.lstrip("0") == value.lstrip("0"))
    if (found := next(own, None)) is not None:
        return found
    if _NORTH_AMERICAN.fullmatch(value) and not value.endswith(_ROUND):
        return PhiType.PHONE
    counted = len(value) in _CLOCKS and any(_is_near(day, told.days) for day in _counted(value))
    return PhiType.IDNUM if counted else None


def _is_prose(text: str) -> bool:
    """No code and no name of a program: a text that lost its place."""
    return (
        "\r" in text
        or "\n" in text
        or len(text) > _LONGEST_CODE
        or len(text.split()) > _WORDS_OF_A_CODE
    )


def _lines(text: str, leaf: Kept) -> Iterator[tuple[int, int]]:
    """The places of the leaf's lines."""
    for match in re.finditer(r"[^\r\n]+", text[leaf.start : leaf.end]):
        yield leaf.start + match.start(), leaf.start + match.end()


def _told(out: Builder) -> _Told:
    numbers: dict[str, PhiType] = {}
    names: dict[str, PhiType] = {}
    days: set[date] = set()
    for piece in out.facts:
        if piece.role in ("check", "oid", "area", "extension"):
            continue
        if piece.type in NUMBERS or piece.type is PhiType.PHONE:
            bare = _bare(piece.value)
            if len(bare) >= _MIN_NUMBER and any(c.isdecimal() for c in bare):
                numbers.setdefault(bare, piece.type)
        elif piece.type in PERSONS:
            names.update(_names(piece))
    for part in out.parts:
        for span in part.declared:
            if span.type is PhiType.DATE:
                days.update(_days(part.text[span.start : span.end]))
    return _Told(numbers, names, frozenset(days))


def _names(piece: Fact) -> Iterator[tuple[str, PhiType]]:
    if piece.role in ("family", "given", "full", "middle", ""):
        for match in _WORD.finditer(piece.value):
            if len(match.group()) >= _MIN_NAME:
                yield match.group().casefold(), piece.type


def _bare(value: str) -> str:
    return "".join(c for c in value if c.isalnum()).casefold()


def _any_of(values: Iterable[str]) -> re.Pattern[str] | None:
    """Any of the numbers, whatever separates their characters, not cut out of a longer number;
    short ones stand alone.
    """
    spelled = [
        r"[-. /]?".join(map(re.escape, value)) + ("" if len(value) >= _LONG_NUMBER else r"(?!-?\w)")
        for value in sorted(values, key=lambda value: (-len(value), value))
    ]
    return re.compile(rf"(?<!\d)(?:{'|'.join(spelled)})(?!\d)", re.IGNORECASE) if spelled else None


def _spans(text: str, leaf: Kept, told: _Told, numbers: re.Pattern[str] | None) -> list[Span]:
    whole = [Span(0, len(text), PhiType.IDNUM)]
    if _tells_a_day(text, told.days):
        return whole
    found = [
        Span(*match.span(), phi) for phi, pattern in _FIXED for match in pattern.finditer(text)
    ]
    if numbers is not None:
        found += (
            Span(*match.span(), told.numbers[_bare(match.group())])
            for match in numbers.finditer(text)
            if len(_bare(match.group())) >= _LONG_NUMBER or not _may_be_clinical(text, leaf)
        )
    found += (Span(*match.span(), PhiType.DATE) for match in _WRITTEN_DAY.finditer(text))
    if not leaf.vocabulary:
        found += (
            Span(*match.span(), told.names[match.group().casefold()])
            for match in _WORD.finditer(text)
            if match.group().casefold() in told.names
        )
    return _disjoint(found)


def _may_be_clinical(text: str, leaf: Kept) -> bool:
    return leaf.vocabulary or (leaf.path.startswith(_MEASURED) and not any(map(str.isalpha, text)))


def _disjoint(spans: list[Span]) -> list[Span]:
    taken: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not taken or span.start >= taken[-1].end:
            taken.append(span)
    return taken


def _days(text: str) -> Iterator[date]:
    for match in _DAY.finditer(text):
        if (day := _day(*match.groups())) is not None:
            yield day


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _tells_a_day(text: str, days: frozenset[date]) -> bool:
    """Whether a run of digits holds a date of the message."""
    forms = {f"{d:{form}}" for d in days for form in ("%Y%m%d", "%d%m%Y", "%m%d%Y")}
    return any(
        run[i : i + 8] in forms for run in _DIGITS.findall(text) for i in range(len(run) - 7)
    )


def _counted(run: str) -> Iterator[date]:
    """The dates of clocks that count seconds or milliseconds since 1970."""
    for length, unit in _CLOCKS.items():
        if len(run) >= length:
            yield datetime.fromtimestamp(int(run[:length]) / unit, UTC).date()


def _is_near(day: date, days: frozenset[date]) -> bool:
    return any(abs(day - other) < _NEAR for other in days)
