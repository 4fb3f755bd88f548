"""Surrogates of given names that no list holds: given names of the class that they sound of.

The class (origin and sex) is guessed from the letters (`sound`). The surrogate is drawn, keyed by
the scope and the canonical name, from the listed names of the class or from compounds of its own
parts (English Mar+issa, Spanish Yol+ibel), half and half. It sounds of the same class when it is
read again, never begins as the name does, and has about its length. As with surnames (`unlisted`)
two names of a patient may meet over notes.
"""

from __future__ import annotations

from functools import cache

from stream_deid.lists.lexicon import load_list, load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.sound import class_of_given, sounds_given
from stream_deid.surrogate.names.spelling import invent
from stream_deid.surrogate.names.unlisted import compound, first_fitting

_COMPOUNDS = {"black": "black.{sex}", "pacific": "pacific"}  # else given.{origin}.{sex}


@cache
def _listed(label: str) -> tuple[str, ...]:
    """The listed given names of a class, in the order of the alphabet."""
    groups = {group.label: group for group, _ in load_names().place.values()}
    return groups[label].names


def _draw(scope: Scope, label: str) -> str:
    _, origin, sex = label.split("/")
    parts = _COMPOUNDS.get(origin, "given.{origin}.{sex}").format(origin=origin, sex=sex)
    names = _listed(label)
    if f"{parts}.head" not in load_list("compounds") or scope.coin(0.5, "listed"):
        return names[scope.integer(len(names), "which")]
    return compound(scope, parts)


def unlisted_given(scope: Scope, key: str, home: str = "anglo") -> str:
    """The surrogate of a canonical given name that no list holds, with its capitals and accents.

    `home` (`anglo`, `spanish`): in Spanish notes names that sound English are taken for Spanish.
    """
    if not (key.isascii() and key.isalpha()):
        return invent(scope, key).capitalize()
    label = _class_at_home(key, home)
    return first_fitting(scope, key, lambda s: _draw(s, label), lambda k: _reads_as(k, label, home))


def _class_at_home(key: str, home: str) -> str:
    label = class_of_given(key, home)
    return label.replace("/anglo/", "/hispanic/") if home == "spanish" else label


def _reads_as(key: str, label: str, home: str) -> bool:
    """Whether a surrogate is a given name of a class when it is read again."""
    listed = load_names().label(key)
    if listed:
        return listed == label
    return _class_at_home(key, home) == label and sounds_given(key, home)
