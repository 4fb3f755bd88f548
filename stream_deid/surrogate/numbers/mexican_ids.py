"""CURP and a person's RFC, whose letters are initials and whose figures are a birth.

curp = letters birth sex state consonants century check    Instructivo Normativo 2018 (RENAPO)
rfc  = letters birth homonym check                         Mexico, SAT

The letters (first letter and first vowel of the first surname, initials of the second surname and
of the given name) become what the patient's initials become, the birth moves with the dates: so
both agree with the name and the date of birth beside them, and with each other. Sex stays; state,
consonants and homonym move each along its own keyed cycle. The check is right, or wrong by as much
as it was. One to one but for the letters that few names begin with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from string import ascii_uppercase, digits

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers.checked import MEXICAN_STATES, like, plain
from stream_deid.text import check_digits as checks

_VOWELS, _CONSONANTS = "AEIOU", "BCDFGHJKLMNPQRSTVWXYZ"
_OPENS = r"[A-Z]{2}[A-Z]{2}(?P<birth>[0-9]{6})"
_CURP = re.compile(rf"{_OPENS}[HMX](?:{'|'.join(MEXICAN_STATES)})[{_CONSONANTS}]{{3}}[A-Z0-9][0-9]")
_RFC = re.compile(rf"{_OPENS}[A-Z0-9]{{2}}[0-9A]")
_GROWN_BY = 8
"""The last two figures of a year of this century that an RFC is read as: it is a grown person's."""
_CENTURY = 2000


def is_one(text: str) -> bool:
    """Whether a number as written has the form of a CURP or a person's RFC."""
    return _birth(plain(text)) is not None if text.isascii() else False


def number(
    scope: Scope, text: str, initial: Callable[[str], str], moved: Callable[[date], date]
) -> str:
    """The surrogate of such a number, as it is written. `initial`: what an initial in small letters
    becomes; `moved`: the day that a birth becomes.
    """
    made = plain(text)
    birth = _birth(made)
    assert birth is not None
    born = moved(birth)
    own = scope.sub("mexican id")
    head = [
        initial(made[0].lower()).upper(), _other(own, "vowel", made[1], _VOWELS),
        *(initial(c.lower()).upper() for c in made[2:4]), f"{born:%y%m%d}",
    ]  # fmt: skip
    whole = "".join([*head, *_rest(own, made, born)])
    rest = iter(_checked(whole, made))
    return "".join(like(c, next(rest)) if c.isalnum() else c for c in text)


def _rest(own: Scope, made: str, born: date) -> Iterator[str]:
    """What stands behind the birth, but for the check."""
    if _CURP.fullmatch(made) is None:
        for at in (10, 11):
            kind = digits if made[at].isdecimal() else ascii_uppercase
            yield _other(own, f"homonym {at}", made[at], kind)
        return
    yield made[10]
    yield _other(own, "state", made[11:13], MEXICAN_STATES)
    for at in (13, 14, 15):
        yield _other(own, f"consonant {at}", made[at], _CONSONANTS)
    yield _other(own, "century", made[16], digits if born.year < _CENTURY else ascii_uppercase)


def _checked(whole: str, model: str) -> str:
    """A number with its check, as far from the right one as that of `model` is."""
    curp = _CURP.fullmatch(model) is not None
    values, check = (digits, checks.curp) if curp else ("0123456789A", checks.rfc)
    wrong = values.index(model[-1]) - values.index(check(model)[-1])
    right = values.index(check(whole + "0")[-1])
    return whole + values[(right + wrong) % len(values)]


def _other(own: Scope, name: str, value: str, values: Sequence[str]) -> str:
    drawn = own.sub(name)
    if value in values:
        return values[drawn.cycle(len(values), values.index(value))]
    return values[drawn.integer(len(values), value)]


def _birth(number: str) -> date | None:
    found = _CURP.fullmatch(number) or _RFC.fullmatch(number)
    if found is None:
        return None
    year, month, day = (int(found["birth"][at : at + 2]) for at in (0, 2, 4))
    late = number[16].isalpha() if found.re is _CURP else year <= _GROWN_BY
    try:
        return date((_CENTURY if late else _CENTURY - 100) + year, month, day)
    except ValueError:
        return None
