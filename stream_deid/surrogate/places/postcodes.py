"""Postal codes as they are written: what stands before the digits stays, the digits change.

Spanish and other European codes may follow the letters of their country (`E-28040`, `D-10117`), and
any may follow the words that say what they are (`C.P. 28040`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import load_places
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_LISTS = Vocabulary("places_postcodes", "surrogates")

COUNTRY_LETTERS: Mapping[str, str] = MappingProxyType(
    {**_LISTS.table("countries"), **dict.fromkeys(_LISTS.ordered("elsewhere"), "")}
)
"""Folded letters before a code and the code of their country in the lists of places, empty for one
that they do not hold (vehicle signs and ISO 3166)."""

_WRITTEN = re.compile(
    r"(?ai)(\s*(?:(?:c\.?\s?p\.?|c[oó]d(?:igo)?\.?\s?postal)[\s:]*)?"
    r"(?:\b([a-z]{1,3})\s?[-\u2013]\s?)?)(\d{3,8})((?:[- ]?\d{4})?\s*)"
)
_INSIDE = re.compile(r"(?ai)(\b[a-z]{1,3}\s?[-\u2013]\s?)?(?<![^\W_])\d{4,5}(?![^\W_])")


LENGTH = 5
"""Digits of a code of the countries that the lists hold."""
_LAST_OF_SPAIN = "52"
RESTRICTED_ZIP3 = _LISTS.words("restricted_zip3")
"""Areas of 20,000 people or fewer in the census of 2020 (18), and those that HHS' guidance prints
from the census of 2000 (17): five of these have grown since and are hidden all the same.
"""


@dataclass(frozen=True, slots=True)
class Postcode:
    """The parts of a code as written; `country` is None where no letters tell one."""

    before: str = field(repr=False)
    digits: str = field(repr=False)
    after: str = field(repr=False)
    country: str | None = None


def read(text: str) -> Postcode | None:
    """The parts of a postal code, or None for what isn't one of 3 to 8 digits."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return None
    before, letters, digits, after = match.groups()
    country = None if letters is None else COUNTRY_LETTERS.get(fold(letters))
    known = letters is None or country is not None
    return Postcode(before, digits, after, country) if known else None


def inside(text: str) -> tuple[int, int] | None:
    """Where a code of four or five digits stands beside words (`28040 Madrid`), or None.

    Letters of a country belong to it.
    """
    match = _INSIDE.search(text)
    if match is None:
        return None
    letters = match.group(1)
    if letters and fold(letters).rstrip("-\u2013 ") not in COUNTRY_LETTERS:
        return None
    beside = text[: match.start()] + text[match.end() :]
    return match.span() if any(map(str.isalpha, beside)) else None


def is_foreign(code: str) -> bool:
    """Whether a postal code of five digits is none of Spain's."""
    found = read(code.strip())
    five = found is not None and len(found.digits) == LENGTH
    return bool(five and found and found.digits[:2] > _LAST_OF_SPAIN)


@cache
def states_by_prefix(country: str) -> tuple[tuple[int, Mapping[str, str]], ...]:
    """The states of a country by the first digits of their postal codes, by length of these."""
    places = load_places()
    found: dict[int, dict[str, str]] = {}
    for code in places.states[country]:
        for prefix in places.prefixes[country, code]:
            found.setdefault(len(prefix), {}).setdefault(prefix, code)
    return tuple(found.items())
