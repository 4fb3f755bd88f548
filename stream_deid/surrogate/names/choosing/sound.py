"""What a name that no list holds sounds like: a given name or a surname, of which origin and sex.

A naive Bayes guess over the letter groups (two to four letters, with the edges of the name) of
the listed names. Of names of the 2020 US census that are not among them, weighted by the root of
their counts, it takes 87 % of the surnames and 64 % of the given names for what they are, and
85 % of the given names for the sex of nine in ten who bear them. Weights are whole numbers
(1/1000 nat), so that every machine agrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log

from stream_deid.lists.lexicon import load_names
from stream_deid.surrogate.names.choosing.unlisted import origin_of
from stream_deid.text.memo import remembered

_ANY_GIVEN, _SURNAME = "given", "surname"
_SIZES = (2, 3, 4)
_SMOOTHING = 1.0
_GROUPS = 3000  # of letters, that smoothing reckons with
_UNIT = 1000  # of a nat
_GIVEN = {"anglo": 3 * _UNIT, "spanish": 6 * _UNIT}  # how much more so than a surname
_GIVEN_OF_SURNAMES = {
    **dict.fromkeys(("german", "polish", "scand", "slavic"), 10 * _UNIT),
    **dict.fromkeys(("armenian", "basque", "catalan", "dutch", "greek", "italian"), 6 * _UNIT),
}  # where its ending is one of surnames
_HOMES = {"anglo": ("/anglo/", 2 * _UNIT), "spanish": ("/hispanic/", 5 * _UNIT)}


@dataclass(frozen=True, slots=True)
class Letters:
    """Weights of letter groups in the names of several kinds, in 1/1000 nat.

    `rows`: by group a weight for each of `kinds`; `unknown`: those of a group that stands nowhere.
    """

    kinds: tuple[str, ...]
    priors: tuple[int, ...]
    rows: Mapping[str, tuple[int, ...]] = field(repr=False)
    unknown: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, names: Mapping[str, Sequence[str]]) -> Letters:
        """The weights of canonical names by kind."""
        counts = [Counter(g for name in some for g in _groups(name)) for some in names.values()]
        by_count = [_by_count(count) for count in counts]
        rows = {
            group: tuple(
                [weights[count[group]] for weights, count in zip(by_count, counts, strict=True)]
            )
            for group in sorted(set().union(*counts))
        }
        priors = tuple(_weight(len(some)) for some in names.values())
        return cls(tuple(names), priors, rows, tuple(weights[0] for weights in by_count))

    def scores(self, key: str) -> list[int]:
        """How much a canonical name sounds like each kind, without the priors."""
        return list(
            map(sum, zip(*[self.rows.get(g, self.unknown) for g in _groups(key)], strict=True))
        )


def _by_count(counts: Counter[str]) -> dict[int, int]:
    """The weight of a group that stands so many times in the names of a kind."""
    total = sum(counts.values()) + _SMOOTHING * _GROUPS
    return {n: _weight((n + _SMOOTHING) / total) for n in {0, *counts.values()}}


def _weight(p: float) -> int:
    return round(_UNIT * log(p))


def _groups(key: str) -> list[str]:
    framed = f"^{key}$"
    return [framed[at : at + n] for n in _SIZES for at in range(len(framed) - n + 1)]


@cache
def load() -> Letters:
    """Given names, surnames, and the classes of given names (`given/anglo/F`); read once."""
    kinds: dict[str, list[str]] = {}
    for key, (group, _) in sorted(load_names().place.items()):
        kinds.setdefault(group.label, []).append(key)
    given = [key for label, keys in kinds.items() if label.startswith("given") for key in keys]
    family = [key for label, keys in kinds.items() if label.startswith("family") for key in keys]
    classes = {
        label: keys
        for label, keys in kinds.items()
        if label.startswith("given") and not label.endswith("/U") and "/shared/" not in label
    }
    return Letters.of({_ANY_GIVEN: [*given, *load_names().base], _SURNAME: family, **classes})


@remembered
def _scores(key: str) -> list[int]:
    return load().scores(key)


@remembered
def sounds_given(key: str, home: str) -> bool:
    """Whether a canonical name that no list holds is a given name rather than a surname.

    `home`: `anglo` or `spanish`, by the language of the note.
    """
    given, family = _scores(key)[:2]
    return given - family > max(_GIVEN_OF_SURNAMES.get(origin_of(key), 0), _GIVEN[home])


@remembered
def class_of_given(key: str, home: str) -> str:
    """The class of listed given names (`given/hispanic/F`) that a canonical name sounds of.

    In doubt one of `home` (`anglo`, `spanish`).
    """
    letters = load()
    origin, bonus = _HOMES[home]
    scored = zip(letters.kinds[2:], letters.priors[2:], _scores(key)[2:], strict=True)
    return max((p + s + bonus * (origin in label), label) for label, p, s in scored)[1]
