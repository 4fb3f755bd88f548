"""The word lists of the surrogates, read once when a `Surrogates` is made.

Tab-separated files under `data/`, written for this project from general knowledge; the first
line of each is `# <name> <version>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from types import MappingProxyType

from stream_deid.lists import people, vocabulary
from stream_deid.lists.calendar import is_day_word
from stream_deid.lists.vocabulary import rows
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import fold

_SMALLEST_CLASS = 24


@dataclass(frozen=True, slots=True, eq=False)
class NameClass:
    """Names that replace each other, sorted by first letter. One is only itself, so that what is
    remembered of it is found without a look at its names.

    `letters`, `starts`: each first letter present and where its names begin in `names`; `most`:
    how many names the commonest of them begins.
    """

    label: str
    names: tuple[str, ...] = field(repr=False)
    letters: tuple[str, ...] = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)
    most: int

    @classmethod
    def of(cls, label: str, names: Iterable[str]) -> NameClass:
        """The class of some names in any order."""
        ordered = sorted(names, key=canonical)
        letters: list[str] = []
        starts: list[int] = []
        for index, name in enumerate(ordered):
            letter = canonical(name)[0]
            if not letters or letters[-1] != letter:
                letters.append(letter)
                starts.append(index)
        ends = (*starts[1:], len(ordered))
        most = max(end - start for start, end in zip(starts, ends, strict=True))
        return cls(label, tuple(ordered), tuple(letters), tuple(starts), most)


@dataclass(frozen=True, slots=True)
class Names:
    """`place` gives the class and index of a canonical name; `base` the full form of a nickname,
    `short` the nicknames of a full form.
    """

    place: Mapping[str, tuple[NameClass, int]] = field(repr=False)
    base: Mapping[str, str] = field(repr=False)
    short: Mapping[str, tuple[str, ...]] = field(repr=False)
    sex: Mapping[str, str] = field(repr=False)
    version: str = ""

    def __contains__(self, key: str) -> bool:
        return key in self.place or key in self.base

    def label(self, key: str) -> str:
        """The class of a canonical name (`given/anglo/F`, `family/arabic`, `both/...`), that of
        the full form for a nickname, or nothing.
        """
        found = self.place.get(self.base.get(key, key))
        return found[0].label if found else ""


def _classes(table: list[list[str]]) -> dict[str, list[str]]:
    """Names by class: `given`/`family`, origin and sex; names that are both stand apart."""
    given: dict[str, list[str]] = {}
    family: dict[str, list[str]] = {}
    for row in table:
        (given if row[0] == "given" else family).setdefault(canonical(row[3]), row)
    groups: dict[str, list[str]] = {}
    both = [row for key, row in given.items() if key in family]
    for _, sex, origin, name in both:
        groups.setdefault(f"both/{origin}/{sex}", []).append(name)
    small = {label for label, names in groups.items() if len(names) < _SMALLEST_CLASS}
    apart = {canonical(n) for label, names in groups.items() if label not in small for n in names}
    for label in small:
        del groups[label]
    for key, (_, sex, origin, name) in given.items():
        if key not in apart:
            groups.setdefault(f"given/{origin}/{sex}", []).append(name)
    for key, (_, _, origin, name) in family.items():
        if key not in given:
            groups.setdefault(f"family/{origin}", []).append(name)
    return groups


def nicknames() -> Iterator[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """(full form, its nicknames, further ones that only a record's names are looked for by).

    The further ones are names of their own, or short for several.
    """
    for full, both, further in rows("nicknames")[1]:
        yield full, _items(both), _items(further)


def _items(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(",")) if cell else ()


@cache
def load_names() -> Names:
    """The name lists; read once in a process."""
    version, table = people.names_table()
    place: dict[str, tuple[NameClass, int]] = {}
    sex = {canonical(row[3]): row[1] for row in table if row[0] == "given"}
    for label, group in sorted(_classes(table).items()):
        made = NameClass.of(label, group)
        for index, name in enumerate(made.names):
            place[canonical(name)] = (made, index)
    base: dict[str, str] = {}
    short: dict[str, tuple[str, ...]] = {}
    for full, listed, _ in nicknames():
        if listed:
            short[canonical(full)] = listed
        for nick in listed:
            key = canonical(nick)
            if key not in base and key != canonical(full):
                base[key] = canonical(full)
    return Names(
        MappingProxyType({k: v for k, v in place.items() if k not in base}),
        MappingProxyType(base),
        MappingProxyType(short),
        MappingProxyType(sex),
        version,
    )


@dataclass(frozen=True, slots=True)
class Census:
    """Names of the 2020 US census that `load_names` does not hold.

    `names`: by kind, sex and origin (`any`, `hispanic`), and by first letter, commonest first;
    `sex`: of canonical given names; `family`: canonical surnames.
    """

    names: Mapping[tuple[str, ...], Mapping[str, tuple[str, ...]]] = field(repr=False)
    sex: Mapping[str, str] = field(repr=False)
    family: frozenset[str] = field(repr=False)


def reads_as_day(name: str) -> bool:
    """Whether a name is a month or a day of the week as well."""
    return is_day_word(fold(name).lower())


def reads_as_word(name: str) -> bool:
    """Whether a name is a month, a day, a word that stands in small letters often, or one of abuse
    as well.
    """
    key = fold(name).lower()
    return reads_as_day(name) or key in vocabulary.ordinary() or key in _awkward()


@cache
def _awkward() -> frozenset[str]:
    return vocabulary.listed("awkward_names.txt")


@cache
def _undrawn() -> frozenset[str]:
    return vocabulary.listed("undrawn_names.txt")


def _may_be_drawn(name: str) -> bool:
    return not reads_as_word(name) and fold(name).lower() not in _undrawn()


@cache
def load_census() -> Census:
    """The census names; read once in a process. `names` are those that a surrogate may be: "Miss",
    "You" and "Wednesday" are names of people too, and nobody would read them so.
    """
    names: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
    sex: dict[str, str] = {}
    family: set[str] = set()
    for kind, of, origin, listed in people.more_tables():
        by_letter = names.setdefault((kind, of, origin), {})
        for letter, group in groupby(listed.split("|"), key=lambda name: canonical(name)[0]):
            fit = tuple(filter(_may_be_drawn, group))
            by_letter[letter] = by_letter.get(letter, ()) + fit
        keys = map(canonical, listed.split("|"))
        if kind == "given":
            sex |= dict.fromkeys(keys, of)
        else:
            family.update(keys)
    family -= {canonical(n) for n in people.given_first()}
    return Census(MappingProxyType(names), MappingProxyType(sex), frozenset(family))


@cache
def load_list(name: str) -> Mapping[str, tuple[str, ...]]:
    """Lists of a file whose rows are `kind<TAB>values, separated by |`."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, values in rows(name)[1]:
        found[kind] = found.get(kind, ()) + tuple(v for v in values.split("|") if v)
    return MappingProxyType(found)


@dataclass(frozen=True, slots=True)
class City:
    """A city with its state or province, postal prefix and size (1 large to 3 small)."""

    name: str
    country: str
    state: str
    prefix: str
    size: int


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Cities by folded name, by country and state, and the states of each country."""

    named: Mapping[str, tuple[City, ...]] = field(repr=False)
    by_state: Mapping[tuple[str, str], tuple[City, ...]] = field(repr=False)
    states: Mapping[str, tuple[str, ...]] = field(repr=False)
    state_names: Mapping[tuple[str, str], tuple[str, ...]] = field(repr=False)
    state_keys: Mapping[str, tuple[str, str]] = field(repr=False)
    prefixes: Mapping[tuple[str, str], tuple[str, ...]] = field(repr=False)


@cache
def load_places() -> Gazetteer:
    """Cities and states; read once in a process."""
    by_state: dict[tuple[str, str], tuple[City, ...]] = {}
    named: dict[str, tuple[City, ...]] = {}
    for city in (*cities(), *towns_us()):
        named[fold(city.name)] = (*named.get(fold(city.name), ()), city)
        at = (city.country, city.state)
        by_state[at] = (*by_state.get(at, ()), city)
    names: dict[tuple[str, str], tuple[str, ...]] = {}
    keys: dict[str, tuple[str, str]] = {}
    prefixes: dict[tuple[str, str], tuple[str, ...]] = {}
    for country, code, forms, ranges in rows("states")[1]:
        names[country, code] = tuple(forms.split("|"))
        prefixes[country, code] = tuple(_spread(ranges))
        for form in names[country, code]:
            keys.setdefault(fold(form), (country, code))
    states: dict[str, tuple[str, ...]] = {}
    for country, code in names:
        states[country] = (*states.get(country, ()), code)
    return Gazetteer(
        MappingProxyType(named),
        MappingProxyType(by_state),
        MappingProxyType(states),
        MappingProxyType(names),
        MappingProxyType(keys),
        MappingProxyType(prefixes),
    )


@cache
def cities() -> tuple[City, ...]:
    """Cities of every country that surrogates may lie in."""
    return tuple(City(r[0], r[1], r[2], r[3], int(r[4])) for r in rows("cities")[1])


@cache
def towns_us() -> tuple[City, ...]:
    """Towns of the United States that are none of the cities, by state and size."""
    return tuple(
        City(name, "US", state, prefix, int(size))
        for state, size, listed in rows("towns_us")[1]
        for name, _, prefix in (town.partition(":") for town in listed.split("|"))
    )


@cache
def countries() -> tuple[tuple[str, str, str], ...]:
    """(part of the world, English name, Spanish name) of each country."""
    return tuple((part, english, spanish) for part, english, spanish in rows("countries")[1])


@cache
def area_codes(country: str = "US") -> Mapping[str, tuple[str, ...]]:
    """The assigned telephone area codes of each state of the US (and of `CANADA`), or the first
    three digits of the landlines of each province of Spain (`ES`), of numbers of Mexico (`MX`).
    """
    table = rows(f"areas_{country.lower()}")[1]
    return MappingProxyType({state: tuple(codes.split("|")) for state, codes in table})


@cache
def dialling() -> Mapping[tuple[str, int], Mapping[str, tuple[str, ...]]]:
    """By country code and length of a national number, for each kind of number (landline, mobile,
    either) the first digits that it may have, all as many.
    """
    plans: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {}
    for code, length, kind, openings in rows("dialling")[1]:
        plans.setdefault((code, int(length)), {})[kind] = tuple(_spread(openings))
    return MappingProxyType(plans)


def _spread(ranges: str) -> list[str]:
    """`350-352,355` as the prefixes that it names."""
    found: list[str] = []
    for piece in ranges.split(","):
        low, _, high = piece.partition("-")
        if low:
            width = len(low)
            found += [f"{n:0{width}d}" for n in range(int(low), int(high or low) + 1)]
    return found


@cache
def top_level_domains() -> frozenset[str]:
    """Real top-level domains, lower case; any other last label of a host may be a name."""
    return vocabulary.listed("top_level_domains.txt")
