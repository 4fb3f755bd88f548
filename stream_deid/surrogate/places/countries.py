"""Countries: that of the patient's own addresses stays, any other moves within its region.

States, cities and postal codes never leave their country (`places`), so the country that stands
beside them stays too; a country elsewhere ("born in Somalia") becomes another one of the same
part of the world. A code stays, where it is no state's: no word may stand in its place. A country
is no identifier by 45 CFR 164.514(b)(2)(i)(B), which asks for subdivisions smaller than a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import countries
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.text.folding import fold

_LISTS = Vocabulary("places_countries", "surrogates")

T = PhiType
Country = tuple[str, int]
"""Part of the world, and index in it."""

_ADDRESS = frozenset({T.STREET, T.CITY, T.STATE, T.ZIP})
_GAP = 4  # characters at most between the pieces of one address
_OTHER_NAMES = _LISTS.table("other_names")
_CODES = _LISTS.table("codes")
ISO_CODES = _LISTS.words("country_codes")
"""Of two and three letters, small."""
_INVENTED = {"es": "hispanic"}  # where a note's language has towns that the lists do not hold


@cache
def _table() -> tuple[dict[str, Country], dict[str, tuple[tuple[str, str], ...]]]:
    """(country by folded name, (English, Spanish) names by part of the world)."""
    groups: dict[str, tuple[tuple[str, str], ...]] = {}
    for group, english, spanish in countries():
        groups[group] = (*groups.get(group, ()), (english, spanish))
    where = {
        fold(name): (group, i)
        for group, names in groups.items()
        for i, pair in enumerate(names)
        for name in pair
    }
    for name, others in _OTHER_NAMES.items():
        for other in others.split():
            where.setdefault(other.replace("_", " "), where[fold(name)])
    return where, groups


def find(text: str) -> Country | None:
    """The country of a name as written, or None for one that no list holds."""
    return _table()[0].get(" ".join(fold(text).split()))


def is_code(text: str) -> bool:
    """Whether a text is a country's code: no word may stand in its place."""
    return text.isupper() and text.lower() in ISO_CODES


def of_code(code: str) -> Country:
    """The country of a code of the list of states (`US`, `ES`, ...)."""
    return _table()[0][_CODES[code]]


def other(scope: Scope, text: str, language: str, real: frozenset[Country]) -> str:
    """Another country of the same part of the world, in the note's language.

    One to one within a scope for listed countries; never one of `real`, those of the note, unless
    its part of the world holds no other.
    """
    _, groups = _table()
    group, index = find(text) or ("europe", -1)
    names = groups[group]
    if index < 0:
        index = scope.integer(len(names), "no country", fold(text))
    walk = scope.sub("country", group)
    for _ in names:
        index = walk.cycle(len(names), index)
        if (group, index) not in real:
            break
    english, spanish = names[index]
    return english if language == "en" else spanish


def at_home(
    spans: Sequence[tuple[int, int, PhiType, str]], resolved: dict[str, str], language: str
) -> frozenset[Country]:
    """The countries of a note's own addresses.

    `spans`: (start, end, type, text) of a part in order; `resolved`: the country code of each
    place of the note that the lists hold, by text. Home is the country that stands beside a
    place of its own, or (in Spanish) beside one that no list holds; and that of most listed places.
    """
    home: dict[Country, None] = {}
    for left, right in pairwise(spans):
        if not 0 <= right[0] - left[1] <= _GAP or left[2] is right[2]:
            continue
        for country, beside in ((left, right), (right, left)):
            found = find(country[3]) if country[2] is T.COUNTRY else None
            if found is None or beside[2] not in _ADDRESS:
                continue
            code = resolved.get(beside[3])
            near = of_code(code) == found if code else found[0] == _INVENTED.get(language)
            if near:
                home[found] = None
    counts: dict[str, int] = {}
    for _, _, _, text in spans:
        if text in resolved:
            counts[resolved[text]] = counts.get(resolved[text], 0) + 1
    if counts:
        home[of_code(max(counts, key=lambda code: (counts[code], code)))] = None
    return frozenset(home)
