"""The names that stand for listed names, by class and first letter; names for all others.

Names of a letter become names of another one (`heads`), of which the class may hold fewer. So each
class has for each letter its own names and as many of the 2020 census' as its largest letter needs
(`census.tsv`), which no other class has: the map stays one to one. They stand by how many people
bear them, in a few wide ranks within which they are permuted: a name that many bear becomes one
that many bear, or a reader would see that too few people are called John and Maria.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from stream_deid.lists.bearers import power
from stream_deid.lists.lexicon import NameClass, load_census, load_names, reads_as_day
from stream_deid.lists.people import shared_table
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.first_letters import FEW, GROUPS, HOSTS, head, peer
from stream_deid.text.canonical import canonical

_RANKS = (4, 12)
"""Where the second and the third rank of a letter's names begin."""
_SMALLEST_RANK = 4
_SURNAME, _LESS = 13, 4
"""Powers of two: of the bearers of a given name that is a surname too, and by how much these may be
fewer than those who are called so.
"""
_PLAIN = frozenset({"anglo", "shared"})
"""Origins that most names of the census may be taken for."""
_OFTEN = "anglo"
"""The origin of which surnames are often given names."""
_NEAR = (2, 4)  # letters more or less
_ENOUGH = 8
_BORNE = (11, 14)
"""Powers of two of the people who bear a name, from which on names stand for each other."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The names of a class that begin with one letter, and more of the census, commonest first.

    `own`: how many are its own, or lent by other classes.
    """

    names: tuple[str, ...] = field(repr=False)
    own: int


def listed(scope: Scope, root: Scope, group: NameClass, index: int) -> str:
    """What stands for name `index` of a class; `root`: the scope of letters.

    All names of the class that become names of one letter and are of one rank go through one
    permutation, those of the letters of `FEW` too, behind the others: so none of them tells more by
    its place in a list than its rank.
    """
    letter = head(root, canonical(group.names[index])[0])
    at, first, end = ranked(group, index, peer(root, letter), letter)
    drawn = scope.sub("listed", group.label, letter, first)
    names = shelves()[group.label, letter].names
    return names[(first + drawn.permute(end - first, at - first)) % len(names)]


def ranked(group: NameClass, index: int, whose: str, letter: str) -> tuple[int, int, int]:
    """The place of name `index` among the names of a class that become names of `letter`, and the
    rank in which it lies, from where to where; `whose`: the letter of `GROUPS` that becomes it.
    """
    source = canonical(group.names[index])[0]
    at = places(group)[index]
    if source in FEW:
        at += _count(group, whose) + _before(group, source)
    guests = _count(group, whose) + (_before(group, "") if letter in HOSTS else 0)
    return at, *rank(at, max(guests, shelves()[group.label, letter].own))


def rank(at: int, size: int) -> tuple[int, int]:
    """The rank in which place `at` of `size` lies, from where to where."""
    edges = (0, *(edge for edge in _RANKS if edge + _SMALLEST_RANK <= size), size)
    return next((first, end) for first, end in pairwise(edges) if at < end)


@cache
def places(group: NameClass) -> tuple[int, ...]:
    """For each name of a class its place among those of its letter, commonest first."""
    found, rarity = [0] * len(group.names), _rarity(group.label)
    for start, end in bounds(group).values():
        order = sorted(range(start, end), key=lambda at: rarity(group.names[at]))
        for place, at in enumerate(order):
            found[at] = place
    return tuple(found)


def _rarity(label: str) -> Callable[[str], int]:
    """What the names of a class are sorted by, commonest first."""
    kinds = ("given", "family") if label.startswith("both") else (_kind(label),)
    return lambda name: -min(power(kind, canonical(name)) for kind in kinds)


def _kind(label: str) -> str:
    return "family" if label.startswith("family") else "given"


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
    """The classes of listed names by their labels, between which names that are given name and
    surname alike have classes of their own: a surname "Morgan" must not become "Anna".
    """
    names: dict[str, list[str]] = {}
    for group in {id(group): group for group, _ in load_names().place.values()}.values():
        for name in group.names:
            names.setdefault(_drawn_as(group.label, canonical(name)), []).append(name)
    return {label: NameClass.of(label, own) for label, own in sorted(names.items())}


def place_of(key: str) -> tuple[NameClass, int]:
    """The class of a listed canonical name, and its place in it."""
    return _placed()[key]


@cache
def _placed() -> Mapping[str, tuple[NameClass, int]]:
    groups = classes().values()
    return {canonical(name): (g, at) for g in groups for at, name in enumerate(g.names)}


def _drawn_as(label: str, key: str) -> str:
    kind, origin, *sex = label.split("/")
    given, family = (power(kind, key) for kind in ("given", "family"))
    as_both = (kind, origin) == ("given", _OFTEN) and family >= max(_SURNAME, given - _LESS)
    return "/".join(["both", _OFTEN, *sex]) if as_both else label


@cache
def shelves() -> Mapping[tuple[str, str], Shelf]:
    """The names for each class and letter; made once in a process."""
    found: dict[tuple[str, str], Shelf] = {}
    for letter in "".join(GROUPS):
        used: dict[tuple[str, ...], set[str]] = {}
        for label, group in sorted(classes().items(), key=_first_served):
            found[label, letter] = _shelf(group, letter, used)
    return found


def _first_served(item: tuple[str, NameClass]) -> tuple[bool, bool]:
    """Spanish classes before others, and those of the commonest names before the rest."""
    label, _ = item
    return "hispanic" not in label, not label.startswith(("both", "given/anglo", "given/shared"))


def _shelf(group: NameClass, letter: str, used: dict[tuple[str, ...], set[str]]) -> Shelf:
    own = (*_of_letter(group, letter), *_lent(group.label, letter))
    peers = next(letters for letters in GROUPS if letter in letters)
    most = max((_count(group, other) for other in peers), default=0)
    wanted = max(most, len(own)) + (_before(group, "") if letter in HOSTS else 0)
    names = sorted((name for name in own if not reads_as_day(name)), key=_rarity(group.label))
    for row in _pools(group.label):
        taken = used.setdefault((*row, letter), set())
        fresh = (n for n in load_census().names[row].get(letter, ()) if n not in taken)
        taken |= _filled(names, fresh, wanted, group.label)
    return Shelf(tuple(names), len(own))


def _filled(names: list[str], fresh: Iterable[str], wanted: int, label: str) -> set[str]:
    """The names of the census that join `names`, commonest first, until there are as many as
    `wanted`; in classes of names without a far origin also in the place of rarer ones.
    """
    rarity = _rarity(label)
    added = sorted(fresh, key=rarity)[:wanted]
    if label.split("/")[1] in _PLAIN:
        names[:] = sorted((*names, *added), key=rarity)[:wanted]
    else:
        names += added[: max(wanted - len(names), 0)]
        names.sort(key=rarity)
    return set(added).intersection(names)


def _lent(label: str, letter: str) -> tuple[str, ...]:
    """Names of a letter, of other classes, that a class of names of two languages may have."""
    return tuple(
        name
        for kind, sex, origin, names in shared_table()
        if label == f"{kind}/{origin}/{sex}"
        for name in names.split("|")
        if canonical(name)[0] == letter
    )


def _of_letter(group: NameClass, letter: str) -> tuple[str, ...]:
    start, end = bounds(group).get(letter, (0, 0))
    return group.names[start:end]


def _pools(label: str) -> tuple[tuple[str, ...], ...]:
    """The rows of the census that fill a class, the likest first."""
    _, origin, *rest = label.split("/")
    sex = rest[0] if rest else "-"
    kind = _kind(label)
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


class NamePool:
    """Names of a class to draw from, whose order counts.

    At the first draw they are parted by about how many letters they have and by the ranges of
    `_BORNE`: most of the many pools are never drawn from.
    """

    __slots__ = ("_close", "_kind", "names")

    def __init__(self, label: str, names: Sequence[str]) -> None:
        self._kind = _kind(label)
        self.names = tuple(names)
        self._close: list[list[tuple[str, ...]]] | None = None

    def alike(self, scope: Scope, key: str) -> str:
        """A keyed name of about the length of `key`, and borne by about as many, or nothing where
        there are no names.
        """
        if self._close is None:
            self._close = self._parted()
        close = self._close[_range(self._kind, key)]
        names = close[min(len(key), len(close) - 1)]
        return names[scope.integer(len(names), "unlisted", key)] if names else ""

    def _parted(self) -> list[list[tuple[str, ...]]]:
        """For each range the names of about so many letters, by that number."""
        beyond = max(map(len, self.names), default=0) + _NEAR[-1] + 1
        borne: list[list[str]] = [[] for _ in range(len(_BORNE) + 1)]
        for name in self.names:
            borne[_range(self._kind, canonical(name))].append(name)
        every = _by_size(self.names, beyond)
        return [
            [few if len(few) >= _ENOUGH else others for few, others in zip(own, every, strict=True)]
            for own in (_by_size(part, beyond) for part in borne)
        ]


def _range(kind: str, key: str) -> int:
    return bisect(_BORNE, power(kind, key))


def _by_size(names: Sequence[str], beyond: int) -> list[tuple[str, ...]]:
    places: dict[int, list[int]] = {}
    for at, name in enumerate(names):
        places.setdefault(len(name), []).append(at)
    return [_close(tuple(names), places, size) for size in range(beyond)]


def _close(names: tuple[str, ...], places: Mapping[int, list[int]], size: int) -> tuple[str, ...]:
    """The names of about `size` letters, `places` by their numbers of letters; all where these are
    few.
    """
    for near in _NEAR:
        found = [at for n in range(size - near, size + near + 1) for at in places.get(n, ())]
        if len(found) >= _ENOUGH:
            return tuple(names[at] for at in sorted(found))
    return names
