"""Peoples, tongues and nationalities, which Spanish notes tell of a patient ("emberá",
"habla quechua"): another of the same kind, gender and number, so that the sentence reads on.
"""

from __future__ import annotations

from functools import cache

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.text.canonical import first_like, like_case
from stream_deid.text.folding import fold

_LISTS = Vocabulary("demographics_peoples", "surrogates")
_KINDS = (
    "peoples", "tongues", "tongues_both", "nations_m", "nations_f", "women_of", "nations_both",
)  # fmt: skip
_SPEAKERS = _LISTS.ordered("speakers")


def another(text: str, scope: Scope) -> str:
    """What stands for one word of a people, a tongue or a nationality, in its case; nothing for
    any other text.
    """
    key = fold(text).lower()
    ending = next((one for one in _SPEAKERS if key.endswith(one) and len(key) > len(one)), "")
    if ending:
        tongue = another(text[: -len(ending)], scope)
        return tongue and tongue + text[-len(ending) :]
    plural = key not in _places() and key.endswith("s")
    found = _places().get(key.removesuffix("s") if plural else key)
    if found is None:
        return ""
    kind, at = found
    names = _LISTS.ordered(kind)
    made = names[scope.sub("people", kind).cycle(len(names), at)]
    return like_case(text, first_like(text, _plural(made) if plural else made))


def _plural(name: str) -> str:
    return name + ("s" if name[-1] in "aeiouáéó" else "es")


@cache
def _places() -> dict[str, tuple[str, int]]:
    """(list, place in it) by folded word."""
    return {
        fold(name).lower(): (kind, at)
        for kind in _KINDS
        for at, name in enumerate(_LISTS.ordered(kind))
    }
