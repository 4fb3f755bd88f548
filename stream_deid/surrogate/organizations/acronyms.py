"""Acronyms of organisations: the first letters of what the note spells out, else other letters.

An acronym that a name of the note or the record spells (`SBRMC` beside `St. Brendan Regional
Medical Center`) becomes the first letters of what that name becomes. Of others, letters that say
what a house is (`MC`, `HU`) stay and the rest are drawn; a public body that all know by its letters
becomes another one of its country (`IMSS`, `ISSSTE`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from stream_deid.lists.kinds_of_organizations import KINDS
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.organizations.kinds import JOINTS
from stream_deid.surrogate.scramble import scramble
from stream_deid.text.canonical import like_case, words

Spelled = Mapping[str, tuple[str, bool]]
"""By the letters that it gives, folded, a name and whether its joints count (`UPMC`, `HCDLA`)."""

_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?")
_SHORTEST = 3  # letters of one that is looked for in names
_LEAST = 2  # letters of one that is written
_ENDS, _BEGINS = KINDS.ordered("kind_letters_en"), KINDS.ordered("kind_letters_es")


def spelled_by(names: Iterable[str]) -> Spelled:
    """The acronyms that names spell; of two that spell one, the first."""
    found: dict[str, tuple[str, bool]] = {}
    for name in dict.fromkeys(name.partition(" (")[0] for name in names):
        for joints in (False, True):
            letters = _first_letters(name, joints=joints)
            if len(letters) >= _SHORTEST:
                found.setdefault(letters, (name, joints))
    return found


def spelled_out(text: str, full: tuple[str, bool], name: Callable[[str], str]) -> str:
    """The acronym of what a name (`full`) becomes by `name`, written as `text` is, or nothing."""
    made, key = _first_letters(name(full[0]), joints=full[1]), letters_of(text)
    fits = len(made) >= _LEAST and made.isascii() and key not in made
    return _like(text, made) if fits else ""


def drawn(scope: Scope, text: str, language: str) -> str:
    """Another acronym for one that nobody spells out."""
    return _public(scope, text) or _other_letters(scope, text, language)


def letters_of(text: str) -> str:
    """The letters of an acronym as `spelled_by` names it."""
    return "".join(word.key for word in words(text))


def _first_letters(name: str, *, joints: bool) -> str:
    found = words(name)
    if any(map(str.isdecimal, name)) or all(len(word.key) == 1 for word in found):
        return ""
    return "".join(w.key[0] for w in found if joints or w.key not in JOINTS)


def _like(text: str, made: str) -> str:
    """Letters in the writing of others: their case, and a full stop behind each where they have."""
    if _DOTTED.fullmatch(text):
        made = "".join(f"{letter}." for letter in made)
        made = made if text.endswith(".") else made[:-1]
    elif not text.isalpha():
        return ""
    return made.upper() if text.isupper() else like_case(text, made)


def _other_letters(scope: Scope, text: str, language: str) -> str:
    """Other letters, but for those at the edge that say what a house is."""
    if not text.isupper() or not text.isalpha():
        return scramble(scope, text)
    low = text.lower()
    if language == "es":
        size = _longest(low, _BEGINS, str.startswith)
        return text[:size] + scramble(scope, text[size:])
    size = len(text) - _longest(low, _ENDS, str.endswith)
    return scramble(scope, text[:size]) + text[size:]


def _longest(low: str, kinds: Sequence[str], stands: Callable[[str, str], bool]) -> int:
    return max((len(k) for k in kinds if stands(low, k) and len(k) < len(low)), default=0)


def is_public(text: str) -> bool:
    """Whether letters are those of a public body."""
    return text in _bodies()


def _public(scope: Scope, text: str) -> str:
    """Another public body of the country of one, or nothing for what is none."""
    group, at = _bodies().get(text, ((), 0))
    return group[scope.sub("public", group[0]).cycle(len(group), at)] if group else ""


@cache
def _bodies() -> Mapping[str, tuple[tuple[str, ...], int]]:
    groups = [tuple(line.split()) for line in KINDS.table("public_bodies").values()]
    return {body: (group, at) for group in groups for at, body in enumerate(group)}
