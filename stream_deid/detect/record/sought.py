"""Many sequences, of letters or of words, searched for all at once (Aho and Corasick 1975).

The work grows with what is searched and with what is searched for, never with the product of both:
a record may state thousands of numbers and streets that begin alike, in a text that does too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from stream_deid.budget import check

_FEW = 8

Fits = Callable[[int, int], bool]
"""Whether a sequence that stands at `[start, end)` counts there."""


class Sought:
    """Sequences that are searched for; empty ones are left out.

    A few strings are searched for one by one in a text: no letter of it need be walked for them.
    """

    __slots__ = ("_falls", "_few", "_next", "_sizes", "_steps", "_waiting")

    def __init__(self, sequences: Iterable[Sequence[str]]) -> None:
        self._steps: list[dict[str, int]] = [{}]
        self._sizes = [0]
        wanted = [sequence for sequence in sequences if sequence]
        strings = [one for one in wanted if isinstance(one, str)]
        self._few = strings if len(strings) == len(wanted) <= _FEW else []
        self._falls, self._next = [0], [0]
        self._waiting = wanted

    def __bool__(self) -> bool:
        return bool(self._waiting) or len(self._steps) > 1

    def places(self, items: Sequence[str], fits: Fits) -> Iterator[tuple[int, int]]:
        """Stretches of `items` that are made of what is sought where it `fits`: overlapping ones
        as one, in order.
        """
        found: list[tuple[int, int]] = []
        for begins, end in self.ends(items, fits):
            start = begins
            while found and found[-1][1] > start:
                start = min(start, found.pop()[0])
            found.append((start, end))
        yield from found

    def ends(self, items: Sequence[str], fits: Fits) -> Iterator[tuple[int, int]]:
        """The longest sequence that ends, and fits, at each place of `items`; they may overlap."""
        if self._few and isinstance(items, str):
            yield from self._ends_of_few(items, fits)
            return
        self._build()
        node = 0
        for end, item in enumerate(items, 1):
            node = self._after(node, item)
            last = node if self._sizes[node] else self._next[node]
            while last and not fits(end - self._sizes[last], end):
                check()
                last = self._next[last]
            if last:
                yield end - self._sizes[last], end

    def _ends_of_few(self, text: str, fits: Fits) -> Iterator[tuple[int, int]]:
        places = sorted((end, begins) for one in self._few for begins, end in _found(text, one))
        ended = 0
        for end, begins in places:
            if end != ended and fits(begins, end):
                ended = end
                yield begins, end

    def _build(self) -> None:
        """The automaton, when it is needed."""
        if not self._waiting:
            return
        for sequence in self._waiting:
            self._add(sequence)
        self._waiting = []
        self._falls = [0] * len(self._steps)
        self._next = [0] * len(self._steps)
        self._link()

    def _add(self, sequence: Sequence[str]) -> None:
        check()
        node = 0
        for item in sequence:
            step = self._steps[node].get(item)
            if step is None:
                step = self._steps[node][item] = len(self._steps)
                self._steps.append({})
                self._sizes.append(0)
            node = step
        self._sizes[node] = len(sequence)

    def _link(self) -> None:
        """Where to go on from each node when nothing follows, and which shorter sequence ends."""
        waiting = deque(self._steps[0].values())
        while waiting:
            node = waiting.popleft()
            for item, step in self._steps[node].items():
                self._falls[step] = self._after(self._falls[node], item)
                waiting.append(step)
            fall = self._falls[node]
            self._next[node] = fall if self._sizes[fall] else self._next[fall]

    def _after(self, node: int, item: str) -> int:
        while node and item not in self._steps[node]:
            node = self._falls[node]
        return self._steps[node].get(item, 0)


def _found(text: str, one: str) -> Iterator[tuple[int, int]]:
    """Where `one` stands in `text`; it may overlap itself."""
    at = text.find(one)
    while at >= 0:
        check()
        yield at, at + len(one)
        at = text.find(one, at + 1)
