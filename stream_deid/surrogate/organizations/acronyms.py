"""Acronyms of organisations: the first letters of what the note spells out, else other letters.

An acronym that a name of the note or the record spells (`SBRMC` beside `St. Brendan Regional
Medical Center`) becomes the first letters of what that name becomes. Of others, letters that say
what a house is (`MC`, `HU`) stay and the rest are drawn as houses have
them; a public body or insurer that all know by one word becomes another one of its country and
kind, in capitals or not (`IMSS`, `ISSSTE`; `EPS Sura`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from stream_deid.lists.kinds_of_organizations import KINDS
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.organizations.kinds import JOINTS
from stream_deid.surrogate.scramble import scramble
from stream_deid.text.canonical import Word, like_case, words

Spelled = Mapping[str, tuple[str, bool]]
"""By the letters that it gives, folded, a name and whether its joints count (`UPMC`, `HCDLA`)."""

_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?")
_SHORTEST = 3  # letters of one that is looked for in names
_TRIES = 64
_LONG = 6  # letters; what is longer is no acronym of a house, and has its kind in few
_SAID, _LONGEST_SAID = 5, 9  # letters of a firm's that are said as a word
_LEAST = 2  # letters of one that is written
_FIRMS = tuple(KINDS.table("said_letters")["ends"].split())
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


def drawn(scope: Scope, text: str, language: str, free: Callable[[str], bool]) -> str:
    """Another acronym for one that nobody spells out; `free`: whether it stands for no other."""
    if made := _public(scope, text):
        return made
    key = letters_of(text)
    for step in range(_TRIES):
        made = _like(text, _composed(scope.sub("letters", step), key, language))
        if made and letters_of(made) != key and free(letters_of(made)):
            return made
    return scramble(scope, text)


def of_firm(scope: Scope, word: Word, *, alone: bool) -> str:
    """For a public body another one, for capitals of a firm (`HUNOSA`), where these are all of a
    name, ones that can be said as well; nothing for others.
    """
    if is_public(word.text):
        return public(scope, word.text)
    if not (alone and word.text.isupper()):
        return ""
    if not (_SAID <= len(word.key) <= _LONGEST_SAID and word.key.endswith(_FIRMS)):
        return ""
    begins, ends = KINDS.table("said_letters")["begins"].split(), _FIRMS
    for step in range(_TRIES):
        own = scope.sub("firm", word.key, step)
        made = begins[own.integer(len(begins), "begin")] + ends[own.integer(len(ends), "end")]
        if made[:_SHORTEST] != word.key[:_SHORTEST]:
            return made.upper()
    return ""


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


def _composed(scope: Scope, key: str, language: str) -> str:
    """As many letters as houses have: those of a name, and what they are beside them (`MC`, `HU`),
    which stays.
    """
    size, spanish = len(key), language == "es"
    kinds, stands = (_BEGINS, str.startswith) if spanish else (_ENDS, str.endswith)
    kept = _longest(key, kinds, stands)
    told = (key[:kept] if spanish else key[size - kept :]) if kept else ""
    if not told and size > 1:
        listed = KINDS.table("letters_before" if spanish else "letters_behind")
        choice = listed[str(min(size - 1, len(listed)) if size < _LONG else _LONG - 2)].split()
        told = choice[scope.integer(len(choice), "kind", key)]
    firsts = KINDS.ordered("first_letters")[0]
    name = "".join(
        firsts[scope.integer(len(firsts), "letter", key, at)] for at in range(size - len(told))
    )
    return told + name if spanish else name + told


def _longest(low: str, kinds: Sequence[str], stands: Callable[[str, str], bool]) -> int:
    return max((len(k) for k in kinds if stands(low, k) and len(k) < len(low)), default=0)


def is_public(text: str) -> bool:
    """Whether a word is what all call a public body or an insurer."""
    return text in _bodies()


def public(scope: Scope, text: str) -> str:
    """Another public body for one, whoever says it."""
    return _public(scope.sub("acronym"), text)


def _public(scope: Scope, text: str) -> str:
    """Another public body of the country of one, or nothing for what is none."""
    group, at, form = _bodies().get(text, ((), 0, str))
    return form(group[scope.sub("public", group[0]).cycle(len(group), at)]) if group else ""


@cache
def _bodies() -> Mapping[str, tuple[tuple[str, ...], int, Callable[[str], str]]]:
    """By each way of writing one (as listed, in capitals, with one capital), its row, its place
    there, and how another is written so.
    """
    groups = [tuple(line.split()) for line in KINDS.table("public_bodies").values()]
    listed = [(body, group, at) for group in groups for at, body in enumerate(group)]
    forms: tuple[Callable[[str], str], ...] = (str, str.upper, str.capitalize)
    found: dict[str, tuple[tuple[str, ...], int, Callable[[str], str]]] = {}
    for form in forms:
        for body, group, at in listed:
            if form is not str.capitalize or len(body) > _SHORTEST:
                found.setdefault(form(body), (group, at, form))
    return found
