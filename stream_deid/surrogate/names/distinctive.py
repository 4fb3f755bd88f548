"""The words of a name that tell whose it is, and names that share none with a note's own."""

from __future__ import annotations

from collections.abc import Callable

from stream_deid.lists.titles import PARTICLES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold
from stream_deid.text.memo import remembered

_LISTS = Vocabulary("names_distinctive", "surrogates")

_COMMON = PARTICLES | _LISTS.words("common")
_SHORTEST = 3
_TRIES = 24


@remembered
def telling(text: str) -> frozenset[str]:
    """The folded words of a name but for particles, titles and the commonest words of places."""
    found = (word.key for word in words(text))
    return frozenset(k for k in found if len(k) >= _SHORTEST and k not in _COMMON)


def first_free(
    draw: Callable[[int], str],
    key: str,
    real: frozenset[str],
    taken: dict[str, str] | None = None,
) -> str:
    """The first draw (`draw(0)`, ...) that shares no telling word with `real` or `key` (folded).

    `taken` (folded surrogates of a note and what they stand for) holds it afterwards; draws that
    it holds for another key are passed over. The last draw where none is free.
    """
    shut = real | telling(key)
    value = ""
    for step in range(_TRIES):
        value = draw(step)
        shown = fold(value)
        if shown in key or key in shown or not shut.isdisjoint(telling(value)):
            continue
        if taken is None or taken.setdefault(shown, key) == key:
            break
    return value
