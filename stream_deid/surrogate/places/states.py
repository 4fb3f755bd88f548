"""Places: a state moves to another state of its country, and all that lies in it moves along.

For one patient every state (province, department) has one keyed other state, so a city, its
state and its postal code stay coherent wherever they stand, without anything being stored. A
listed city becomes a city of like size in that state. Towns that no list holds become small towns
of the state that the note states beside them, else of the country of the note's addresses. A name
keeps its number of words as far as that goes. Postal codes keep their form, and
their first digits lie in the new state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import City, load_list, load_places
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers.scramble import (
    other_digits,
    scramble,
    scramble_digits,
)
from stream_deid.surrogate.places import countries, postcodes, streets, towns
from stream_deid.text.canonical import canonical, like_written, listed, words
from stream_deid.text.folding import fold

_LISTS = Vocabulary("places_states", "surrogates")

_TRIES = 12
_INVENTED = 8  # the try from which on a town is invented; notes of every day need two
_CODE_LENGTH = 5
_SPAIN, _LAST_OF_SPAIN = "ES", "52"
RESTRICTED_ZIP3 = _LISTS.words("restricted_zip3")
"""Areas of 20,000 people or fewer in the census of 2020 (18), and those that HHS' guidance prints
from the census of 2000 (17): five of these have grown since and are hidden all the same.
"""
_CODE_WORDS = frozenset(listed("c p cp zip cod codigo postal code"))


def find_state(text: str) -> tuple[str, str] | None:
    """(country, code) of a state or province as written."""
    key = " ".join(fold(text).split())
    places = load_places()
    plain = key.replace(".", "").replace(" ", "")
    return (
        places.state_keys.get(key)
        or places.state_keys.get(key.rstrip("."))
        or (places.state_keys.get(plain) if "." in key else None)
    )


@dataclass(slots=True)
class Places:
    """The places of one note.

    `beside`: the state that stands beside a city in it; `real`: its cities, folded; `home`: the
    countries of its addresses; `names`: the telling words of its names (`telling`); `prefixes`: by
    state the postal prefix of its first surrogate city in it; `foreign`: whether its postal codes
    are none of Spain; `told`: the country of all states that it names, whose codes its codes are;
    `bearers`: the names of its people and what these become, folded, which no town gets.
    """

    scope: Scope
    language: str
    beside: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    taken: dict[str, str] = field(default_factory=dict, repr=False)
    prefixes: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    real: frozenset[str] = field(default=frozenset(), repr=False)
    home: frozenset[countries.Country] = field(default=frozenset(), repr=False)
    names: frozenset[str] = field(default=frozenset(), repr=False)
    foreign: bool = False
    told: str = ""
    bearers: frozenset[str] = field(default=frozenset(), repr=False)

    def anew(self, scope: Scope) -> Places:
        """The same places at one mention, whose surrogates agree with no other's."""
        return replace(self, scope=scope, taken={}, prefixes={})

    @property
    def countries(self) -> tuple[str, ...]:
        """Where a place of this language is looked for, first the likeliest."""
        return _countries(self.language)

    def moved(self, country: str, state: str) -> str:
        """The state that a state becomes for this patient."""
        return towns.moved(self.scope, country, state)

    def find_state(self, text: str) -> tuple[str, str] | None:
        """(country, code) of a state or province as written; the code of a Spanish province in
        Spanish notes.
        """
        if self.language == "es" and not self.foreign:
            province = provinces().get(text.strip())
            if province is not None:
                return _SPAIN, province
        return find_state(text)

    def state_of(self, phi: PhiType, text: str) -> tuple[str, str] | None:
        """The same of a STATE or a ZIP."""
        if phi is not PhiType.ZIP:
            return self.find_state(text)
        code = postcodes.read(text.strip())
        found = self._state_of_code(code) if code is not None else None
        return found[:2] if found is not None else None

    def country_of(self, text: str) -> str:
        """The code of the country in which a place lies, or nothing where no list holds it."""
        core = text.strip()
        code = postcodes.read(core)
        if code is not None:
            found = self._state_of_code(code)
            return found[0] if found else ""
        state = self.find_state(core)
        if state is not None:
            return state[0]
        city = self.find_city(core)
        return city.country if city else ""

    def find_city(self, text: str) -> City | None:
        """The listed city of a name, in the state that the note states where it does."""
        places = load_places()
        key = " ".join(fold(text).split())
        at = self.beside.get(key)
        if at is not None:
            alike = places.named.get(key, ())
            return next((c for c in alike if (c.country, c.state) == at), None)
        likely = {country: i for i, country in enumerate(self.countries)}
        return min(places.named.get(key, ()), key=lambda c: likely[c.country], default=None)

    def holds(self, text: str) -> bool:
        """Whether the lists hold a city, state or region of this name."""
        found = self.find_city(text) or self.find_state(text)
        return bool(found or (self.language == "es" and towns.region(self.scope, text)))

    def city(self, text: str) -> str:
        """The surrogate of a CITY span: a city, a province written as one, or a postal code."""
        core = text.strip()
        if any(c.isdecimal() for c in core):
            return text.replace(core, self._with_code(core))
        if "," in core:
            pieces = core.split(",")
            return text.replace(core, ",".join(_kept_edges(p, self.city) for p in pieces))
        city = self.find_city(core)
        if city is None and self.find_state(core) is not None:
            return self.state(text)
        region = towns.region(self.scope, core) if city is None and self.language == "es" else ""
        chosen = region or self._unique(fold(core), lambda n: self._drawn(core, city, n))
        return text.replace(core, like_written(core, chosen, self.language))

    def _with_code(self, core: str) -> str:
        """A postal code, with a city before or after it."""
        code = postcodes.inside(core)
        if code is None:
            return self.postal(core, "coherent")
        start, end = code
        made = self.postal(core[start:end], "coherent")
        return self._beside(core[:start]) + made + self._beside(core[end:])

    def _beside(self, text: str) -> str:
        """What stands beside a postal code: the name of a city, or a word that says what it is."""
        found = words(text)
        if not found or all(word.key in _CODE_WORDS for word in found):
            return text
        start, end = found[0].start, found[-1].end
        return text[:start] + self.city(text[start:end]) + text[end:]

    def _drawn(self, core: str, city: City | None, step: int) -> str:
        """What is tried at a step for a city: one of its state, of its country, an invented one."""
        key = " ".join(fold(core).split())
        at = (city.country, city.state) if city is not None else self.beside.get(key)
        country = at[0] if at is not None else self._own_country()
        name = ""
        if step < _INVENTED and at is not None:
            state = self.moved(*at)
            if city is not None:
                name = towns.likely(self.scope, city, state, step)
            else:
                name = towns.small(self.scope, key, country, step, state)
        if not name and step < _INVENTED:
            name = towns.small(self.scope, key, country, step)
        scope = self.scope.sub("town", key, step)
        return name or towns.invented(scope, self.language, towns.length(core))

    def _own_country(self) -> str:
        """The country of the note's addresses, or the likeliest for its language."""
        if not self.home:
            return self.countries[0]
        own = (code for code in self.countries if countries.of_code(code) in self.home)
        return next(own, self.countries[0])

    def state(self, text: str) -> str:
        """The surrogate of a STATE span, abbreviated as it is."""
        core = text.strip()
        found = self.find_state(core)
        if found is None:
            country = self.told or self._own_country()
            states = load_places().states[country]
            code = states[self.scope.integer(len(states), "no state", fold(core))]
            return text.replace(
                core, like_written(core, load_places().state_names[country, code][0], self.language)
            )
        country, code = found
        to = self.moved(country, code)
        if country == _SPAIN and core in provinces():
            return text.replace(core, province_codes()[to])
        forms = load_places().state_names[country, to]
        return text.replace(core, like_written(core, _like_form(core, forms), self.language))

    def is_home(self, text: str) -> bool:
        """Whether a COUNTRY span names the country of the patient's own addresses, or is a code."""
        return countries.is_code(text) or countries.find(text) in self.home

    def country(self, text: str) -> str:
        """Another country of the same part of the world, in the language that is written."""
        core = text.strip()
        value = countries.other(self.scope, core, self.language, self.home)
        short = len(core) <= 3 and core.isupper()
        return text.replace(core, value if short else like_written(core, value, self.language))

    def postal(self, text: str, rule: str) -> str:
        """The surrogate of a postal code under a policy's ZIP rule."""
        core = text.strip()
        code = postcodes.read(core)
        usual = code is not None and len(code.digits) == _CODE_LENGTH
        if rule == "safe-harbor":
            if code is None or code.before or not usual:
                return "000"
            zip3 = code.digits[:3]
            return "000" if zip3 in RESTRICTED_ZIP3 else zip3
        if code is None or rule == "random":
            return text.replace(core, self._pattern(core))
        made = self._coherent(code) if usual else self._pattern(code.digits)
        after = scramble_digits(self.scope.sub("zip4"), code.after)
        return text.replace(core, code.before + made + after)

    def _pattern(self, core: str) -> str:
        digits = canonical(core)
        return scramble(self.scope.sub("zip"), core) if digits else "000"

    def _state_of_code(self, code: postcodes.Postcode) -> tuple[str, str, int] | None:
        """(country, state, length of its prefix) of a postal code of five digits."""
        if len(code.digits) != _CODE_LENGTH:
            return None
        own = (self.told, *self.countries)
        likely = own if code.country is None else (code.country,)
        for country in likely:
            for width, states in _states_by_prefix(country) if country else ():
                state = states.get(code.digits[:width])
                if state is not None:
                    return country, state, width
        return None

    def _coherent(self, code: postcodes.Postcode) -> str:
        found = self._state_of_code(code)
        if found is None:
            return scramble(self.scope.sub("zip"), code.digits)
        return self._in_state(code.digits, *found)

    def _in_state(self, digits: str, country: str, code: str, width: int) -> str:
        to = self.moved(country, code)
        options = load_places().prefixes[country, to]
        city = self.prefixes.get((country, to), "")
        prefix = city or options[self.scope.integer(len(options), "prefix", digits[:width])]
        tail = other_digits(self.scope.sub("zip", prefix), digits[width:])
        return prefix + tail

    def street(self, text: str) -> str:
        """The surrogate of a STREET span (`streets`)."""
        return streets.street(self.scope, text, self.language, self.names)

    def _unique(self, key: str, draw: Callable[[int], str]) -> str:
        value = ""
        for step in range(_TRIES):
            value = draw(step)
            made = fold(value)
            if made in self.real or made in self.bearers or key in made:
                continue
            if self._take(made, key):
                break
        return value

    def _take(self, made: str, key: str) -> bool:
        """Whether a folded surrogate stands for `key`, or may from now on."""
        if made not in self.taken:
            self.taken[made] = key
            for city in load_places().named.get(made, ()):
                self.prefixes.setdefault((city.country, city.state), city.prefix)
        return self.taken[made] == key


def is_foreign(code: str) -> bool:
    """Whether a postal code of five digits is none of Spain's."""
    found = postcodes.read(code.strip())
    five = found is not None and len(found.digits) == _CODE_LENGTH
    return bool(five and found and found.digits[:2] > _LAST_OF_SPAIN)


@cache
def provinces() -> Mapping[str, str]:
    """The Spanish provinces by their codes."""
    return MappingProxyType(
        {code: name for name, codes in load_list("provinces_es").items() for code in codes}
    )


@cache
def province_codes() -> Mapping[str, str]:
    """The usual code of each Spanish province."""
    return MappingProxyType({name: codes[0] for name, codes in load_list("provinces_es").items()})


@cache
def _countries(language: str) -> tuple[str, ...]:
    others = tuple(c for c in load_places().states if c not in {"US", "ES", "MX"})
    return ("US", "ES", "MX", *others) if language == "en" else ("ES", "MX", *others, "US")


@cache
def _states_by_prefix(country: str) -> tuple[tuple[int, Mapping[str, str]], ...]:
    """The states of a country by the first digits of their postal codes, by length of these."""
    places = load_places()
    found: dict[int, dict[str, str]] = {}
    for code in places.states[country]:
        for prefix in places.prefixes[country, code]:
            found.setdefault(len(prefix), {}).setdefault(prefix, code)
    return tuple(found.items())


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
