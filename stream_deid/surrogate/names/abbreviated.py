"""Spanish names that are written short (`Mª`, `Fco.`, `Hdez.`), read as what they are short for.

The surrogate is that of the whole name, so it agrees with where the name is written out, and stands
whole: of most names no short form is known that would tell nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import Word, canonical

_FULL = MappingProxyType(
    {
        short: full
        for full, forms in Vocabulary("names_abbreviated", "surrogates").table("full").items()
        for short in forms.split()
    }
)
_MARIA = "maria"


def written_out(text: str, tokens: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a name with the keys of what they are short for; `Ma` needs its sign or dot."""
    return tuple(
        replace(w, key=_FULL[canonical(w.text)]) if is_short(text, w) else w for w in tokens
    )


def is_short(text: str, word: Word) -> bool:
    """Whether a word of a name is a short form of another."""
    full = _FULL.get(canonical(word.text), "")
    return bool(full) and (full != _MARIA or word.text[-1] == "ª" or _dotted(text, word))


def rest(text: str, word: Word) -> int:
    """Where what stands behind a word of a name goes on: behind the dot of a short form."""
    return word.end + (is_short(text, word) and _dotted(text, word))


def model(word: Word, tokens: Sequence[Word]) -> str:
    """What the surrogate of a word is written like: of `Mª`, which has one letter, like the words
    beside it.
    """
    if word.text[-1] != "ª":
        return word.text
    return next((one.text for one in tokens if one is not word and len(one.key) > 1), word.text)


def _dotted(text: str, word: Word) -> bool:
    return text[word.end : word.end + 1] == "."
