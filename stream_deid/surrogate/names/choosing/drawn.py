"""Names for mentions that are drawn afresh: from one mixture, whatever the name was.

A surrogate that never begins with the letter of its original, and stays in its origin, tells of it
by what it is not. Where nothing has to agree with other mentions, letter, origin and length come
from the whole list of the note's language. What stays is what the words around show in any case:
whether it is a given name, and its sex.
"""

from __future__ import annotations

from functools import cache
from string import ascii_lowercase

from stream_deid.lists.lexicon import load_census, load_names, reads_as_day
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.sound import class_of_given
from stream_deid.surrogate.names.choosing.stock import classes


def name(scope: Scope, key: str, step: int, home: str, *, given: bool, sex: str) -> str:
    """A name for the canonical part `key`, with its own capitals and accents.

    `step` > 0 draws another one; `home`, `given` (for names that no list holds) and `sex` as in
    `parts.surrogate`.
    """
    label = load_names().label(load_names().base.get(key, key))
    if label and not sex:
        given = not label.startswith("family")
    options = _names(home, _sex(key, label, home, sex) if given or sex else "")
    return options[scope.integer(len(options), "drawn", key, step)]


def letter(scope: Scope, key: str) -> str:
    """A letter for the initial `key`, any of the alphabet."""
    return ascii_lowercase[scope.integer(len(ascii_lowercase), "drawn", key)]


def _sex(key: str, label: str, home: str, sex: str) -> str:
    """`F`, `M` or `FM`, for names of either."""
    found = sex or label.rpartition("/")[2] or load_census().sex.get(key, "")
    found = found or class_of_given(key, home).rpartition("/")[2]
    return found if found in {"F", "M"} else "FM"


@cache
def _names(home: str, sex: str) -> tuple[str, ...]:
    """All given names of the sexes `sex`, or all surnames (no sex), of a language's lists."""
    origin = "hispanic" if home == "spanish" else ""
    kinds = ("given", "both") if sex else ("family",)
    own = (
        group.names
        for label, group in sorted(classes().items())
        if label.startswith(kinds) and origin in label and (not sex or label[-1] in sex)
    )
    kind = "given" if sex else "family"
    rows = [(kind, one, origin or "any") for one in sex or "-"]
    more = [names for row in rows for names in load_census().names.get(row, {}).values()]
    every = (name for names in (*own, *more) for name in names)
    return tuple(dict.fromkeys(name for name in every if not reads_as_day(name)))
