"""Numbers that hold another one, which a note states alone too: the surrogates agree.

cuit = [23]. DNI check     Argentina: CUIT and CUIL
dni  = number letter       Spain: NIF
rut  = number check        Chile: RUT and RUN

What is held becomes what it becomes alone; the check is right, or wrong by as much as it was. Where
a CUIT's opening allows none for a number, it is what AFIP gives then (23, 24; 33, 34).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import digits
from types import MappingProxyType

from stream_deid.surrogate.numbers.checked import KINDS, like, plain
from stream_deid.surrogate.numbers.checked import kind as checked_kind
from stream_deid.text.check_digits import NIF_LETTERS

_THREES = r"(?:\.[0-9]{3}){2}"
_NUMBER = rf"[0-9]{{1,2}}{_THREES}|[0-9]{{7,8}}"
_WRITTEN = MappingProxyType(
    {
        "cuit": re.compile(rf"(?:2[03-7]|3[034])[- ](?:{_NUMBER})[- ][0-9]"),
        "dni": re.compile(rf"(?i)(?:[0-9]{{2}}{_THREES}|[0-9]{{8}})[- ]?[{NIF_LETTERS}]"),
        "rut": re.compile(rf"(?i)(?:{_NUMBER})-[0-9K]"),
    }
)
_CHECKS: Mapping[str, str] = MappingProxyType(
    {"cuit": digits, "dni": NIF_LETTERS, "rut": "0123456789K"}
)
_OPENINGS = MappingProxyType({"2": ("23", "24"), "3": ("33", "34")})


def kind(text: str, language: str) -> str:
    """The kind of a number as written that holds another one, or nothing."""
    right = checked_kind(text, language)
    if right:
        return right if right in _CHECKS else ""
    if language != "es":
        return ""
    return next((name for name, form in _WRITTEN.items() if form.fullmatch(text)), "")


def number(text: str, of: str, alone: Callable[[str], str]) -> str:
    """The surrogate of a number of a kind, as written. `alone`: what becomes of the held one."""
    made = plain(text)
    start = len("20") if of == "cuit" else 0
    held = made[start:-1]
    bare = held.lstrip("0") or held
    figures = (c if c.isdecimal() else "0" for c in alone(bare))  # it may end as a RUN does, with K
    other = "".join(figures).rjust(len(held), "0")
    checks, complete = _CHECKS[of], KINDS[of].complete
    openings = (made[:start], *(_OPENINGS[made[0]] if start else ()))
    whole = next(filter(None, (complete(f"{opening}{other}0") for opening in openings)), "")
    right = complete(f"{made[:-1]}0")
    wrong = checks.index(made[-1]) - checks.index(right[-1]) if right else 0
    check = checks[(checks.index(whole[-1]) + wrong) % len(checks)] if whole else made[-1]
    rest = iter((whole[:-1] or made[:start] + other) + check)
    return "".join(like(c, next(rest)) if c.isalnum() else c for c in text)
