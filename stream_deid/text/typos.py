"""Words that are one slip apart: a letter more, less, another, or two swapped.

Words with a restricted Damerau-Levenshtein distance (optimal string alignment) of one share a
string when from each at most one letter is left out (symmetric delete; Garbe 2012, SymSpell): so
the likes of a word are looked up, not searched for, and a list of names takes linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rapidfuzz.distance import OSA

_LONGEST = 40
"""Letters; longer strings are no names, and have too many ways to lose a letter."""


class Slips:
    """Words, each found by any word that is one slip away from it."""

    __slots__ = ("_by_rest", "_order")

    def __init__(self, words: Iterable[str]) -> None:
        self._order: dict[str, int] = {}
        self._by_rest: dict[str, list[str]] = {}
        for word in words:
            if len(word) <= _LONGEST and word not in self._order:
                self._order[word] = len(self._order)
                for rest in _rests(word):
                    self._by_rest.setdefault(rest, []).append(word)

    def near(self, word: str) -> Iterator[str]:
        """The words at a distance of exactly one from `word`, in the order they were given."""
        if len(word) > _LONGEST:
            return
        found = {other for rest in _rests(word) for other in self._by_rest.get(rest, ())}
        for other in sorted(found, key=self._order.__getitem__):
            if OSA.distance(word, other, score_cutoff=1) == 1:
                yield other


def _rests(word: str) -> set[str]:
    """`word`, and what is left of it without one of its letters."""
    return {word} | {word[:i] + word[i + 1 :] for i in range(len(word))}
