"""Spanish telephone numbers: nine digits, a mobile for a mobile, a landline of a province for one.

Landlines (8 or 9 first) get a code of the province that the patient's province becomes (`areas`);
mobiles keep 6, or stay among 710 to 749 (Real Decreto 2296/2004). Codes that Spain has not given
out (numbers of other countries have nine digits too) move among themselves, so that the whole is
one to one.
"""

from __future__ import annotations

from functools import cache

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import areas
from stream_deid.surrogate.scramble import other_digits

_LENGTH = 9
_COUNTRY = "34"
_MOBILE_7 = tuple(f"{n}" for n in range(710, 750))
_SERVICES = ("800", "803", "806", "807", "900", "901", "902", "905", "907")


def begins(written: str, digits: str, language: str) -> int:
    """Where a Spanish landline or mobile begins in its digits, or -1 where it is none."""
    core = written.lstrip(" (")
    start = 2 if core.startswith("+") else 4 if core.startswith("00") else 0
    if start and digits[:start].lstrip("0") != _COUNTRY:
        return -1
    if not start and language != "es":
        return -1
    own = digits[start:]
    fits = len(own) == _LENGTH and own[0] in "789" and own[:3] not in _SERVICES
    return start if fits else -1


def number(scope: Scope, digits: str, region: Scope) -> str:
    """Another number of nine digits; `region`: the scope in which provinces move."""
    code = digits[:3]
    return _code(scope, code, region) + other_digits(scope.sub("line", code), digits[3:])


def _code(scope: Scope, code: str, region: Scope) -> str:
    listed = "9" + code[1:]
    if code[0] in "89" and listed in areas.assigned("ES"):
        return code[0] + areas.moved(region, listed, "ES")[1:]
    group = _MOBILE_7 if code in _MOBILE_7 else _others(code[0])
    return group[scope.sub("code").cycle(len(group), group.index(code))]


@cache
def _others(first: str) -> tuple[str, ...]:
    """The codes that begin with a digit and are nobody's."""
    taken = {first + code[1:] for code in areas.assigned("ES")} if first in "89" else {*_MOBILE_7}
    every = (f"{first}{n:02d}" for n in range(100))
    return tuple(code for code in every if code not in taken and code not in _SERVICES)
