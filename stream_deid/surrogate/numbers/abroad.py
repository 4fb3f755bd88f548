"""Telephone numbers of countries whose plan is known (`dialling.tsv`), with their country code.

The country code and trunk digits stay; the first digits of the number become others that numbers of
that country, length and kind (landline, mobile) begin with, and the rest moves along one keyed
cycle. First digits that the plan doesn't name move among themselves, each with those that have its
first digit. So the whole is one to one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import dialling
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.scramble import other_digits

_LISTS = Vocabulary("numbers_phones", "surrogates")

DIALLING_CODES = _LISTS.words("dialling_codes")
_TRUNK = _LISTS.table("trunk")
_LONGEST_CODE = 3
_BARE = 11  # digits from which on a number may open with its country code and say so by no sign
_MOST = 15
_SIGNED = re.compile(r"(?:^|[^\w+])(\(?(?:\+|00)[ ]?\d{0,3}\)?[ .-]?)$")
BEFORE = 8  # characters in which the sign of a country code stands
_DIALLED = re.compile(r"[(+0-9][0-9 ().-]+")


def sign_before(before: str, text: str) -> str:
    """What of a number's country code stands before it: "+", "+56 ", "(+54) "."""
    found = _SIGNED.search(before)
    if found is None or (not text[:1].isdecimal() and text[:1] != "("):
        return ""
    code = "".join(filter(str.isdecimal, found[1])).removeprefix("00")
    return found[1] if not code or code in DIALLING_CODES or len(code) < _LONGEST_CODE else ""


def is_dialled(text: str) -> bool:
    """Whether a number as written is one with its country code behind a plus."""
    core = text.lstrip("(")
    if not core.startswith("+") or _DIALLED.fullmatch(text) is None:
        return False
    digits = "".join(filter(str.isdecimal, core))
    return _BARE - 1 <= len(digits) <= _MOST and bool(country_code(digits))


def country_code(digits: str) -> str:
    """The country code that digits open with, or nothing."""
    sizes = range(1, _LONGEST_CODE + 1)
    return next((digits[:n] for n in sizes if digits[:n] in DIALLING_CODES), "")


def number(scope: Scope, written: str, digits: str) -> str:
    """Another number of its country; nothing where it says of none that it is from, or the plan
    is not known.
    """
    core = written.lstrip(" (")
    signed = core.startswith(("+", "00"))
    start = 2 if core.startswith("00") else 0
    code = country_code(digits[start:])
    if not code or not (signed or len(digits) >= _BARE):
        return ""
    own = digits[start + len(code) :]
    opens = len(own) - len(own.lstrip("0"))
    trunk = _TRUNK.get(code, "")
    if trunk and own[opens:].startswith(trunk) and (code, len(own) - opens) not in _plans():
        opens += len(trunk)
    own = own[opens:]
    groups = _plans().get((code, len(own)))
    if groups is None or not (signed or any(own.startswith(group) for group in groups)):
        return ""
    made = _moved(scope.sub("abroad", code, len(own)), own, groups)
    return digits[: len(digits) - len(own)] + made


def _moved(scope: Scope, own: str, groups: tuple[tuple[str, ...], ...]) -> str:
    width = len(groups[0][0])
    opening = own[:width]
    at = next((n for n, group in enumerate(groups) if opening in group), -1)
    group = groups[at] if at >= 0 else _others(opening[0], width, groups)
    made = group[scope.sub("opening", at, opening[0] if at < 0 else "").cycle(
        len(group), group.index(opening)
    )]  # fmt: skip
    return made + other_digits(scope.sub("line", opening), own[width:])


def _others(first: str, width: int, groups: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The openings that begin with a digit and that the plan doesn't name."""
    listed = frozenset(prefix for group in groups for prefix in group)
    every = (f"{first}{n:0{width - 1}d}" for n in range(10 ** (width - 1)))
    return tuple(opening for opening in every if opening not in listed)


@cache
def _plans() -> Mapping[tuple[str, int], tuple[tuple[str, ...], ...]]:
    """The openings of each kind of number of a country and length."""
    return MappingProxyType({asked: tuple(kinds.values()) for asked, kinds in dialling().items()})
