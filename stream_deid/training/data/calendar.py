"""Dates, years, clock times and weekdays drawn anew in the form that they were written in."""

from __future__ import annotations

import random
import re
import string

from stream_deid.lists.calendar import MONTHS, WEEKDAYS
from stream_deid.lists.holidays import used
from stream_deid.training.data.corpora import WORD

_WORDS = (MONTHS["en"], MONTHS["es"], WEEKDAYS["en"])
HOLIDAYS = tuple(map(string.capwords, used("drawn")))
_FOUR_DIGITS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TWO_DIGITS = re.compile(r"(?<!\d)\d\d(?!\d)")
_NUMERIC = re.compile(r"(\D*)(\d{1,2})([-/. ]+)(\d{1,2})((?:[-/. ]+\d{2,4})?)(\D*)")
_CLOCK = re.compile(r"(\d{1,2})([:.h]?)([0-5]\d)(\D*)")


def in_case(like: str, new: str) -> str:
    """`new` in the case of `like`: upper, lower, or as it is."""
    if like.isupper() and len(like) > 1:
        return new.upper()
    if like.islower():
        return new.lower()
    return new


def redraw(rng: random.Random, old: str, label: str, *, day_first: bool) -> str:
    """`old` drawn anew by its label: DATE and FECHAS, YEAR, TIME, WEEKDAY."""
    if label == "YEAR":
        return _bare_year(rng, old)
    if label == "TIME":
        return _time(rng, old)
    if label == "WEEKDAY":
        return _words(rng, old)
    return _date(rng, old, day_first=day_first)


def _date(rng: random.Random, old: str, *, day_first: bool) -> str:
    if not any(c.isdigit() for c in old):
        return _words(rng, _holiday(rng, old))
    if re.fullmatch(r"\d{8}|\d{12}|\d{14}", old):
        return f"{rng.randint(1998, 2026)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}{old[8:]}"
    new = _FOUR_DIGITS.sub(lambda m: _year(rng, m[0]), _words(rng, old))
    numeric = _NUMERIC.fullmatch(new)
    if numeric:
        return _numeric(rng, numeric, day_first=day_first)
    return re.sub(r"(?<!\d)\d{1,2}(?!\d)", lambda m: _day(rng, m), new)


def _holiday(rng: random.Random, old: str) -> str:
    for holiday in HOLIDAYS:
        at = old.lower().find(holiday.lower())
        if at >= 0 and rng.random() < 0.5:
            end = at + len(holiday)
            return old[:at] + in_case(old[at:end], rng.choice(HOLIDAYS)) + old[end:]
    return old


def _words(rng: random.Random, old: str) -> str:
    """Months and weekdays, whole or cut to three letters."""

    def fresh(match: re.Match[str]) -> str:
        word, lower = match[0], match[0].lower()
        for names in _WORDS:
            if lower in names:
                return in_case(word, rng.choice(names).capitalize())
            if len(lower) == 3 and any(n.startswith(lower) for n in names):
                return in_case(word, rng.choice(names)[:3].capitalize())
        return word

    return WORD.sub(fresh, old)


def _year(rng: random.Random, old: str) -> str:
    return str(min(2027, max(1915, int(old) + rng.randint(-9, 9))))


def _bare_year(rng: random.Random, old: str) -> str:
    if re.fullmatch(r"['’]?\d\d", old):
        return old[:-2] + f"{rng.randint(0, 99):02}"
    return _FOUR_DIGITS.sub(lambda m: _year(rng, m[0]), old)


def _day(rng: random.Random, match: re.Match[str]) -> str:
    old = match[0]
    ordinal = match.string[match.end() : match.end() + 2].lower()
    if int(old) > 31 or ordinal in {"st", "nd", "rd"}:
        return old
    return str(rng.randint(1, 9) if len(old) == 1 else rng.randint(10, 28))


def _numeric(rng: random.Random, m: re.Match[str], *, day_first: bool) -> str:
    """Two or three numbers between the same separators."""
    first, second = m[2], m[4]
    days_lead = int(first) > 12 or (day_first and int(second) <= 12)
    tops = (28, 12) if days_lead else (12, 28)
    new = []
    for top, old in zip(tops, (first, second), strict=True):
        padded = old[0] == "0" or (len(first) == 2 and len(second) == 2) or rng.random() < 0.3
        new.append(str(rng.randint(1, top)).zfill(2 if padded else 1))
    tail = _TWO_DIGITS.sub(lambda _: f"{rng.randint(0, 99):02}", m[5])
    return m[1] + new[0] + m[3] + new[1] + tail + m[6]


def _time(rng: random.Random, old: str) -> str:
    m = _CLOCK.fullmatch(old)
    if not m:
        return old
    half_day = len(m[1]) == 1 or "a" in m[4].lower() or "p" in m[4].lower()
    if len(m[1]) == 1:
        hour = rng.randint(1, 9)
    else:
        hour = rng.randint(10, 12) if half_day else rng.randint(0, 23)
    return f"{str(hour).zfill(len(m[1]))}{m[2]}{rng.randint(0, 59):02}{m[4]}"
