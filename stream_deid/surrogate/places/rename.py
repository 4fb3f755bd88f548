"""Places: a state moves to another state of its country, and all that lies in it moves along.

For one patient every state (province, department) has one keyed other state, so a city, its
state and its postal code stay coherent wherever they stand, without anything being stored. A
listed city becomes a city of like size in that state. Towns that no list holds become small towns
of the state that the note states beside them, else of the country of the note's addresses. A name
keeps its number of words as far as that goes. Postal codes keep their form, and
their first digits lie in the new state.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from stream_deid.lists.lexicon import City, load_places
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.places import countries, postcodes, states, streets, towns
from stream_deid.surrogate.places.gazetteer import SPAIN, NoteGazetteer
from stream_deid.surrogate.scramble import (
    other_digits,
    scramble,
    scramble_digits,
)
from stream_deid.surrogate.taken import Taken
from stream_deid.text.canonical import canonical, like_written, listed, words
from stream_deid.text.folding import fold

_TRIES = 12
_INVENTED = 8  # the try from which on a town is invented; notes of every day need two
_MOST_CODES = 8  # in one span
_CODE_WORDS = frozenset(listed("c p cp zip cod codigo postal code"))


class TownSurrogates:
    """What the towns of a note became so far, so that no two share one; and by state the postal
    prefix of the first of them that lies in it.
    """

    __slots__ = ("_prefixes", "_taken")

    def __init__(self) -> None:
        self._taken = Taken()
        self._prefixes: dict[tuple[str, str], str] = {}

    def take(self, made: str, key: str) -> bool:
        """Whether a folded surrogate stands for `key`, or does from now on."""
        own = self._taken.take(made, key)
        for city in load_places().named.get(made, ()) if own else ():
            self._prefixes.setdefault((city.country, city.state), city.prefix)
        return own

    def prefix(self, country: str, state: str) -> str:
        """The first digits of the postal codes of a state, where a town of it was given."""
        return self._prefixes.get((country, state), "")


@dataclass(frozen=True, slots=True)
class Places:
    """The places of one note.

    `real`: its cities, folded; `home`: the countries of its addresses; `names`: the words of its
    names (`distinctive_words`); `bearers`: the names of its people and what these become, folded,
    which no town gets; `so_far`: what its towns became.
    """

    scope: Scope
    gazetteer: NoteGazetteer
    real: AbstractSet[str] = field(repr=False)
    home: frozenset[countries.Country] = field(repr=False)
    names: frozenset[str] = field(repr=False)
    bearers: AbstractSet[str] = field(repr=False)
    so_far: TownSurrogates = field(default_factory=TownSurrogates, repr=False)

    @property
    def language(self) -> str:
        return self.gazetteer.language

    def anew(self, scope: Scope) -> Places:
        """The same places at one mention, whose surrogates agree with no other's."""
        return replace(self, scope=scope, so_far=TownSurrogates())

    def moved(self, country: str, state: str) -> str:
        """The state that a state becomes for this patient."""
        return towns.moved(self.scope, country, state)

    def holds(self, text: str) -> bool:
        """Whether the lists hold a city, state or region of this name."""
        found = self.gazetteer.find_city(text) or self.gazetteer.find_state(text)
        return bool(found or (self.language == "es" and towns.region(self.scope, text)))

    def city(self, text: str, deep: int = 0) -> str:
        """The surrogate of a CITY span: a city, a province written as one, or a postal code; it
        stands beside `deep` codes of a longer one.
        """
        core = text.strip()
        if any(c.isdecimal() for c in core):
            return text.replace(core, self._with_code(core, deep))
        if "," in core:
            pieces = core.split(",")
            return text.replace(core, ",".join(_kept_edges(p, self.city) for p in pieces))
        city = self.gazetteer.find_city(core)
        if city is None and self.gazetteer.find_state(core) is not None:
            return self.state(text)
        region = towns.region(self.scope, core) if city is None and self.language == "es" else ""
        chosen = region or self._unique(fold(core), lambda n: self._drawn(core, city, n))
        return text.replace(core, like_written(core, chosen, self.language))

    def _with_code(self, core: str, deep: int) -> str:
        """A postal code, with a city before or after it; of many codes the rest by pattern."""
        if deep > _MOST_CODES:
            return self._pattern(core)
        code = postcodes.inside(core)
        if code is None:
            return self.postal(core, "coherent")
        start, end = code
        made = self.postal(core[start:end], "coherent")
        return self._beside(core[:start], deep) + made + self._beside(core[end:], deep)

    def _beside(self, text: str, deep: int) -> str:
        """What stands beside a postal code: the name of a city, or a word that says what it is."""
        found = words(text)
        if not found or all(word.key in _CODE_WORDS for word in found):
            return text
        start, end = found[0].start, found[-1].end
        return text[:start] + self.city(text[start:end], deep + 1) + text[end:]

    def _drawn(self, core: str, city: City | None, step: int) -> str:
        """What is tried at a step for a city: one of its state, of its country, an invented one."""
        key = " ".join(fold(core).split())
        at = (city.country, city.state) if city is not None else self.gazetteer.beside.get(key)
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
            return self.gazetteer.countries[0]
        own = (code for code in self.gazetteer.countries if countries.of_code(code) in self.home)
        return next(own, self.gazetteer.countries[0])

    def state(self, text: str) -> str:
        """The surrogate of a STATE span, abbreviated as it is."""
        core = text.strip()
        if self.language == "en" and (other := states.abroad(self.scope, core)):
            return text.replace(core, other)
        found = self.gazetteer.find_state(core)
        if found is None:
            country = self.gazetteer.told or self._own_country()
            own = load_places().states[country]
            code = own[self.scope.integer(len(own), "no state", fold(core))]
            return text.replace(
                core, like_written(core, load_places().state_names[country, code][0], self.language)
            )
        country, code = found
        to = self.moved(country, code)
        if country == SPAIN and core in states.provinces():
            return text.replace(core, states.province_codes()[to])
        forms = load_places().state_names[country, to]
        return text.replace(core, like_written(core, states.like_form(core, forms), self.language))

    def is_home(self, text: str) -> bool:
        """Whether a COUNTRY span names the country of the patient's own addresses, or is a code."""
        code = countries.is_code(text) and self.gazetteer.find_state(text) is None
        return code or countries.find(text) in self.home

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
        usual = code is not None and len(code.digits) == postcodes.LENGTH
        if rule == "safe-harbor":
            if code is None or code.before or not usual:
                return "000"
            zip3 = code.digits[:3]
            return "000" if zip3 in postcodes.RESTRICTED_ZIP3 else zip3
        if code is None or rule == "random":
            return text.replace(core, self._pattern(core))
        made = self._coherent(code) if usual else self._pattern(code.digits)
        after = scramble_digits(self.scope.sub("zip4"), code.after)
        return text.replace(core, code.before + made + after)

    def _pattern(self, core: str) -> str:
        digits = canonical(core)
        return scramble(self.scope.sub("zip"), core) if digits else "000"

    def _coherent(self, code: postcodes.Postcode) -> str:
        found = self.gazetteer.state_of_code(code)
        if found is None:
            return scramble(self.scope.sub("zip"), code.digits)
        return self._in_state(code.digits, *found)

    def _in_state(self, digits: str, country: str, code: str, width: int) -> str:
        to = self.moved(country, code)
        options = load_places().prefixes[country, to]
        city = self.so_far.prefix(country, to)
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
            if self.so_far.take(made, key):
                break
        return value


def _kept_edges(piece: str, replace: Callable[[str], str]) -> str:
    core = piece.strip()
    return piece.replace(core, replace(core)) if core else piece
