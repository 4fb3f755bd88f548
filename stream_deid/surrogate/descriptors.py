"""What Spanish notes say of a person where an identifier is asked for: `lactante`, `peruana`.

Such words identify by what they mean, not by their letters, so they become a word that means less.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stream_deid.lists.titles import PARTICLES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.demographics import kinship, neutral
from stream_deid.surrogate.numbers import spoken_numbers
from stream_deid.text.canonical import Word, first_like, like_case, words
from stream_deid.text.folding import fold

_LISTS = Vocabulary("descriptors", "surrogates")

_LIFE = _LISTS.words("life")
_CIVIL = _LISTS.words("civil")
_DESCENT = _LISTS.words("descent")
_NATIONS = _LISTS.words("nations")
_SHORTEST = 3
_LESS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"kin": ("familiar", "allegado"), "life": ("paciente", "persona"),
     "civil": ("adulto", "residente"), "descent": ("otra etnia", "otro origen"),
     "nation": ("residente", "habitante")}
)  # fmt: skip


def says(text: str) -> bool:
    """Whether an identifier is said in words: no digit, and words that are no names or codes.

    Small letters tell it, or (at the beginning of a sentence) a listed word.
    """
    found = words(text)
    if not found or any(map(str.isdecimal, text)) or any(map(spoken_numbers.is_counting, found)):
        return False
    if text.isupper():
        return False
    numbers = {w.key for w in spoken_numbers.said(text, "es")}
    telling = [w for w in found if w.key not in PARTICLES | numbers]
    counted = sum(w.key in numbers for w in found)
    if len(telling) <= counted or any(not w.text.islower() for w in found[1:]):
        return False
    return any(map(_kind, telling)) or (text.islower() and len(telling) > 1)


def less(text: str) -> str:
    """A word that means less than `text`, which `says` something of a person."""
    kinds = list(filter(None, map(_kind, words(text))))
    if not kinds:
        return neutral.other("es", text)
    first, second = _LESS[min(kinds, key=list(_LESS).index)]
    made = first if fold(first) not in fold(text) else second
    if made == "adulto" and any(w.key.endswith(("a", "as")) for w in words(text)):
        made = "adulta"
    return like_case(text, first_like(text, made))


def _kind(word: Word) -> str:
    """What a word says of a person: `life`, `civil`, `kin`, `descent`, `nation`, or nothing."""
    key = word.key
    if key in _LIFE:
        return "life"
    if key in _CIVIL:
        return "civil"
    if kinship.is_kin(word):
        return "kin"
    if key in _DESCENT:
        return "descent"
    stems = {key, key.removesuffix("s"), key.removesuffix("es"), f"{key[:-1]}o", key[:-1]}
    return "nation" if len(key) > _SHORTEST and stems & _NATIONS else ""
