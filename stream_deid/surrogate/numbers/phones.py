"""Telephone numbers: plausible ones of the same country and kind, written as the original is.

North American numbers get an area code of the state that the patient's state becomes (`areas`) and
an exchange that the numbering plan allows (2 to 9 first, never N11; NANPA, ATIS-0300051), in
Spanish notes those of Mexico's plan too; toll-free numbers stay toll-free. Spanish ones:
`spanish_phones`, those of other countries that say so by their country code: `abroad`. Elsewhere
country codes, trunk prefixes and the first digit of the number stay, for it tells landlines from
mobiles. Everything else moves along one keyed cycle, so that two numbers of a patient never become
one, and a number without its area code stays the end of the number with it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import abroad, areas, misread, spanish_phones, spoken_numbers
from stream_deid.surrogate.scramble import other_digits, scramble, scramble_digits
from stream_deid.text.canonical import Word
from stream_deid.text.linear import linear
from stream_deid.text.memo import remembered

_EXTENSION = linear(r"(?i)\s*(?:\b(?:ext|extension|extensión|x|int|interno|anexo)\b|x|#|,,)")
_RUNS = re.compile("[0-9]+")
_PLAIN = frozenset("0123456789 ()+-./\t\n")  # of a number without an extension
_TOLL_FREE = ("800", "833", "844", "855", "866", "877", "888")


@cache
def _exchanges() -> tuple[str, ...]:
    """Three digits that may be an exchange: 2 to 9 first, never N11."""
    return tuple(f"{n:03d}" for n in range(200, 1000) if n % 100 != 11)


def phone(scope: Scope, text: str, language: str, region: Scope | None = None) -> str:
    """The surrogate of a PHONE or FAX span; text without any number is scrambled by pattern.

    `language` decides for ten digits without a country code: North American in English (`en`),
    by the way they are grouped in Spanish (`es`). `region`: the scope in which states move.
    """
    region = region or scope
    read = misread.digits(text, _EXTENSION)
    if read != text:
        return misread.as_written(text, phone(scope, read, language, region))
    text = misread.dialled(text)
    found = spoken_numbers.said(text, language)
    if found:
        return _spoken(scope, text, found, language, region)
    if not any(c.isdecimal() for c in text):
        return scramble(scope, text)
    extension = _EXTENSION.search(text) if not _PLAIN.issuperset(text) else None
    end = extension.start() if extension else len(text)
    places = [i for i, c in enumerate(text[:end]) if "0" <= c <= "9"]
    digits = "".join(text[i] for i in places)
    made = _number(scope, text[:end], digits, language, region) if digits else ""
    letters = list(text)
    for i, digit in zip(places, made, strict=True):
        letters[i] = digit
    return "".join(letters[:end]) + scramble_digits(scope.sub("extension"), text[end:])


def _spoken(scope: Scope, text: str, found: list[Word], language: str, region: Scope) -> str:
    """A number in words: single digits as the number that they spell, others word by word."""
    values = spoken_numbers.values(found, language)
    if all(value < 10 for value in values) and not any(c.isdecimal() for c in text):
        digits = phone(scope, "".join(map(str, values)), language, region)
        made = [
            spoken_numbers.spelled(w, int(d), language) for w, d in zip(found, digits, strict=True)
        ]
    else:
        made = spoken_numbers.other_words(scope, found, text, language)
    pieces: list[str] = []
    last = 0
    for word, value in zip(found, made, strict=True):
        pieces += [scramble_digits(scope, text[last : word.start]), value]
        last = word.end
    return "".join([*pieces, scramble_digits(scope, text[last:])])


def _number(scope: Scope, written: str, digits: str, language: str, region: Scope) -> str:
    american = _american(written, digits, language)
    if american >= 0:
        return digits[:american] + _north_american(scope, digits[american:], language, region)
    spanish = spanish_phones.begins(written, digits, language)
    if spanish >= 0:
        return digits[:spanish] + spanish_phones.number(scope, digits[spanish:], region)
    made = abroad.number(scope, written, digits)
    if made:
        return made
    kept = _kept(written, digits)
    if len(digits) - kept < 4:
        return scramble(scope, digits)
    return digits[:kept] + other_digits(scope, digits[kept:])


def _american(written: str, digits: str, language: str) -> int:
    """Where a North American number begins in its digits, or -1 where it is none."""
    plus = "+" in written
    if len(digits) == 11 and digits[0] == "1" and (plus or digits[1] in "23456789"):
        return 1
    if plus or len(digits) not in {7, 10} or digits[0] in "01":
        return -1
    groups = [len(g) for g in _RUNS.findall(written)]
    usual = groups in ([10], [7], [3, 4], [3, 3, 4], [3, 7], [6, 4])
    return 0 if usual and (language == "en" or groups in ([3, 3, 4], [3, 4])) else -1


def _north_american(scope: Scope, digits: str, language: str, region: Scope) -> str:
    """Area code, exchange and line, each one to one: the line and exchange without area agree. In
    Spanish a code that Mexico has given out is Mexico's.
    """
    area, exchange, line = digits[:-7], digits[-7:-4], digits[-4:]
    made = _exchange(scope, exchange)
    ending = other_digits(scope.sub("line", exchange), line)
    if not area:
        return made + ending
    if area in _TOLL_FREE:
        return _moved(scope.sub("area"), area, _TOLL_FREE) + made + ending
    mexican = language == "es" and area in areas.assigned("MX")
    return areas.moved(region, area, "MX" if mexican else "US") + made + ending


@remembered
def _exchange(scope: Scope, code: str) -> str:
    return _moved(scope.sub("exchange"), code, _exchanges())


def _moved(scope: Scope, code: str, codes: tuple[str, ...]) -> str:
    """Another code; one to one among those of the list, keyed for any other."""
    at = bisect_left(codes, code)
    if codes[at : at + 1] == (code,):
        return codes[scope.cycle(len(codes), at)]
    return codes[scope.integer(len(codes), "unlisted", code)]


def _kept(written: str, digits: str) -> int:
    """How many leading digits stay: country code, trunk prefix, first digit of the number."""
    kept = 0
    core = written.lstrip(" (")
    if core.startswith(("+", "00")):
        kept = 2 if core.startswith("00") else 0
        kept += len(abroad.country_code(digits[kept:]))
    elif digits.startswith(("044", "045")) and len(digits) >= 13:
        kept = 3
    elif digits.startswith("01") and len(digits) == 12:
        kept = 2
    while digits[kept : kept + 1] == "0":
        kept += 1
    if digits[kept : kept + 3] in {"800", "900", "901", "902"}:
        return kept + 3
    return min(kept + 1, len(digits)) if len(digits) - kept >= 7 else kept
