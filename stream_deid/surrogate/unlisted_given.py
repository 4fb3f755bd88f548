"""Surrogates of given names that no list holds: given names of the class that they sound of.

The class (origin and sex) is guessed from the letters (`sound`). The surrogate is drawn, keyed by
the scope and the canonical name, from the listed names of the class or from compounds of its own
parts (English Mar+issa, Spanish Yol+ibel), half and half. It sounds of the same class when it is
read again, never begins as the name does, and has about its length. As with surnames (`unlisted`)
two names of a patient may meet over notes.
"""

from __future__ import annotations

from functools import cache

from stream_deid.surrogate.canonical import name_key
from stream_deid.surrogate.derive import Scope
from stream_deid.surrogate.lexicon import load_list, load_names
from stream_deid.surrogate.sound import class_of_given, sounds_given
from stream_deid.surrogate.spelling import invent
from stream_deid.surrogate.unlisted import compound

_TRIES = 40
_NEAR = 3
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
    label = class_of_given(key, home)
    if home == "spanish":
        label = label.replace("/anglo/", "/hispanic/")
    fallback = ""
    for step in range(_TRIES):
        value = _draw(scope.sub("unlisted", key, step), label)
        folded = name_key(value)
        if not folded or folded[0] == key[0]:
            continue
        fallback = fallback or value
        if abs(len(folded) - len(key)) <= _NEAR and _reads_as(folded, label, home):
            return value
    return fallback or invent(scope, key).capitalize()


def _reads_as(key: str, label: str, home: str) -> bool:
    """Whether a surrogate is a given name of a class when it is read again."""
    listed = load_names().label(key)
    if listed:
        return listed == label
    sounds = class_of_given(key, home)
    if home == "spanish":
        sounds = sounds.replace("/anglo/", "/hispanic/")
    return sounds == label and sounds_given(key, home)
