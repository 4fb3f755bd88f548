"""Surrogates of names that no list holds: real names of the origin they sound of.

The origin is guessed from endings and letters (`origin_of`). The surrogate is drawn, keyed by the
scope and the canonical name, from the listed names of that origin and those of the census that
sound of it; it begins with the letter that the patient's initials become (`heads`), and has about
the length of the name. Names of other scripts are invented by pattern (`spelling`).

The map is not one to one over notes: two unlisted names of one patient meet with a chance of about
one in the size of the pool of their origin (`tests/unit/test_surrogate_names.py` bounds it). Within
one note `People` gives the later one its next draw, so that two people never become one there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise

from stream_deid.lists.lexicon import load_names
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.first_letters import GROUPS, head
from stream_deid.surrogate.names.choosing.spelling import invent
from stream_deid.surrogate.names.choosing.stock import NamePool, pool
from stream_deid.text.canonical import canonical
from stream_deid.text.memo import remembered

_VOCABULARY = Vocabulary("names_unlisted", "surrogates")

_ENOUGH = 6
_ENDINGS: tuple[tuple[str, str], ...] = tuple(
    (origin, ending)
    for origin, endings in _VOCABULARY.table("endings").items()
    for ending in endings.split()
)
_BY_ENDING = {ending: origin for origin, ending in reversed(_ENDINGS)}
_LONGEST_ENDING = max(map(len, _BY_ENDING))
_FEMALE = _VOCABULARY.ordered("female")
_BLACK_FEMALE = _VOCABULARY.ordered("black_female")
_BLACK_MALE = _VOCABULARY.ordered("black_male")
_LISTS = {
    "spanish": ("family/hispanic",), "basque": ("family/hispanic",),
    "catalan": ("family/hispanic",), "italian": ("family/european",),
    "polish": ("family/european",), "slavic": ("family/european",),
    "greek": ("family/european",), "armenian": ("family/european",),
    "german": ("family/european",), "scand": ("family/european",),
    "dutch": ("family/european",), "indian": ("family/southasian",),
    "arabic": ("family/arabic",), "african": ("family/african",),
    "eastasian": ("family/eastasian",), "pacific": ("given/pacific/F", "given/pacific/M"),
    "anglo": ("family/anglo",),
    "female": ("given/anglo/F", "given/european/F"), "female.es": ("given/hispanic/F",),
    "black.F": ("given/black/F",), "black.M": ("given/black/M",),
}  # fmt: skip
_ALL_LISTED = frozenset({"female", "female.es", "black.F", "black.M", "pacific"})
_LISTED_APART = frozenset({"anglo", "indian", "arabic", "african"})
_OF_SPANISH = _VOCABULARY.words("of_spanish")
_HAWAIIAN = frozenset("aeiouhklmnpwfstv")


@remembered
def origin_of(key: str) -> str:  # noqa: PLR0911 - one return a rule, in order
    """The origin that a canonical name (plain letters) sounds of; `anglo` where nothing tells."""
    for origin, endings in (
        ("black.F", _BLACK_FEMALE),
        ("black.M", _BLACK_MALE),
    ):
        if key.endswith(endings) and len(key) > 4:
            return origin
    if key.startswith(("nk", "nd", "ng", "mb", "nw", "oluw", "chukw", "adeb")) and len(key) > 3:
        return "eastasian" if key.startswith("ng") else "african"
    if len(key) < 3 or key.startswith(("xi", "zh", "hsi", "tsu", "xu")):
        return "eastasian"
    if len(key) > 5 and key[-1] in "aeiou" and set(key) <= _HAWAIIAN and _open(key):
        return "pacific"
    if "tx" in key or key.startswith(("etx", "eche", "goiko", "iturr", "urrut")):
        return "basque"
    found = _by_ending(key)
    if found:
        return found if not (key.endswith(_FEMALE) and found != "polish") else "female"
    if key.endswith(_FEMALE) and len(key) > 4:
        return "female"
    return "german" if "sch" in key or "tz" in key else "anglo"


def _by_ending(key: str) -> str:
    """The origin of the longest listed ending before which two letters stand, or nothing."""
    longest = min(_LONGEST_ENDING, len(key) - 2)
    endings = (key[-size:] for size in range(longest, 0, -1))
    return next((_BY_ENDING[ending] for ending in endings if ending in _BY_ENDING), "")


def _open(key: str) -> bool:
    """Whether every consonant is followed by a vowel, and vowels are most of the name."""
    vowels = "aeiou"
    pairs = all(a in vowels or b in vowels for a, b in pairwise(key))
    return pairs and 2 * sum(c in vowels for c in key) > len(key) + 1


@cache
def names() -> Mapping[tuple[str, str], NamePool]:
    """Real names by origin and first letter; where few are, others too. Made once in a process."""
    found: dict[tuple[str, str], NamePool] = {}
    for letter in "".join(GROUPS):
        plain = pool(("family/anglo",), letter)
        sounds = {name: origin_of(canonical(name)) for name in plain}
        for origin in _LISTS:
            own = _of_origin(origin, letter, sounds)
            found[origin, letter] = NamePool(
                _LISTS[origin][0], own if len(own) >= _ENOUGH else (*own, *plain)
            )
    return found


def _of_origin(origin: str, letter: str, sounds: Mapping[str, str]) -> tuple[str, ...]:
    wanted = pool(_LISTS[origin], letter)
    if origin in _ALL_LISTED or "hispanic" in _LISTS[origin][0]:
        return wanted
    label = load_names().label
    listed = (n for n in wanted if label(canonical(n)))
    if origin not in _LISTED_APART:
        listed = (n for n in listed if origin_of(canonical(n)) == origin)
    return tuple(dict.fromkeys((*listed, *(n for n in sounds if sounds[n] == origin))))


def unlisted(scope: Scope, key: str, home: str = "anglo", root: Scope | None = None) -> str:
    """The surrogate of a canonical name that no list holds, with its own capitals and accents.

    `home` (`anglo`, `spanish`) is the origin where the name sounds of none; `root`: the scope of
    letters (`heads`), `scope` where it is none.
    """
    letter = head(root or scope, key[0]) if key.isascii() and key.isalpha() else ""
    if not letter:
        return invent(scope, key).capitalize()
    return names()[_origin_at_home(key, home), letter].alike(scope, key)


def _origin_at_home(key: str, home: str) -> str:
    sound = origin_of(key)
    if home != "spanish":
        return sound
    return "female.es" if sound == "female" else "spanish" if sound in _OF_SPANISH else sound
