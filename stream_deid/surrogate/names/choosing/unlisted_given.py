"""Surrogates of given names that no list holds: real given names of the class they sound of.

The sex is what the record says, else what the census says, else guessed with the origin from the
letters (`sound`). The surrogate is drawn, keyed by the scope and the canonical name, from the names
of the class and those of the census; it begins with the letter that the patient's initials become
(`heads`), and has about the length of the name. As with surnames (`unlisted`) two names of a
patient may meet over notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.first_letters import GROUPS, head
from stream_deid.surrogate.names.choosing.sound import class_of_given
from stream_deid.surrogate.names.choosing.spelling import invent
from stream_deid.surrogate.names.choosing.stock import NamePool, classes, pool

_NO_SOUND = frozenset({"anglo", "european", "pacific", "black"})


def unlisted_given(
    scope: Scope, key: str, home: str = "anglo", *, root: Scope | None = None, sex: str = ""
) -> str:
    """The surrogate of a canonical given name that no list holds, with its capitals and accents.

    `home` (`anglo`, `spanish`): in Spanish notes names that sound English are taken for Spanish;
    `root`: the scope of letters, `scope` where it is none; `sex`: `F`, `M` or empty.
    """
    letter = head(root or scope, key[0]) if key.isascii() and key.isalpha() else ""
    if not letter:
        return invent(scope, key).capitalize()
    sex = sex or load_census().sex.get(key, "")
    return names()[_class_at_home(key, home, sex), letter].alike(scope, key)


@cache
def names() -> Mapping[tuple[str, str], NamePool]:
    """Given names by class and first letter; made once in a process."""
    given = {label for label in classes() if label.startswith("given")}
    given |= {_spanish(label) for label in given}
    sexed = given | {_of_sex(label, sex) for label in given for sex in "FMU"}
    return {
        (one, letter): NamePool(one, pool((one,), letter))
        for one in sexed
        for letter in "".join(GROUPS)
    }


def _class_at_home(key: str, home: str, sex: str) -> str:
    known = load_names().label(key)
    label = known if known.startswith("given") else class_of_given(key, home)
    label = _spanish(label) if home == "spanish" else label
    return _of_sex(label, sex) if sex else label


def _spanish(label: str) -> str:
    """The Spanish class in place of one whose sound, in a Spanish note, tells nothing."""
    kind, origin, sex = label.split("/")
    return f"{kind}/{'hispanic' if origin in _NO_SOUND else origin}/{sex}"


def _of_sex(label: str, sex: str) -> str:
    return f"{label.rpartition('/')[0]}/{sex}"
