"""Written forms of dates and numbers that a message states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from stream_deid.lists.calendar import MONTHS
from stream_deid.text.view import View

_EN, _ES = MONTHS["en"], MONTHS["es"]
_LEAST_DIGITS = 4
SURE_DIGITS = 6
"""Of so many digits a number of the record is that number, whatever touches it."""


def _parse(value: str) -> date | None:
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
    day = _parse(value)
    if day is None:
        return ()
    y, m, d = day.year, day.month, day.day
    years = (f"{y}", f"{y % 100:02d}")
    forms = [f"{y}{m:02d}{d:02d}", f"{m:02d}{d:02d}{y}", f"{d:02d}{m:02d}{y}"]
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


def number_spans(text: str, key: str) -> Iterator[tuple[int, int]]:
    """Where the letters and digits of `key` stand in `text`, with any separators between.

    Leading zeros of the key may be missing, and a country code "1" before ten digits; letters may
    touch a long key of digits ("x40817263").
    """
    if not key:
        return
    stripped = key.lstrip("0") if key.isdecimal() else key
    if len(stripped) == 11 and stripped[0] == "1" and stripped.isdecimal():
        stripped = stripped[1:]
    if len(stripped) < _LEAST_DIGITS:
        stripped = key
    joins = str.isdecimal if key.isdecimal() and len(key) >= SURE_DIGITS else str.isalnum
    upper = text.upper()
    if len(upper) != len(text):
        upper = text
    at = 0
    while (at := upper.find(stripped[0], at)) >= 0:
        end = _match(upper, at, stripped)
        if (
            end
            and not (at and joins(upper[at - 1]) and upper[at - 1] != "0")
            and not joins(upper[end : end + 1])
        ):
            start = at
            while start and upper[start - 1] == "0":
                start -= 1
            yield start, end
        at += 1


def _match(text: str, at: int, key: str) -> int:
    """The end of `key` in `text` from `at`, at most two separators between characters; else 0."""
    pos = at
    for i, char in enumerate(key):
        skipped = 0
        while i and pos < len(text) and text[pos] in " -./()\t_" and skipped < 2:
            pos += 1
            skipped += 1
        if pos >= len(text) or text[pos] != char:
            return 0
        pos += 1
    return pos


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
