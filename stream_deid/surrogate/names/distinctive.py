"""The words of a name that tell whose it is, and names that share none with a note's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from stream_deid.lists.lexicon import load_list
from stream_deid.lists.titles import PARTICLES, affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.taken import Taken
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold
from stream_deid.text.memo import remembered

_LISTS = Vocabulary("names_distinctive", "surrogates")

SAINTS = _LISTS.words("saints")
LADIES = _LISTS.words("ladies")
LADY_TITLES = _LISTS.words("lady_titles")
NOBLES = _LISTS.words("nobles")
_TITLES = affixes("place") | affixes("given") | set(map(fold, load_list("streets_es")["titles"]))
_COMMON = PARTICLES | _TITLES | SAINTS | LADIES | LADY_TITLES | NOBLES | _LISTS.words("common")
_SHORTEST = 3
_TRIES = 12  # notes of every day need two


@remembered
def distinctive_words(text: str) -> frozenset[str]:
    """The folded words of a name but for particles, titles and the commonest words of places."""
    found = (word.key for word in words(text))
    return frozenset(k for k in found if len(k) >= _SHORTEST and k not in _COMMON)


def by_length(names: Iterable[str], least: int) -> Mapping[int, frozenset[str]]:
    """Names of at least so many letters by their number of letters, as `holds` wants them."""
    found: dict[int, set[str]] = {}
    for name in names:
        if len(name) >= least:
            found.setdefault(len(name), set()).add(name)
    return {size: frozenset(some) for size, some in found.items()}


def holds(text: str, names: Mapping[int, frozenset[str]]) -> bool:
    """Whether one of some names stands in a text; the time doesn't grow with their number."""
    return any(
        text[at : at + size] in some
        for size, some in names.items()
        for at in range(len(text) - size + 1)
    )


def first_free(
    draw: Callable[[int], str],
    key: str,
    real: Sequence[frozenset[str]],
    taken: Taken | None = None,
) -> str:
    """The first draw (`draw(0)`, ...) that shares no distinctive word with `real` or `key`, folded.

    It is taken afterwards; draws that are `taken` for another key are passed over. The last draw
    where none is free.
    """
    shut = (*real, distinctive_words(key))
    value = ""
    for step in range(_TRIES):
        value = draw(step)
        shown = fold(value)
        if shown in key or key in shown:
            continue
        if not all(some.isdisjoint(distinctive_words(value)) for some in shut):
            continue
        if taken is None or taken.take(shown, key):
            break
    return value
