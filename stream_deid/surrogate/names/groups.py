"""The people of a note as the parts of their names, found by a part, an initial or a beginning.

Each name of the note that stands for somebody is a group of parts; the same parts in the same
order are one group. Looking through all groups for each initial and address of a note would take
quadratic time, so they are indexed; of more than `MOST` that fit only the first are looked at, of
those that an address may belong to `_MOST_BEGUN`, first those that have a whole part in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from stream_deid.lists.lexicon import load_names
from stream_deid.text.folding import fold

MOST = 200
_MOST_BEGUN = 12
_LONGEST = 40  # letters of a piece of an address in which whole parts are looked for
START = 3
"""Letters of the beginning of a part that tell it in an address."""

Group = tuple[str, ...]


class Groups:
    """Distinct groups of canonical name parts, in the order of their first sight."""

    __slots__ = ("_by_head", "_by_part", "_by_start", "_groups")

    def __init__(self, names: Iterable[Sequence[str]]) -> None:
        self._groups: Sequence[Group] = [*dict.fromkeys(tuple(parts) for parts in names if parts)]
        self._by_part: dict[str, list[int]] = {}
        self._by_head: dict[str, list[int]] = {}
        self._by_start: dict[str, list[int]] = {}
        for number, group in enumerate(self._groups):
            for part in dict.fromkeys(group):
                self._by_part.setdefault(part, []).append(number)
            for head in dict.fromkeys(part[0] for part in group):
                self._by_head.setdefault(head, []).append(number)
            for start in dict.fromkeys(start for part in group for start in starts(part)):
                self._by_start.setdefault(start, []).append(number)

    def with_parts(self, parts: Iterable[str]) -> Iterator[Group]:
        """Groups that share a part with `parts`."""
        return self._of(self._by_part.get(part, ()) for part in parts)

    def with_head(self, letter: str) -> Iterator[Group]:
        """Groups of which a part begins with `letter`."""
        return self._of([self._by_head.get(letter, ())])

    def begun_in(self, text: str) -> Iterator[Group]:
        """Groups of which the beginning of a part or of its nickname stands in `text`."""
        grams = _grams(text, START)
        begun = {n for gram in grams for n in self._by_start.get(gram, ())[: _MOST_BEGUN + 1]}
        if len(begun) > _MOST_BEGUN:
            runs = (run for run in text.split("|") if len(run) <= _LONGEST)
            grams = {gram for run in runs for gram in _grams(run, _LONGEST)}
            whole = {n for gram in grams for n in self._by_part.get(gram, ())[:_MOST_BEGUN]}
            begun = {*[*sorted(whole), *sorted(begun - whole)][:_MOST_BEGUN]}
        return (self._groups[number] for number in sorted(begun))

    def _of(self, found: Iterable[Sequence[int]]) -> Iterator[Group]:
        for number in sorted({number for numbers in found for number in numbers[:MOST]})[:MOST]:
            yield self._groups[number]


def _grams(text: str, longest: int) -> set[str]:
    """All that stands in a text of up to so many characters."""
    sizes = range(1, min(longest, len(text)) + 1)
    return {text[at : at + size] for size in sizes for at in range(len(text) - size + 1)}


def starts(part: str) -> list[str]:
    """What stands in every piece of an address that tells a part: its beginning, or that of a
    nickname.
    """
    nicks = (fold(nick) for nick in load_names().short.get(part, ()))
    return [name[:START] for name in (part, *nicks)]
