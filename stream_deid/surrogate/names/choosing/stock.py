"""The names that stand for listed names, by class and first letter; names for all others.

Names of a letter become names of another one (`heads`), of which the class may hold fewer. So each
class has for each letter its own names and as many of the 2020 census' as its largest letter needs
(`census.tsv`, commonest first), which no other class has: the map stays one to one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from stream_deid.lists.lexicon import NameClass, load_census, load_names, reads_as_day
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.first_letters import FEW, GROUPS, head, peer
from stream_deid.text.canonical import canonical

_NEAR = (2, 4)  # letters more or less
_ENOUGH = 8


@dataclass(frozen=True, slots=True)
class Shelf:
    """The names of a class that begin with one letter, and more of the census.

    `own`: how many are its own.
    """

    names: tuple[str, ...] = field(repr=False)
    own: int


def listed(scope: Scope, root: Scope, group: NameClass, index: int) -> str:
    """What stands for name `index` of a class; `root`: the scope of letters.

    All names of the class that become names of one letter go through one permutation, those of the
    letters of `FEW` too: so none of them tells by its place in a list which letter it had.
    """
    source = canonical(group.names[index])[0]
    letter = head(root, source)
    shelf = shelves()[group.label, letter]
    at = index - bounds(group)[source][0]
    if source in FEW:
        at += _count(group, peer(root, letter)) + _before(group, source)
    size = guests(group, root, letter)
    drawn = scope.sub("listed", group.label, letter)
    return shelf.names[drawn.permute(max(size, shelf.own), at) % len(shelf.names)]


def guests(group: NameClass, root: Scope, letter: str) -> int:
    """How many names of a class may stand as names of `letter`."""
    few = _before(group, "") if letter in GROUPS[1] else 0
    return _count(group, peer(root, letter)) + few


def _count(group: NameClass, letter: str) -> int:
    start, end = bounds(group).get(letter, (0, 0))
    return end - start


def _before(group: NameClass, letter: str) -> int:
    """Names of the letters of `FEW` before one of them; of all of them for none."""
    return sum(_count(group, other) for other in FEW.partition(letter or ".")[0])


@cache
def bounds(group: NameClass) -> Mapping[str, tuple[int, int]]:
    """Where the names of each letter begin and end in a class."""
    edges = (*group.starts, len(group.names))
    return dict(zip(group.letters, pairwise(edges), strict=True))


@cache
def classes() -> Mapping[str, NameClass]:
    """The classes of listed names by their labels."""
    return {group.label: group for group, _ in load_names().place.values()}


@cache
def shelves() -> Mapping[tuple[str, str], Shelf]:
    """The names for each class and letter; made once in a process."""
    found: dict[tuple[str, str], Shelf] = {}
    for letter in "".join(GROUPS):
        used: dict[tuple[str, ...], int] = {}
        for label, group in sorted(classes().items(), key=lambda item: "hispanic" not in item[0]):
            found[label, letter] = _shelf(group, letter, used)
    return found


def _shelf(group: NameClass, letter: str, used: dict[tuple[str, ...], int]) -> Shelf:
    own = _of_letter(group, letter)
    peers = next(letters for letters in GROUPS if letter in letters)
    most = max((_count(group, other) for other in peers), default=0)
    wanted = max(most, len(own)) + (_before(group, "") if letter in GROUPS[1] else 0)
    names = [name for name in own if not reads_as_day(name)]
    for row in _pools(group.label):
        fresh = load_census().names[row].get(letter, ())[used.get((*row, letter), 0) :]
        taken = fresh[: max(wanted - len(names), 0)]
        used[*row, letter] = used.get((*row, letter), 0) + len(taken)
        names += taken
    return Shelf(tuple(names), len(own))


def _of_letter(group: NameClass, letter: str) -> tuple[str, ...]:
    start, end = bounds(group).get(letter, (0, 0))
    return group.names[start:end]


def _pools(label: str) -> tuple[tuple[str, ...], ...]:
    """The rows of the census that fill a class, the likest first."""
    kind, origin, *rest = label.split("/")
    sex = rest[0] if rest else "-"
    kind = "family" if kind == "family" else "given"
    hispanic = ((kind, sex, "hispanic"),) if origin == "hispanic" and sex != "U" else ()
    return (*hispanic, (kind, sex, "any"))


def pool(labels: tuple[str, ...], letter: str) -> tuple[str, ...]:
    """All names of some classes, or of the census and like them, that begin with a letter."""
    own = [classes()[label] for label in labels if label in classes()]
    found = [n for group in own for n in _of_letter(group, letter) if not reads_as_day(n)]
    rows = [_pools(label) for label in labels]
    found += [n for row in rows for n in load_census().names[row[0]].get(letter, ())]
    if len(found) < _ENOUGH:
        found += [n for row in rows for n in load_census().names[row[-1]].get(letter, ())]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class NamePool:
    """Names to draw from; made of the lists once in a process, so that a draw takes no search.

    `close`: those of about as many letters as the name has that they stand for, by that number.
    """

    close: tuple[tuple[str, ...], ...] = field(repr=False)

    @classmethod
    def of(cls, names: Sequence[str]) -> NamePool:
        """The pool of some names, whose order counts."""
        places: dict[int, list[int]] = {}
        for at, name in enumerate(names):
            places.setdefault(len(name), []).append(at)
        beyond = max(places, default=0) + _NEAR[-1] + 1
        return cls(tuple(_close(tuple(names), places, size) for size in range(beyond + 1)))

    def alike(self, scope: Scope, key: str) -> str:
        """A keyed name of about the length of `key`, or nothing where there are no names."""
        names = self.close[min(len(key), len(self.close) - 1)]
        return names[scope.integer(len(names), "unlisted", key)] if names else ""


def _close(names: tuple[str, ...], places: Mapping[int, list[int]], size: int) -> tuple[str, ...]:
    """The names of about `size` letters, `places` by their numbers of letters; all where these are
    few.
    """
    for near in _NEAR:
        found = [at for n in range(size - near, size + near + 1) for at in places.get(n, ())]
        if len(found) >= _ENOUGH:
            return tuple(names[at] for at in sorted(found))
    return names
