"""Towns in small letters behind what says that somebody lives there or comes from there.

town = ("lives in" | "pt from" | "vive en" | "natural de" | ...) Town      "vive en envigado"

Only listed ones that are no word of the language: "vive en soledad", "lives in normal conditions".
"""

from __future__ import annotations

from functools import cache

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.lexicon import load_places
from stream_deid.lists.name_words import is_seen, is_word
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("towns")
_VALUE = r"(?P<v>[a-z]{2,}(?:[ ][a-z]{2,}){0,4})"
_LEAST = 4


@cache
def _towns() -> frozenset[str]:
    """Towns, folded; of one word only those that mean nothing else."""
    further = (name.replace("[ ]", " ") for name in _WORDS.ordered("further"))
    listed = (*load_places().named, *further)
    return frozenset(name for name in listed if " " in name or _means_nothing_else(name))


def _means_nothing_else(word: str) -> bool:
    if len(word) < _LEAST or word in _WORDS.words("words"):
        return False
    return not (is_word(word) or is_seen(word) or word in COMMON)


def town(hit: Hit) -> bool | int:
    """The longest beginning of the value that is a town."""
    if not whole(hit):
        return False
    words = hit.value.split(" ")
    for count in range(len(words), 0, -1):
        if (name := " ".join(words[:count])) in _towns():
            return len(name)
    return False


ENGLISH = (
    Pattern(
        "town-small", 1, PhiType.CITY,
        rf"(?:^|[^A-Za-z])(?i:{_WORDS['living_en']})[ ]{_VALUE}",
        town, (), 0.7,
    ),
)  # fmt: skip
SPANISH = (
    Pattern(
        "pueblo", 1, PhiType.CITY,
        rf"(?:^|[^A-Za-z])(?i:{_WORDS['living_es']})[ ]{_VALUE}",
        town, (), 0.7, "TERRITORIO",
    ),
)  # fmt: skip
