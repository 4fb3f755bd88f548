"""Reading a date as it is written: which characters are its day, month, year and weekday.

A reading never throws layout away: it is a list of slots (places in the text with the form in
which they are written), so that a shifted date can be written back into the same places. Times
of day, zones and the words around a date stay. What holds a word or a number that the grammar
does not know is not read at all (`None`), and gets a tag: nothing is kept by accident.
"""

from __future__ import annotations

from dataclasses import replace

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.dates.reading.day_of_year import counts_days, read_counted
from stream_deid.surrogate.dates.reading.items import DateItem, items_of
from stream_deid.surrogate.dates.reading.partial import read_part
from stream_deid.surrogate.dates.reading.slots import (
    DateReading,
    Slot,
    full_year,
    is_valid,
    read_run,
)
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear
from stream_deid.text.memo import remembered
from stream_deid.text.years import is_possible

_RANGE_WORDS = Vocabulary("dates_words", "surrogates").words("ranges")
_ANY_PIVOT = 2050
_DASHES = "-–—"
_OF_THE = {"del": "de", "del mes": "de", "de mes": "de", "del año": "de", "de año": "de"}
_FIELD_MARKS = frozenset({"/", "-", ".", "–", "—", "", "'", "’", "/'", "de", "del", "\\"})


def read(text: str, language: str, *, day_first: bool, pivot: int) -> list[DateReading] | None:
    """The dates that `text` states, in order, or None where it can't be read with certainty.

    `language` is `en` or `es`; `day_first` settles 3/4; two-digit years are taken as the last
    such year not after `pivot`.
    """
    found = _read(text, language, day_first, _ANY_PIVOT)
    if found is not None and not any(_short_year(r) for r in found):
        return found
    return _read(text, language, day_first, pivot)


def _short_year(r: DateReading) -> bool:
    """Whether the pivot decides about the year of a date."""
    return any(slot.part == "y" and slot.form != "4" for slot in r.slots) or "y" in r.borrowed


_MOST_ITEMS = 60
"""Numbers and words of a row of dates; more are no row that anybody reads."""
_Rests = dict[int, list[DateReading] | None]


@remembered
def _read(text: str, language: str, day_first: bool, pivot: int) -> list[DateReading] | None:
    compact = read_run(text, day_first=day_first, pivot=pivot)
    if compact is not None:
        return compact
    counted = read_counted(text)
    if counted is not None:
        return counted
    part = read_part(text, language, pivot)
    items = items_of(text, language) if part is None else None
    if items is None or len(items) > _MOST_ITEMS:
        return part
    if len(items) == 1 and items[0].kind == "N" and items[0].form == "2" and items[0].value > 31:
        return None if counts_days(text) else [_reading({"y": items[0]}, pivot)]
    if len(items) == _TWO and _FOLLOWING.fullmatch(text) and _next_year(items):
        return [_reading({"y": item}, pivot) for item in items]
    readings = _readings(items, {}, day_first=day_first, pivot=pivot)
    return readings if readings and all(is_valid(r) for r in readings) else None


def _next_year(items: list[DateItem]) -> bool:
    """Whether the second number is the year after the first ("2023-24", a winter)."""
    return (items[0].value + 1) % 100 == items[1].value


_TWO, _FOLLOWING = 2, linear(r"(?:19|20)\d\d[-/–]\d\d")


def _readings(
    items: list[DateItem], known: _Rests, *, day_first: bool, pivot: int
) -> list[DateReading] | None:
    """The readings of a row; `known`: those of what is left of it, each found once."""
    if len(items) not in known:
        known[len(items)] = _cut(items, known, day_first=day_first, pivot=pivot)
    return known[len(items)]


def _cut(
    items: list[DateItem], known: _Rests, *, day_first: bool, pivot: int
) -> list[DateReading] | None:
    whole = single(items, day_first=day_first, pivot=pivot)
    if whole is not None:
        return [whole]
    cuts = [(rank, i) for i in range(1, len(items)) if (rank := _parts(items, i)) is not None]
    for _, cut in sorted(cuts):
        left = single(items[:cut], day_first=day_first, pivot=pivot)
        if left is None:
            continue
        right = _readings(items[cut:], known, day_first=day_first, pivot=pivot)
        if left.month is not None and _day_and_year(items[cut:]):
            right = [_reading({"d": items[cut], "y": items[cut + 1]}, pivot)]
        pair = _shared(left, right[0]) if right else None
        if right and pair is not None:
            return [*pair, *_lent(pair[1], right[1:])]
    return None


def _lent(first: DateReading, rest: list[DateReading]) -> list[DateReading]:
    """Further days of a row with the month that the one before has ("3/4, 5, and 6")."""
    out = [first]
    for one in rest:
        pair = _shared(out[-1], one) if one.month is None else None
        out.append(pair[1] if pair else one)
    return out[1:]


def _day_and_year(items: list[DateItem]) -> bool:
    """`7, 2014` after `March 3-`."""
    return (
        len(items) == 2
        and items[0].kind in "NO"
        and items[0].form != "4"
        and _is_year(items[1])
        and items[1].before.strip() in {",", ""}
    )


_IN_A_ROW, _BESIDE, _TIES = -1, {"", ";", "+", "|"}, {"/", "-", "."}


def _joins(between: str) -> int | None:
    """How surely the text between two items joins two dates (0 most), None where it can't."""
    shown = fold(between).strip(" ,.")
    if any(w in _RANGE_WORDS for w in shown.split()) or "&" in shown:
        return 0
    if shown and set(shown) <= set(_DASHES):
        return 1 if between != shown else 2
    if shown == "" and "," in between:
        return 3
    return None


def _parts(items: list[DateItem], i: int) -> int | None:
    """As `_joins`, of what stands before item `i`; of dates in a row it is surest."""
    joined = _joins(items[i].before)
    return _IN_A_ROW if joined is None and _stand_in_a_row(items, i) else joined


def _stand_in_a_row(items: list[DateItem], i: int) -> bool:
    """Whether two dates in figures stand beside each other ("6/8 6/9", "6/8; 6/9", "6/8+6/9")."""
    within = (items[i - 1].before, items[i + 1].before if i + 1 < len(items) else "")
    return items[i].before.strip() in _BESIDE and all(one in _TIES for one in within)


def _is_range(between: str) -> bool:
    rank = _joins(between)
    return rank is not None and rank <= 2 and between.strip(" ,.") != ""


def _shared(left: DateReading, right: DateReading) -> tuple[DateReading, DateReading] | None:
    """Two dates of one span lend each other the month and year that only one of them states."""
    if left.holiday or right.holiday or left.season is not None or right.season is not None:
        return left, right
    if left.month is None and right.month is not None and left.day is not None:
        left = replace(left, month=right.month, borrowed=left.borrowed | {"m"})
    if right.month is None and left.month is not None and right.day is not None:
        right = replace(right, month=left.month, borrowed=right.borrowed | {"m"})
    if left.year is None and right.year is not None and left.month is not None:
        year = right.year
        if right.month is not None and (left.month, left.day or 0) > (right.month, right.day or 31):
            year -= 1
        left = replace(left, year=year, borrowed=left.borrowed | {"y"})
    if right.year is None and left.year is not None and right.month is not None:
        right = replace(right, year=left.year, borrowed=right.borrowed | {"y"})
    return (left, right) if is_valid(left) and is_valid(right) else None


def single(items: list[DateItem], *, day_first: bool, pivot: int) -> DateReading | None:
    """One date from items, or None where they are none or more than one.

    `day_first` settles 3/4, `pivot` is the last year that two digits can mean.
    """
    weekdays = [i for i in items if i.kind == "W"]
    core = [i for i in items if i.kind != "W"]
    if len(weekdays) > 1 or len(core) > 3:
        return None
    kinds = "".join(i.kind for i in core)
    named: dict[str, DateItem] | None
    if kinds == "":
        named = {}
    elif kinds in {"H", "S", "HN", "SN", "HA", "SA"}:
        named = _with_year(core)
    elif "M" in kinds or "R" in kinds:
        named = _worded(core, kinds)
    else:
        named = _numeric(core, kinds, day_first=day_first)
    if named is None or (not named and not weekdays):
        return None
    if weekdays:
        named["w"] = weekdays[0]
    return _reading(named, pivot)


def _with_year(core: list[DateItem]) -> dict[str, DateItem] | None:
    named = {"h" if core[0].kind == "H" else "s": core[0]}
    if len(core) > 1:
        if core[1].kind == "N" and core[1].form == "1":
            return None
        named["y"] = core[1]
    return named


def _worded(  # noqa: PLR0911 - one return for each order of month, day and year
    core: list[DateItem], kinds: str
) -> dict[str, DateItem] | None:
    """Dates with a month in letters, or in Roman digits between numbers."""
    if kinds.count("M") + kinds.count("R") != 1 or (kinds == "R"):
        return None
    at = next(i for i, item in enumerate(core) if item.kind in "MR")
    month = core[at]
    others = [item for item in core if item is not month]
    named = {"m": month}
    if not others:
        return named
    if len(others) == 1:
        short = at == 0 and _is_short_year(month, others[0])
        named["y" if _is_year(others[0]) or short else "d"] = others[0]
        return named
    first, second = others
    if _is_year(first) and not _is_year(second) and first.form == "4":
        return {**named, "y": first, "d": second}
    if second.kind == "O" or second.form == "1" or _is_year(first) or at > 1:
        return None
    slashed = at == 0 and "/" in second.before and not _is_year(second)
    if slashed and month.language == "en" and second.value >= first.value:
        return None  # two days; "July 23/19" is of 2019
    if at != 1 and _is_range(second.before) and core[1].before.strip() not in _DASHES:
        return None
    if (
        second.form == "2"
        and second.kind != "A"
        and second.value <= 31
        and _is_range(second.before)
    ):
        dashes = [item.before.strip() for item in core[1:]]
        if dashes[0] != dashes[1]:
            return None
    return {**named, "d": first, "y": second}


def _is_short_year(month: DateItem, item: DateItem) -> bool:
    """`nov/24`, `nov-22` in Spanish, where days stand before their months."""
    return month.language == "es" and item.form == "2" and item.before.strip() in ("/", "-")


def _is_year(item: DateItem) -> bool:
    return item.kind == "A" or (item.kind == "N" and (item.form == "4" or item.value > 31))


def _numeric(core: list[DateItem], kinds: str, *, day_first: bool) -> dict[str, DateItem] | None:
    if len(core) == 1:
        item = core[0]
        if item.kind == "A" or item.form == "4":
            return {"y": item} if item.kind == "A" or is_possible(item.value) else None
        return {"d": item} if 1 <= item.value <= 31 else None
    if not set(kinds) <= {"N", "A"}:
        return None
    marks = [_OF_THE.get(mark, mark) for mark in (item.before.strip() for item in core[1:])]
    if any(m not in _FIELD_MARKS for m in marks):
        return None
    if len(core) == 3:
        return (
            _three(core, day_first=day_first)
            if marks[0] == marks[1] or core[2].kind == "A"
            else None
        )
    return _two(core, marks[0], day_first=day_first)


def _three(core: list[DateItem], *, day_first: bool) -> dict[str, DateItem] | None:
    a, b, c = core
    if a.form == "4" or (a.value > 31 and a.form == "2"):
        m, d = (b, c) if b.value <= 12 else (c, b)
        return {"y": a, "m": m, "d": d} if m.value <= 12 and d.value <= 31 else None
    d, m = (a, b) if day_first else (b, a)
    if m.value > 12:
        d, m = m, d
    return {"d": d, "m": m, "y": c} if 1 <= m.value <= 12 and 1 <= d.value <= 31 else None


def _two(  # noqa: PLR0911 - one return for each reading of two numbers
    core: list[DateItem], mark: str, *, day_first: bool
) -> dict[str, DateItem] | None:
    a, b = core
    if a.form == "4" and b.form == "4":
        return None
    if b.form == "4" or b.kind == "A":
        return {"m": a, "y": b} if 1 <= a.value <= 12 else None
    if a.form == "4":
        return {"y": a, "m": b} if 1 <= b.value <= 12 else None
    if mark == "":
        return None
    d, m = (a, b) if day_first else (b, a)
    if 1 <= m.value <= 12 and 1 <= d.value <= 31:
        return {"d": d, "m": m}
    if day_first and 1 <= a.value <= 12 and b.form == "2":
        return {"m": a, "y": b}
    if 1 <= d.value <= 12 and 1 <= m.value <= 31:
        return {"d": m, "m": d}
    return {"m": a, "y": b} if 1 <= a.value <= 12 and b.form == "2" else None


def _reading(named: dict[str, DateItem], pivot: int) -> DateReading:
    slots = sorted(
        (
            Slot(part, i.start, i.end, i.form, i.language, i.value, i.name)
            for part, i in named.items()
        ),
        key=lambda slot: slot.start,
    )
    year = named.get("y")
    stated = None
    if year is not None:
        stated = year.value if year.form == "4" else full_year(year.value, pivot)
    return DateReading(
        tuple(slots),
        stated,
        named["m"].value if "m" in named else None,
        named["d"].value if "d" in named else None,
        named["w"].value if "w" in named else None,
        named["h"].name if "h" in named else "",
        named["s"].value if "s" in named else None,
    )
