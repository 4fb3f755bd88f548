"""Zones of time: what stands behind a time of day must fit the day that is shown.

`EDT` in December tells that the day was moved over a change of clocks, and with a few visits how
far (docs/attacks.md). Names of zones lose their half of the year (`ET`). Numeric offsets, which
interfaces compute with, are those of the same rule on the shown day: clocks change on the second
Sunday of March and the first of November between -04:00 and -09:00 (15 U.S.C. 260a), on the last
Sundays of March and October from 0 to +03:00 (Directive 2000/84/EC). A place without summer time is
read as one with it; other offsets have none and stay. What a local clock shows never changes.

named   = time ["("] ("EST" | "EDT" | ... | "CEST" | ... | "Eastern Daylight Time" | ...)
numeric = ["T" | "at" | "@"] time ["GMT" | "UTC"] ("+" | "-") hh [":"] mm     "14:05 -0400"
time    = hh [":" mm [":" ss ["." f]]] ["am" | "pm"]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from types import MappingProxyType

Place = tuple[int, int]
_TIME = r"\d{1,2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)?(?:[ \t]?[AaPp]\.?[Mm]\.?)?"
_NAMED = re.compile(
    r"(?:\d{1,2}:\d{2}(?::\d{2})?|\b\d{4}(?:[ \t]?h(?:rs?)?)?|\b\d{1,2}[ \t]?[AaPp]\.?[Mm]\b)"
    r"[ \t]?(?:[AaPp]\.?[Mm]\.?)?[ \t]?\(?"
    r"(AK[SD]T|[ECMPA][SD]T|CES?T|WES?T|EES?T"
    r"|(?:Eastern|Central|Mountain|Pacific) (?:Standard|Daylight) Time)\b"
)
_NUMERIC = re.compile(
    r"[ \t]*(?:[Tt]|,?[ \t]?(?:at|@)?[ \t]?)?"
    + _TIME
    + r"[ \t]?(?:GMT|UTC)?([+-]\d{2}:?\d{2})(?![\d:])"
)
_INSIDE = re.compile(r"\d{2}:?\d{2}(?:\.\d+)?[ \t]?(?:GMT|UTC)?([+-]\d{2}:?\d{2})$")
_EUROPEAN = MappingProxyType({"CES": "CE", "WES": "WE", "EES": "EE"})
_FARTHEST = 48  # characters of a time of day with its zone
_HOUR = 60
_SINCE = 2007  # before, from the first Sunday of April to the last of October


def names(text: str) -> Iterator[tuple[Place, str]]:
    """(place, what is shown) of the names of zones behind times of day that tell their season."""
    for match in _NAMED.finditer(text):
        shown = _nameless(match[1])
        if shown != match[1]:
            yield match.span(1), shown


def _nameless(name: str) -> str:
    if " " in name:
        first, _, last = name.split()
        return f"{first} {last}"
    if name[:-1] in _EUROPEAN:
        return _EUROPEAN[name[:-1]] + "T"
    return name if name in {"CET", "WET", "EET"} else name[:-2] + "T"


def behind(text: str, at: int) -> Place | None:
    """The place of the numeric zone of the time of day that stands at `at`, behind a date."""
    match = _NUMERIC.match(text[at : at + _FARTHEST])
    return None if match is None else (at + match.start(1), at + match.end(1))


def inside(text: str) -> Place | None:
    """The place of the numeric zone at the end of a date with its time of day."""
    match = _INSIDE.search(text)
    return None if match is None else match.span(1)


def on(zone: str, day: date, shown: date) -> str:
    """A numeric zone of `day` as the same place has it on the day that is shown."""
    minutes = (int(zone[1:3]) * _HOUR + int(zone[-2:])) * (-1 if zone[0] == "-" else 1)
    usual = _usual(minutes, day)
    if usual is None:
        return zone
    made = usual + _HOUR * _is_summer(shown, american=usual < 0)
    sign = "-" if made < 0 else "+"
    hours, rest = divmod(abs(made), _HOUR)
    return f"{sign}{hours:02d}{':' if ':' in zone else ''}{rest:02d}"


def _usual(minutes: int, day: date) -> int | None:
    """The zone's offset outside of summer; None where it has no summer time."""
    usual = minutes - _HOUR * _is_summer(day, american=minutes < 0)
    american = usual >= -9 * _HOUR and minutes <= -4 * _HOUR
    listed = american if minutes < 0 else 0 <= usual <= 2 * _HOUR
    return usual if listed and minutes % _HOUR == 0 else None


def _is_summer(day: date, *, american: bool) -> bool:
    if american and day.year < _SINCE:
        return _sunday(day.year, 4, 1) <= day < _sunday(day.year, 10, 25)
    if american:
        return _sunday(day.year, 3, 8) <= day < _sunday(day.year, 11, 1)
    return _sunday(day.year, 3, 25) <= day < _sunday(day.year, 10, 25)


def _sunday(year: int, month: int, first: int) -> date:
    """The first Sunday not before a day of a month."""
    start = date(year, month, first)
    return start + timedelta(6 - start.weekday())
