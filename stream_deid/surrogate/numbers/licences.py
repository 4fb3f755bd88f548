"""Numbers of Spanish licences and registers that begin with the code of a province twice.

A doctor's number is his province's college, the province again and a running number
(`28 28 12345`); the surrogate is of another province (01 to 52), twice, with another number.
Separators and the type of the number don't count, as in `numbers`. These numbers change among
themselves and all others among the others (`codes`).
"""

from __future__ import annotations

import re

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.scramble import other_digits

_PROVINCES = 52
_TWICE = re.compile(r"(?a)(0[1-9]|[1-4]\d|5[0-2])\1(\d{3,6})?")


def is_licence(text: str) -> bool:
    """Whether a number begins with a province twice, and has no more figures than a licence."""
    return _TWICE.fullmatch(_digits(text)) is not None


def number(scope: Scope, text: str) -> str:
    """The surrogate of a licence: it begins with another province twice."""
    match = _TWICE.fullmatch(_digits(text))
    assert match is not None
    province, running = match.group(1), match.group(2) or ""
    other = scope.sub("province").cycle(_PROVINCES, int(province) - 1) + 1
    rest = iter(f"{other:02d}" * 2 + other_digits(scope.sub("running", province), running))
    return "".join(next(rest) if c.isdecimal() else c for c in text)


def _digits(text: str) -> str:
    """The letters and digits of a number without what separates them."""
    return "".join(c for c in text if c.isalnum())
