"""Surrogates of name parts.

The surrogate of a part depends on nothing but the scope (patient, or tenant for providers) and
the canonical part: not on the note or its place. So "John Smith", "SMITH, JOHN" and "Smith's"
agree over all notes and structured fields without anything being stored. Its first letter is what
the initial becomes (`heads`). Listed names map one to one onto names of their own class (given or
family, sex, origin) by a keyed permutation for each class and letter (`stock`); nicknames follow
their full form. Names that no list holds become real names of the origin they sound of, which is
one to one within a note only; and here it counts whether they are given names (`unlisted_given`) or
surnames (`unlisted`), which `People` tells by their place or their sound.
"""

from __future__ import annotations

import re2

from stream_deid.lists.lexicon import load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.first_letters import head
from stream_deid.surrogate.names.spelling import invent
from stream_deid.surrogate.names.stock import listed
from stream_deid.surrogate.names.unlisted import unlisted
from stream_deid.surrogate.names.unlisted_given import unlisted_given
from stream_deid.text.canonical import canonical
from stream_deid.text.memo import remembered

_LONGEST = 40
_INVENTED = 6  # the draw from which on names are invented; notes of every day need two
_SYLLABLE = re2.compile(r"(?i)[^aeiouyáéíóú]*[aeiouyáéíóú]+[bcdfgklmnprstvz]")
_DOUBLED = "bdglmnprtz"
_BEFORE_I = {"g": "gu", "c": "qu", "z": "c"}


def _nickname(scope: Scope, key: str, step: int, home: str) -> str:
    """A short form of the surrogate of the full name that `key` is short for."""
    names = load_names()
    full = surrogate(scope, names.base[key], 0, home)
    forms = names.short.get(canonical(full), ())
    siblings = [canonical(s) for s in names.short[names.base[key]]]
    forms = (*forms, *_hypocoristics(full, home))
    initial = head(scope, key[0])
    forms = tuple(form for form in forms if canonical(form)[0] == initial) or forms
    return forms[(siblings.index(key) + step) % len(forms)]


def _hypocoristics(full: str, home: str) -> tuple[str, ...]:
    """What people make of a name that has no listed short form: Dom, Dommy; Pablito; itself."""
    if home == "spanish" and full[-1:] in "oa" and len(full) > 3:
        stem = full[:-2] if full[-2] == "i" else full[:-1]
        stem = stem[:-1] + _BEFORE_I.get(stem[-1], stem[-1])
        return (f"{stem}it{full[-1]}", full)
    head = _SYLLABLE.match(full)
    if head is None:
        return (full, f"{full}ie")
    doubled = head[0] + head[0][-1] if head[0][-1] in _DOUBLED else head[0]
    cut = (head[0],) if len(head[0]) > 2 else ()
    return (*cut, doubled + "y", doubled + "ie", full)


@remembered
def surrogate(
    scope: Scope,
    key: str,
    step: int = 0,
    home: str = "anglo",
    *,
    given: bool = False,
    sex: str = "",
) -> str:
    """The surrogate of the canonical name part `key`, with its own capitals and accents.

    `step` > 0 draws another one, for where the first is taken, in the end one that nobody bears (a
    note of thousands of people takes all names of a letter); `home` (`anglo`, `spanish`) is the
    origin of names that no list holds and that sound of none; `given`: such a name is a given
    name, not a surname; `sex` (`F`, `M` or empty): what the record says of who bears it.
    """
    names = load_names()
    if key in names.base and step < 4:
        return _nickname(scope, key, step, home)
    drawn = scope.sub("name", step)
    if key in names.place:
        group, index = names.place[key]
        if not sex or not group.label.startswith("given") or group.label.endswith(f"/{sex}"):
            return listed(drawn, scope, group, index)
        given = True
    if len(key) > _LONGEST:
        key = key[:_LONGEST]
    if step >= _INVENTED:
        return (letter(scope, key[0]) + invent(drawn, key)[1:]).capitalize()
    if given:
        return unlisted_given(drawn, key, home, root=scope, sex=sex)
    return unlisted(drawn, key, home, root=scope)


def letter(scope: Scope, key: str) -> str:
    """The letter that an initial becomes: that of the surrogate of the name it stands for."""
    return head(scope, key) or invent(scope.sub("initial"), key)


def misspell(scope: Scope, value: str, variant_key: str) -> str:
    """`value` with one keyed slip of the pen, as `variant_key` is a slip of another name."""
    drawn = scope.sub("slip", variant_key)
    at = 1 + drawn.integer(max(len(value) - 2, 1), "at")
    kind = drawn.integer(3, "kind")
    if kind == 0 and at + 1 < len(value) and value[at] != value[at + 1]:
        return value[:at] + value[at + 1] + value[at] + value[at + 2 :]
    if kind == 1 and len(value) > 4:
        return value[:at] + value[at + 1 :]
    return value[: at + 1] + value[at:]


def plural(name: str) -> str:
    """What a family of a name is called ("the Whitcombes", "the Joneses")."""
    return name + ("es" if name.endswith(("s", "x", "z", "ch", "sh")) else "s")
