"""The known-pairs attack: what somebody learns of a name who knows what other names became.

A neighbour knows some relatives of a patient, or a colleague some of the staff, and finds their
surrogates in the notes. The attacker has the lists and the code, not the key, and keeps of a
further surrogate's originals those that some key explains together with the known pairs: letters
move within their groups and one to one, names of a class one to one within the letter that they
become, and within the rank of commonness that they have. Names are drawn from the listed surnames,
each as likely as the next, under scopes of the real derivation.

`one rotation` is the same attack on permutations that only turn the list of a letter (as they were
once): one pair tells all others of its class and letter.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from stream_deid.attack.outcome import Advance
from stream_deid.lists.lexicon import NameClass
from stream_deid.surrogate.keys import Scope, root
from stream_deid.surrogate.names.choosing.first_letters import FEW, GROUPS, HOSTS
from stream_deid.surrogate.names.choosing.stock import classes, listed, ranked, shelves
from stream_deid.surrogate.policy import Policy
from stream_deid.text.canonical import canonical
from stream_deid.text.memo import for_one_note

PAIRS = (0, 1, 3, 10, 30, 100)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Originals left for a surname with `pairs` known ones: their median number, how many of
    `people` have only one left, and how many that one is right for. `ruled_out`: people whose
    original was not among those left, which would be a fault of the attack.
    """

    sees: str
    pairs: int
    people: int
    certain: int
    possible: float
    ruled_out: int


@dataclass(frozen=True, slots=True)
class Name:
    """A listed surname."""

    group: NameClass
    index: int

    @property
    def text(self) -> str:
        return self.group.names[self.index]

    @property
    def letter(self) -> str:
        return canonical(self.text)[0]


def surnames() -> list[Name]:
    """All listed surnames."""
    groups = [group for label, group in sorted(classes().items()) if label.startswith("family")]
    return [Name(group, index) for group in groups for index in range(len(group.names))]


def attack(policy: Policy, key: bytes, people: int, seed: int, advance: Advance) -> list[Narrowed]:
    """The attackers on `people` patients, each with 0 to 100 known surnames."""
    every = surnames()
    homes = _homes(every)
    tenant = root(key, "", "attack", policy.name)
    rows: list[Narrowed] = []
    for count in PAIRS:
        rng = random.Random(seed)
        left, turned, missed = [], [], 0
        for number in range(people):
            scope = tenant.sub("patient", f"patient {number}").sub("name")
            names = rng.sample(every, count + 1)
            with for_one_note():
                said = [surrogate(scope, name) for name in names]
            pairs = list(zip(names[1:], said[1:], strict=True))
            found = list(_candidates(homes, pairs, said[0]))
            missed += names[0] not in found
            left.append(len(found))
            turned.append(1 if _turns(names, pairs) else len(found))
        rows.append(_narrowed("names, as they are", count, left, missed))
        rows.append(_narrowed("names, one rotation a class and letter", count, turned, missed))
        advance()
    return sorted(rows, key=lambda row: row.sees)


def surrogate(scope: Scope, name: Name) -> str:
    """What a listed surname becomes for the patient of `scope`."""
    return listed(scope.sub("name", 0), scope, name.group, name.index)


def _narrowed(sees: str, count: int, left: Sequence[int], missed: int) -> Narrowed:
    certain = sum(n == 1 for n in left)
    return Narrowed(sees, count, len(left), certain, float(median(left)), missed)


def _homes(every: Sequence[Name]) -> Mapping[str, list[Name]]:
    """For each surrogate, the names of the classes on whose shelves it stands."""
    by_class: dict[str, list[Name]] = {}
    for name in every:
        by_class.setdefault(name.group.label, []).append(name)
    found: dict[str, dict[str, None]] = {}
    for (label, _), shelf in shelves().items():
        if label in by_class:
            for shown in shelf.names:
                found.setdefault(shown, {})[label] = None
    return {
        shown: [name for label in labels for name in by_class[label]]
        for shown, labels in found.items()
    }


def _candidates(
    homes: Mapping[str, list[Name]], pairs: Sequence[tuple[Name, str]], seen: str
) -> Iterator[Name]:
    """The originals of `seen` that a key can explain together with the pairs."""
    became = {name.letter: canonical(shown)[0] for name, shown in pairs}
    taken = {shown for letter, shown in became.items() if letter not in FEW}
    known = {name for name, _ in pairs}
    to = canonical(seen)[0]
    for name in homes[seen]:
        may = name not in known and _may_become(name.letter, to, became, taken)
        if may and _of_rank(name, seen, to):
            yield name


def _of_rank(name: Name, seen: str, to: str) -> bool:
    """Whether `seen` stands where a name as common may go."""
    shelf = shelves()[name.group.label, to].names
    return any(
        seen in shelf[first:end] or end > len(shelf)
        for whose in (HOSTS if name.letter in FEW else name.letter)
        for _, first, end in (ranked(name.group, name.index, whose, to),)
    )


def _may_become(letter: str, to: str, became: Mapping[str, str], taken: set[str]) -> bool:
    if letter in became:
        return became[letter] == to
    if letter in FEW:
        return to in HOSTS
    group = next((letters for letters in GROUPS if letter in letters), "")
    return letter != to and to in group and to not in taken


def _turns(names: Sequence[Name], pairs: Sequence[tuple[Name, str]]) -> bool:
    """Whether a pair of the same class and letter is known."""
    first = names[0]
    return any(
        name.letter == first.letter and name.group.label == first.group.label for name, _ in pairs
    )
