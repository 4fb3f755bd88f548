"""Where the places lie that a note names: cities, states and codes, by its own words first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import City, load_places
from stream_deid.surrogate.places import postcodes, states
from stream_deid.text.folding import fold

SPAIN = "ES"


@dataclass(frozen=True, slots=True)
class NoteGazetteer:
    """The lists of places as one note reads them.

    `foreign`: whether its postal codes are none of Spain; `beside`: the state that stands beside a
    city in it; `told`: the country of all states that it names, whose codes its codes are.
    """

    language: str
    foreign: bool = False
    beside: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    told: str = ""

    @property
    def countries(self) -> tuple[str, ...]:
        """Where a place of this language is looked for, first the likeliest."""
        return _countries(self.language)

    def find_state(self, text: str) -> tuple[str, str] | None:
        """(country, code) of a state or province as written; the code of a Spanish province in
        Spanish notes.
        """
        if self.language == "es" and not self.foreign:
            province = states.provinces().get(text.strip())
            if province is not None:
                return SPAIN, province
        return states.find_state(text)

    def state_of(self, phi: PhiType, text: str) -> tuple[str, str] | None:
        """The same of a STATE or a ZIP."""
        if phi is not PhiType.ZIP:
            return self.find_state(text)
        code = postcodes.read(text.strip())
        found = self.state_of_code(code) if code is not None else None
        return found[:2] if found is not None else None

    def country_of(self, text: str) -> str:
        """The code of the country in which a place lies, or nothing where no list holds it."""
        core = text.strip()
        code = postcodes.read(core)
        if code is not None:
            found = self.state_of_code(code)
            return found[0] if found else ""
        if (at := self.beside.get(" ".join(fold(core).split()))) is not None:
            return at[0]
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

    def state_of_code(self, code: postcodes.Postcode) -> tuple[str, str, int] | None:
        """(country, state, length of its prefix) of a postal code of five digits."""
        if len(code.digits) != postcodes.LENGTH:
            return None
        own = (self.told, *self.countries)
        likely = own if code.country is None else (code.country,)
        for country in likely:
            for width, own_states in postcodes.states_by_prefix(country) if country else ():
                state = own_states.get(code.digits[:width])
                if state is not None:
                    return country, state, width
        return None


@cache
def _countries(language: str) -> tuple[str, ...]:
    others = tuple(c for c in load_places().states if c not in {"US", "ES", "MX"})
    return ("US", "ES", "MX", *others) if language == "en" else ("ES", "MX", *others, "US")
