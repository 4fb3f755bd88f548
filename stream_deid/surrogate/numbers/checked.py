"""Numbers with check digits: where the original's are right the surrogate's are.

iban = country, check, account      ISO 13616; Spain's own two check digits too (CCC)
card = 13 to 19 figures             ISO/IEC 7812 (Luhn); the first figure, of the industry, stays
npi  = [12] 9 figures               45 CFR 162.406: Luhn behind 80840
dea  = 2 letters 7 figures          21 CFR 1301
vin  = 17 letters and figures       ISO 3779, 49 CFR 565
nhs  = 10 figures                   NHS Data Dictionary: modulo 11
dni  = 8 figures letter             Real Decreto 1553/2005; nie = [XYZ] 7 figures letter
curp = name, birth, sex, state ...  Mexico, Instructivo Normativo 2018; sex stays
rfc  = name, day, homonym, check    Mexico, SAT
nss  = 12 figures                   Spain, Seguridad Social: modulo 97
rut  = 7 or 8 figures check         Chile: modulo 11; cuit = 11 figures, Argentina: modulo 11

What the check does not cover moves along one keyed cycle through all numbers of the kind; numbers
of no kind change among themselves (`numbers.codes`). So the map stays one to one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from string import ascii_uppercase, digits
from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.text import check_digits as checks
from stream_deid.text.check_digits import VIN_LETTERS

_CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ"
MEXICAN_STATES = Vocabulary("numbers_checked", "surrogates").ordered("mexican_states")
_FIRST, _DAYS = date(2000, 1, 1), 36525
"""Days of a century by their two figures, of which 2000 has all."""

Field = tuple[int, Sequence[str]]
"""Where a part of a number that moves begins, and all values that it may have."""


@dataclass(frozen=True, slots=True)
class CheckedKind:
    """Numbers of one kind. `fields`: the parts of one that move (in order, apart); `complete`: a
    number with the checks that its other characters give, or nothing where they give none.
    """

    form: re.Pattern[str]
    fields: Callable[[str], list[Field]]
    complete: Callable[[str], str]

    def holds(self, number: str) -> bool:
        """Whether a number (`plain`) is of this kind, with the right checks."""
        if self.form.fullmatch(number) is None or self.complete(number) != number:
            return False
        fields = self.fields(number)
        return all(number[at : at + len(values[0])] in values for at, values in fields)

    def other(self, scope: Scope, number: str) -> str:
        """Another number of this kind."""
        fields = self.fields(number)
        made = number
        while True:
            made = self._next(scope, made, fields)
            whole = self.complete(made)
            if whole and self.form.fullmatch(whole):
                return whole

    def _next(self, scope: Scope, number: str, fields: Sequence[Field]) -> str:
        sizes = [len(values) for _, values in fields]
        places = [values.index(number[at : at + len(values[0])]) for at, values in fields]
        letters = list(number)
        for (at, values), index in zip(fields, scope.cycle_places(sizes, places), strict=True):
            letters[at : at + len(values[0])] = values[index]
        return "".join(letters)


def plain(text: str) -> str:
    """A number without what separates its parts, in capitals."""
    return "".join(c for c in text.upper() if c.isalnum() or c == "&")


def kind(text: str, language: str) -> str:
    """The name of the kind of a number as written, or nothing. Of some that are figures alone, and
    so may be anything, it depends on the note's language.
    """
    return _kind_of(plain(text), language) if text.isascii() else ""


def _kind_of(number: str, language: str) -> str:
    asked = (name for name in KINDS if _BY_LANGUAGE.get(name, language) == language)
    return next((name for name in asked if KINDS[name].holds(number)), "")


def number(scope: Scope, text: str, language: str) -> str:
    """The surrogate of a number that is of a kind, as it is written."""
    made = plain(text)
    name = _kind_of(made, language)
    own = scope.sub("checked", name, len(made), _shape(made) if name in _MIXED else "")
    made = KINDS[name].other(own, made)
    while _kind_of(made, language) != name:
        made = KINDS[name].other(own, made)
    rest = iter(made)
    return "".join(like(c, next(rest)) if c.isalnum() or c == "&" else c for c in text)


def like(model: str, char: str) -> str:
    """`char`, small where `model` is."""
    return char.lower() if model.islower() else char


def _shape(number: str) -> str:
    return "".join("9" if c.isdecimal() else "A" for c in number)


def _values(number: str, places: Sequence[int]) -> list[Field]:
    """The fields of figures and letters at `places`, each of its kind."""
    return [(i, digits if number[i].isdecimal() else ascii_uppercase) for i in places]


def _iban_fields(number: str) -> list[Field]:
    own = (12, 13) if number.startswith("ES") else ()
    return _values(number, [i for i in range(4, len(number)) if i not in own])


@cache
def _births() -> tuple[str, ...]:
    return tuple(f"{_FIRST + timedelta(n):%y%m%d}" for n in range(_DAYS))


def _curp_fields(number: str) -> list[Field]:
    return [
        *((i, ascii_uppercase) for i in range(4)),
        (4, _births()), (11, MEXICAN_STATES),
        *((i, _CONSONANTS) for i in (13, 14, 15)),
        (16, digits if number[16].isdecimal() else ascii_uppercase),
    ]  # fmt: skip


def _rfc_fields(number: str) -> list[Field]:
    name = len(number) - 9
    homonym = _values(number, range(name + 6, len(number) - 1))
    return [*((i, ascii_uppercase) for i in range(name)), (name, _births()), *homonym]


def _vin_fields(number: str) -> list[Field]:
    return [(i, digits if c.isdecimal() else VIN_LETTERS) for i, c in enumerate(number) if i != 8]


def _all_but(*fixed: int) -> Callable[[str], list[Field]]:
    """All places of a number but those (from the end where they are negative)."""
    return lambda n: _values(n, [i for i in range(len(n)) if i not in {f % len(n) for f in fixed}])


def _kind(
    form: str, fields: Callable[[str], list[Field]], complete: Callable[[str], str]
) -> CheckedKind:
    return CheckedKind(re.compile(form), fields, complete)


KINDS: Mapping[str, CheckedKind] = MappingProxyType({
    "iban": _kind(r"ES[0-9]{22}|(?!ES)[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", _iban_fields, checks.iban),
    "curp": _kind(r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{2}[A-Z]{3}[A-Z0-9][0-9]", _curp_fields, checks.curp),
    "vin": _kind(r"(?=.*[A-Z])(?=(?:.*[0-9]){5})[A-HJ-NPR-Z0-9]{17}", _vin_fields, checks.vin),
    "card": _kind(r"[3-6][0-9]{12,18}", _all_but(0, -1), checks.ended(digits, checks.luhn)),
    "rfc": _kind(r"[A-Z&]{3,4}[0-9]{6}[A-Z0-9]{2}[0-9A]", _rfc_fields, checks.rfc),
    "dea": _kind(r"[A-Z]{2}[0-9]{7}", _all_but(-1), checks.ended(digits, checks.dea)),
    "dni": _kind(r"[0-9]{8}[A-Z]", _all_but(-1), checks.nif),
    "nie": _kind(r"[XYZ][0-9]{7}[A-Z]", _all_but(0, -1), checks.nif),
    "npi": _kind(
        r"[12][0-9]{9}", _all_but(0, -1), checks.ended(digits, lambda n: checks.luhn("80840" + n))
    ),
    "nhs": _kind(r"[3-9][0-9]{9}", _all_but(-1), checks.nhs),
    "nss": _kind(r"(?:0[1-9]|[1-5][0-9])[0-9]{10}", _all_but(-1, -2), checks.nss),
    "cuit": _kind(r"(?:2[0347]|3[034])[0-9]{9}", _all_but(0, 1, -1), checks.cuit),
    "rut": _kind(r"[0-9]{7,8}[0-9K]", _all_but(-1), checks.rut),
})  # fmt: skip
"""By name, the longest and most telling first: a number is of the first that holds it."""
_BY_LANGUAGE = MappingProxyType({
    "npi": "en", "nhs": "en", "dea": "en", "nss": "es", "cuit": "es", "rut": "es",
})  # fmt: skip
_MIXED = frozenset({"iban", "vin", "curp", "rfc"})
"""Kinds in whose numbers a letter may stand where in another's a figure stands."""
