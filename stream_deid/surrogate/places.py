"""Places: a state moves to another state of its country, and all that lies in it moves along.

For one patient every state (province, department) has one keyed other state, so a city, its
state and its postal code stay coherent wherever they stand, without anything being stored. A
listed city becomes a city of like size in that state; others become invented small towns.
Postal codes keep their form, and their first digits lie in the new state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import re2

from stream_deid.surrogate.canonical import fold, like_case, listed, without_accents, words
from stream_deid.surrogate.derive import Scope
from stream_deid.surrogate.lexicon import City, load_list, load_places, rows
from stream_deid.surrogate.numbers import canonical, scramble, scramble_digits

_HOUSE = re2.compile(r"\d+[A-Za-z]?\b")
_ZIP = re2.compile(r"\s*(\d{5})(?:[- ]?(\d{4}))?\s*")
RESTRICTED_ZIP3 = frozenset(
    listed(
        """
    036 059 063 102 202 203 204 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890
    893"""
    )
)
"""Areas of 20,000 people or fewer, version 2 (those of the 2000 and of the 2010 census joined)."""

_STREET_WORDS = frozenset(
    listed(
        """
    street st avenue ave av road rd drive dr lane ln boulevard blvd court ct circle cir place pl
    plaza terrace ter way parkway pkwy highway hwy route rte rt rr trail trl loop square sq alley
    pike turnpike tpke path row run cove county state us interstate fm cr sr north south east west
    n s e w ne nw se sw apt apartment unit suite ste floor fl bldg building box po p o lot no num
    space trailer rural mile near off and of the at on in lives corner between by outside
    calle c cl avenida avda av paseo pso plaza pza pl camino cno carretera ctra ronda travesia trav
    callejon calzada blvd bulevar via glorieta pasaje psje urbanizacion urb colonia col barrio bo
    sector manzana mz lote casa piso planta puerta pta escalera esc portal bloque bl edificio edif
    dpto depto departamento km kilometro numero nro izq izquierda dcha derecha bajo atico int
    interior ext exterior esquina esq entre y de del la las los el s/n sn"""
    )
)


@cache
def _countries() -> tuple[dict[str, tuple[str, int]], dict[str, tuple[tuple[str, str], ...]]]:
    """(group and index by folded name, (english, spanish) names by group)."""
    groups: dict[str, tuple[tuple[str, str], ...]] = {}
    for group, english, spanish in rows("countries")[1]:
        groups[group] = (*groups.get(group, ()), (english, spanish))
    where = {
        fold(name): (group, i)
        for group, names in groups.items()
        for i, pair in enumerate(names)
        for name in pair
    }
    for short in ("usa", "us", "u.s.", "u.s.a.", "eeuu", "ee.uu.", "ee. uu.", "america"):
        where[short] = where["united states"]
    where["uk"] = where["u.k."] = where["united kingdom"] = where["reino unido"] = where["england"]
    return where, groups


@dataclass(slots=True)
class Places:
    """The places of one note; `beside` gives the state that stands beside a city in it."""

    scope: Scope
    language: str
    beside: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    taken: dict[str, str] = field(default_factory=dict, repr=False)
    real: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def countries(self) -> tuple[str, ...]:
        """Where a place of this language is looked for, first the likeliest."""
        others = tuple(c for c in load_places().states if c not in {"US", "ES", "MX"})
        return ("US", "ES", "MX", *others) if self.language == "en" else ("ES", "MX", *others, "US")

    def moved(self, country: str, state: str) -> str:
        """The state that a state becomes for this patient."""
        states = load_places().states[country]
        index = states.index(state)
        return states[self.scope.sub("state", country).cycle(len(states), index)]

    def find_state(self, text: str) -> tuple[str, str] | None:
        """(country, code) of a state or province as written."""
        key = " ".join(fold(text).split())
        places = load_places()
        return places.state_keys.get(key) or places.state_keys.get(key.rstrip("."))

    def find_city(self, text: str) -> City | None:
        """The listed city of a name, in the state that the note states where it does."""
        places = load_places()
        key = " ".join(fold(text).split())
        at = self.beside.get(key)
        if at is not None:
            return next((c for c in places.by_state.get(at, ()) if fold(c.name) == key), None)
        return places.city.get(key)

    def city(self, text: str) -> str:
        """The surrogate of a CITY span: a city, a province written as one, or a postal code."""
        core = text.strip()
        if any(c.isdigit() for c in core):
            return text.replace(core, self.postal(core, "coherent"))
        if "," in core:
            pieces = core.split(",")
            return text.replace(core, ",".join(_kept_edges(p, self.city) for p in pieces))
        city = self.find_city(core)
        state = None if city else self.find_state(core)
        if state is not None:
            return self.state(text)
        chosen = self._unique(fold(core), lambda n: self._city(core, city, n))
        return text.replace(core, self._style(core, chosen))

    def _city(self, core: str, city: City | None, step: int) -> str:
        key = " ".join(fold(core).split())
        if city is not None and step < 12:
            options = self._like_size(city)
            if options:
                at = self.scope.integer(len(options), "city", fold(city.name), city.state)
                return options[(at + step) % len(options)].name
        drawn = self.scope.sub("town", key, step)
        kind = "town" if self.language == "en" else "town.es"
        lists = load_list("words")
        stem, end = lists[f"{kind}.stem"], lists[f"{kind}.end"]
        return stem[drawn.integer(len(stem), "stem")] + end[drawn.integer(len(end), "end")]

    def _like_size(self, city: City) -> tuple[City, ...]:
        there = load_places().by_state.get((city.country, self.moved(city.country, city.state)), ())
        same = tuple(c for c in there if c.size == city.size)
        return same or there

    def state(self, text: str) -> str:
        """The surrogate of a STATE span, abbreviated as it is."""
        core = text.strip()
        found = self.find_state(core)
        if found is None:
            country = self.countries[0]
            states = load_places().states[country]
            code = states[self.scope.integer(len(states), "no state", fold(core))]
            return text.replace(
                core, self._style(core, load_places().state_names[country, code][0])
            )
        country, code = found
        forms = load_places().state_names[country, self.moved(country, code)]
        return text.replace(core, self._style(core, _like_form(core, forms)))

    def country(self, text: str) -> str:
        """Another country of the same part of the world, in the language that is written."""
        core = text.strip()
        where, groups = _countries()
        group, index = where.get(fold(core), ("europe", -1))
        names = groups[group]
        if index < 0:
            index = self.scope.integer(len(names), "no country", fold(core))
        english, spanish = names[self.scope.sub("country", group).cycle(len(names), index)]
        return text.replace(core, self._style(core, english if self.language == "en" else spanish))

    def postal(self, text: str, rule: str) -> str:
        """The surrogate of a postal code under a policy's ZIP rule."""
        core = text.strip()
        match = _ZIP.fullmatch(core)
        if rule == "safe-harbor":
            if match is None:
                return "000"
            zip3 = match.group(1)[:3]
            return "000" if zip3 in RESTRICTED_ZIP3 else zip3
        if match is None or rule == "random":
            return text.replace(core, self._pattern(core))
        digits = match.group(1)
        made = self._coherent(digits)
        rest = core[core.index(digits) + 5 :]
        return text.replace(core, made + scramble_digits(self.scope.sub("zip4"), rest))

    def _pattern(self, core: str) -> str:
        digits = canonical(core)
        return scramble(self.scope.sub("zip"), core) if digits else "000"

    def _coherent(self, digits: str) -> str:
        places = load_places()
        for country in self.countries:
            for code in places.states[country]:
                width = len((places.prefixes[country, code] or ("",))[0])
                if width and digits[:width] in places.prefixes[country, code]:
                    return self._in_state(digits, country, code, width)
        return scramble(self.scope.sub("zip"), digits)

    def _in_state(self, digits: str, country: str, code: str, width: int) -> str:
        to = self.moved(country, code)
        options = load_places().prefixes[country, to]
        city = self._city_of(country, to)
        prefix = city or options[self.scope.integer(len(options), "prefix", digits[:width])]
        tail = scramble(self.scope.sub("zip", prefix), "1" + digits[width:])[1:]
        return prefix + tail

    def _city_of(self, country: str, state: str) -> str:
        """The postal prefix of the first surrogate city of this note in a state."""
        for name in self.taken:
            for city in load_places().by_state.get((country, state), ()):
                if fold(city.name) == name:
                    return city.prefix
        return ""

    def street(self, text: str) -> str:
        """Numbers by pattern, the name from the list, kind of street, unit and layout kept."""
        tokens = words(text)
        spans = [(w.start, w.end) for w in tokens if w.key not in _STREET_WORDS and len(w.key) > 1]
        runs = _runs(text, spans)
        kind = "street.es" if self.language == "es" else "street.en"
        names = load_list("words")[kind]
        pieces: list[str] = []
        last = 0
        for start, end in runs:
            core = text[start:end]
            at = self.scope.integer(len(names), "street", fold(core))
            name = names[at] if fold(names[at]) != fold(core) else names[at - 1]
            if kind == "street.es" and _after_of(text[:start]):
                name = name.removeprefix("de la ").removeprefix("del ").removeprefix("de los ")
                name = name.removeprefix("de las ").removeprefix("de ")
            pieces += [self._numbers(text[last:start]), self._style(core, name)]
            last = end
        return "".join([*pieces, self._numbers(text[last:])])

    def _numbers(self, text: str) -> str:
        if not any(c.isdecimal() for c in text):
            return text
        pieces: list[str] = []
        last = 0
        for match in _HOUSE.finditer(text):
            pieces += [text[last : match.start()], scramble(self.scope.sub("house"), match.group())]
            last = match.end()
        return "".join([*pieces, text[last:]])

    def _unique(self, key: str, draw: Callable[[int], str]) -> str:
        value = ""
        for step in range(24):
            value = draw(step)
            made = fold(value)
            if made in self.real or key in made:
                continue
            if self.taken.setdefault(made, key) == key:
                break
        return value

    def _style(self, model: str, value: str) -> str:
        if model.isascii() and (self.language == "en" or model.isupper()):
            value = without_accents(value)
        return like_case(model, value)


def _kept_edges(piece: str, replace: Callable[[str], str]) -> str:
    core = piece.strip()
    return piece.replace(core, replace(core)) if core else piece


def _like_form(model: str, forms: Sequence[str]) -> str:
    """The form of a state that answers `model`: postal code, dotted abbreviation or full name."""
    letters = model.replace(".", "").strip()
    if len(letters) == 2 and len(forms[-1]) == 2:
        return ".".join(forms[-1]) + "." if "." in model else forms[-1]
    if "." in model:
        return next((f for f in forms if f.endswith(".")), forms[0])
    return forms[0]


def _after_of(text: str) -> bool:
    return text.rstrip().lower().endswith((" de", " del", " de la", " de los", " de las"))


def _runs(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbouring words with nothing but spaces or hyphens between them, joined."""
    runs: list[tuple[int, int]] = []
    for start, end in spans:
        if (
            runs
            and text[runs[-1][1] : start].strip(" -'’") == ""
            and "\n" not in text[runs[-1][1] : start]
        ):
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs
