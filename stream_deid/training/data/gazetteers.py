"""Values to draw for synthetic PHI: names by origin, places, streets, occupations.

Files (US Census 2020 names, GeoNames cities, US counties and addresses) come from a folder
given by the caller and are not part of the project. Each value belongs to the training part or
to the development part, by a hash of the value, so that development names are never trained on.
"""

from __future__ import annotations

import bisect
import csv
import gzip
import hashlib
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from stream_deid.lists.lexicon import load_places
from stream_deid.lists.vocabulary import Vocabulary

_LISTS = Vocabulary("gazetteers", "", "stream_deid.training")

ORIGINS = ("pctwhite", "pctblack", "pctapi", "pctaian", "pcthispanic")
ORIGIN_WEIGHTS = (0.38, 0.16, 0.18, 0.04, 0.24)
LATIN_COUNTRIES = tuple(_LISTS.ordered("latin_countries"))
_DEV_SHARE = 0.2


def in_training(value: str) -> bool:
    """Whether `value` belongs to the training part (four values in five)."""
    digest = hashlib.sha256(value.casefold().encode()).digest()
    return int.from_bytes(digest[:4], "big") >= _DEV_SHARE * 2**32


@dataclass(frozen=True, slots=True)
class Weighted:
    """Values with cumulative weights."""

    values: Sequence[str]
    cumulative: Sequence[float]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, float]]) -> Weighted:
        kept = [(v, w) for v, w in pairs if w > 0]
        return cls([v for v, _ in kept], list(accumulate(w for _, w in kept)))

    def draw(self, rng: random.Random) -> str:
        return self.values[bisect.bisect(self.cumulative, rng.random() * self.cumulative[-1])]


class Gazetteers:
    """The lists of one part: `training=True` or the development part."""

    def __init__(self, folder: Path, *, training: bool = True) -> None:
        self._folder = folder
        self._training = training

    @property
    def data(self) -> Path:
        """The folder of data that they lie in."""
        return self._folder.parent

    def _rows(self, name: str) -> list[dict[str, str]]:
        with gzip.open(self._folder / name, "rt", encoding="utf-8", newline="") as handle:
            return list(csv.DictReader(handle))

    def _ours(self, value: str) -> bool:
        return in_training(value) is self._training

    @cached_property
    def _surname_rows(self) -> list[dict[str, str]]:
        return [r for r in self._rows("us_surnames_2020.csv.gz") if len(r["name"]) > 1]

    @cached_property
    def _first_rows(self) -> list[dict[str, str]]:
        return [r for r in self._rows("us_first_names_2020.csv.gz") if len(r["name"]) > 1]

    @cached_property
    def surnames(self) -> dict[str, Weighted]:
        """By origin; weights are square roots of counts, so that rare names are seen."""
        return {o: self._by_origin(self._surname_rows, o) for o in ORIGINS}

    @cached_property
    def given(self) -> dict[tuple[str, str], Weighted]:
        """By origin and sex ("F", "M")."""
        split = {"F": "pctfemale", "M": "pctmale"}
        return {
            (o, sex): self._by_origin([r for r in self._first_rows if _number(r[column]) >= 50], o)
            for o in ORIGINS
            for sex, column in split.items()
        }

    def _by_origin(self, rows: list[dict[str, str]], origin: str) -> Weighted:
        return Weighted.of(
            (r["name"], (_number(r["count"]) * _number(r[origin])) ** 0.5)
            for r in rows
            if self._ours(r["name"])
        )

    @cached_property
    def given_share(self) -> dict[str, tuple[float, str]]:
        """For a lower-case name: how much more it is a given name than a surname, and its sex."""
        last = {r["name"].lower(): _number(r["count"]) for r in self._surname_rows}
        return {
            r["name"].lower(): (
                _number(r["count"]) / (_number(r["count"]) + last.get(r["name"].lower(), 0) + 1),
                "F" if _number(r["pctfemale"]) >= 50 else "M",
            )
            for r in self._first_rows
        }

    @cached_property
    def _all_names(self) -> frozenset[str]:
        cities = {r["name"] for r in self._rows("cities.csv.gz") if r["country"] == "US"}
        names = {r["name"].capitalize() for r in (*self._surname_rows, *self._first_rows)}
        return frozenset(names | cities)

    def maybe_name(self, word: str, rare: bool) -> bool:
        """Whether a capitalised word may name a person or a US town, of either part.

        A word that is not `rare` in clinical text counts only as a common given name.
        """
        if rare:
            return word in self._all_names
        return word.lower() in self._common_given

    @cached_property
    def _common_given(self) -> frozenset[str]:
        share = self.given_share
        rows = (r for r in self._first_rows if _number(r["count"]) >= 20_000)
        return frozenset(n for r in rows if share[n := r["name"].lower()][0] > 0.7)

    @cached_property
    def _cities(self) -> list[tuple[str, str, str, float]]:
        return [
            (r["name"], r["country"], r["admin1"], _number(r["population"]))
            for r in self._rows("cities.csv.gz")
            if self._ours(r["name"])
        ]

    @cached_property
    def us_cities(self) -> Weighted:
        """US places, the large ones a little more often; counties' names among them."""
        counties = [r["name"].removesuffix(" County") for r in self._rows("us_counties.csv.gz")]
        return Weighted.of(
            [
                *((n, p**0.2) for n, c, _, p in self._cities if c == "US"),
                *((n, 3.0) for n in counties if self._ours(n)),
            ]
        )

    @cached_property
    def world_cities(self) -> Weighted:
        return Weighted.of((n, p**0.3) for n, c, _, p in self._cities if c != "US" and n.isascii())

    @cached_property
    def latin_cities(self) -> Weighted:
        spain = {"ES": 3.0}
        return Weighted.of(
            (n, p**0.3 * spain.get(c, 1.0)) for n, c, _, p in self._cities if c in LATIN_COUNTRIES
        )

    @cached_property
    def streets(self) -> list[str]:
        """Names of streets without number and kind."""
        out = []
        for row in self._rows("us_addresses.csv.gz"):
            words = re.sub(r"^[\d-]+\s+", "", row["address1"]).split()
            core = [w for w in words[:-1] if w.isalpha() and w.lower() not in _DIRECTIONS]
            name = " ".join(core)
            if len(name) > 2 and self._ours(name):
                out.append(name)
        return sorted(set(out))


_DIRECTIONS = _LISTS.words("directions")


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return 0.0


def proper(name: str, rng: random.Random) -> str:
    """A census name (capitals, letters only) as people write it: "MCBRIDE" as "McBride"."""
    lower = name.lower()
    if lower.startswith("mc") and len(lower) > 4:
        return "Mc" + lower[2:].capitalize()
    if lower[0] == "o" and len(lower) > 4 and lower[1:] in _IRISH and rng.random() < 0.6:
        return "O'" + lower[1:].capitalize()
    for prefix, written in _PARTICLES:
        rest = lower.removeprefix(prefix)
        if rest != lower and len(rest) > 3 and rng.random() < 0.4:
            return written + rest.capitalize()
    return lower.capitalize()


_IRISH = _LISTS.words("irish")
_PARTICLES = (
    ("dela", "De La "), ("delos", "De Los "), ("vander", "Vander "), ("saint", "St. "),
    ("mac", "Mac"), ("fitz", "Fitz"), ("van", "Van "), ("la", "La"), ("de", "De"), ("di", "Di"),
)  # fmt: skip

US_STATES = {
    code: forms[0]
    for (country, code), forms in load_places().state_names.items()
    if country == "US" and code != "DC"
}
COUNTRIES = [c.replace("_", " ") for c in _LISTS.ordered("countries")]
PAISES = [c.replace("_", " ") for c in _LISTS.ordered("paises")]
NOMBRES = {
    "F": _LISTS.ordered("nombres_f"),
    "M": _LISTS.ordered("nombres_m"),
}
APELLIDOS = _LISTS.ordered("apellidos")
PROFESSIONS = [p.replace("_", " ") for p in _LISTS.ordered("professions")]
