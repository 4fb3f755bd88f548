"""Peoples, tongues, nationalities and creeds, which Spanish notes tell of a patient ("emberá",
"habla quechua", "evangélica"): another of the same kind, gender and number, so that the sentence
reads on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.text.canonical import first_like, like_case
from stream_deid.text.folding import fold

_LISTS = Vocabulary("demographics_peoples", "surrogates")
_KINDS = (
    "regions_m", "regions_f", "men_of", "peoples", "tongues", "tongues_both", "nations_m",
    "nations_f", "women_of", "nations_both", "creeds_m", "creeds_f",
)  # fmt: skip
_SPEAKERS = _LISTS.ordered("speakers")


def another(text: str, scope: Scope) -> str:
    """What stands for one word of a people, a tongue or a nationality, in its case; nothing for
    any other text.
    """
    key = _key(text)
    ending = next((one for one in _SPEAKERS if key.endswith(one) and len(key) > len(one)), "")
    if ending:
        tongue = another(text[: -len(ending)], scope)
        return tongue and tongue + text[-len(ending) :]
    plural = key not in _places() and key.endswith("s")
    found = (_nations() if plural else _places()).get(_singular(key) if plural else key)
    if found is None:
        return ""
    kind, at = found
    names = _LISTS.ordered(kind)
    made = names[scope.sub("people", kind).cycle(len(names), at)]
    return like_case(text, first_like(text, _plural(made) if plural else made))


def _plural(name: str) -> str:
    """Several of a people: an accent on a last syllable that is no longer last goes."""
    if name[-1] in "aeiouáéó":
        return name + "s"
    return name[:-2] + fold(name[-2]) + name[-1] + "es" if name[-2] in "áéíó" else name + "es"


def _singular(key: str) -> str:
    """One of a people, of which several were told: the word that a list has."""
    return next((k for k in (key[:-1], key[:-2]) if k in _nations()), key)


def _key(name: str) -> str:
    """Folded; a tongue that has a catch in the throat is written with its sign and without."""
    return fold(name).lower().replace("'", "").replace("’", "")


@cache
def _places() -> dict[str, tuple[str, int]]:
    """(list, place in it) by folded word."""
    return _by_word(_KINDS)


@cache
def _nations() -> dict[str, tuple[str, int]]:
    """The same of what people are more than one of: no tongue is."""
    return _by_word(tuple(kind for kind in _KINDS if not kind.startswith("tongues")))


def _by_word(kinds: Sequence[str]) -> dict[str, tuple[str, int]]:
    return {
        _key(name): (kind, at) for kind in kinds for at, name in enumerate(_LISTS.ordered(kind))
    }
