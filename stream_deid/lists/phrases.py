"""Terms of several words, found by their words: thousands of them cost a look-up a word.

What stands between two words of a term is a blank, a hyphen or little else ("Child-Pugh", "Cow &
Gate", "Buck's traction").
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = linear(r"[\s\-–&/.'’®™]{1,3}")


class Phrases:
    """Terms in any case and accents, in texts of a few words."""

    __slots__ = ("_by_first", "_words")

    def __init__(self, terms: Iterable[str]) -> None:
        by_first: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for term in terms:
            words = tuple(fold(m.group()).lower() for m in _WORD.finditer(term))
            by_first[words[0]].add(words[1:])
        self._by_first = dict(by_first)
        self._words = by_first.keys() | {w for rests in by_first.values() for r in rests for w in r}

    def has_a_word_of(self, text: str) -> bool:
        """Whether a word of `text` is one of any term: a look-up, before terms are looked for."""
        return any(fold(word).lower() in self._words for word in _WORD.findall(text))

    def within(self, text: str) -> Iterator[tuple[int, int]]:
        """`[start, end)` of every term in `text`, also of those that overlap."""
        words = [(*m.span(), fold(m.group()).lower()) for m in _WORD.finditer(text)]
        for i, (start, end, word) in enumerate(words):
            for rest in self._by_first.get(word, ()):
                last = self._follows(text, words[i + 1 : i + 1 + len(rest)], rest, end)
                if last is not None:
                    yield start, last

    @staticmethod
    def _follows(
        text: str, words: list[tuple[int, int, str]], rest: tuple[str, ...], end: int
    ) -> int | None:
        """Where the words of `rest` end that follow `end`, if they do."""
        if tuple(word for _, _, word in words) != rest:
            return None
        for start, stop, _ in words:
            if not _BETWEEN.fullmatch(text[end:start]):
                return None
            end = stop
        return end
