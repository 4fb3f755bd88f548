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

from stream_deid.lists.lexicon import load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.first_letters import head
from stream_deid.surrogate.names.choosing.short_names import SHORTEST, nickname, two_letters
from stream_deid.surrogate.names.choosing.spelling import invent
from stream_deid.surrogate.names.choosing.stock import listed, place_of
from stream_deid.surrogate.names.choosing.unlisted import unlisted
from stream_deid.surrogate.names.choosing.unlisted_given import unlisted_given
from stream_deid.text.memo import remembered

_LONGEST = 40
_INVENTED = 6  # the draw from which on names are invented; notes of every day need two


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
    if key in names.base and step < _INVENTED:
        full = surrogate(scope, names.base[key], 0, home, given=True, sex=sex)
        return nickname(scope, key, step, full=full, home=home, sex=sex)
    drawn = scope.sub("name", step)
    if len(key) == SHORTEST and step < _INVENTED:
        kind = names.label(key) or ("given/U" if given else "")
        listed_sex = kind.rpartition("/")[2] if kind.startswith("given") else ""
        short = two_letters(drawn, key, scope, (sex or listed_sex) if listed_sex else "")
        if short:
            return short
    if key in names.place:
        group, index = place_of(key)
        other = bool(sex) and not group.label.endswith(f"/{sex}")
        borne = not given if group.label.startswith("family") else True
        if borne and not (other and group.label.startswith(("given", "both"))):
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
