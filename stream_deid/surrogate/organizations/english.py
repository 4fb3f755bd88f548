"""Proper names of English organisations: founders, names that houses bear, parishes.

A name of one word becomes one, a longer one that with a word of landscape behind it (`Ashford` and
`Ashford Valley`), so that a house that is called by its first word is one still. No town is drawn:
without a word that says what a house is it would be a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from stream_deid.lists.kinds_of_organizations import KINDS
from stream_deid.lists.lexicon import load_list
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.stock import classes
from stream_deid.text.canonical import Word
from stream_deid.text.folding import fold

_PARISHES = {"our": "our_lady", "mt": "mount", "mount": "mount"}
_TITLES = {"our": 2, "mt": 1, "mount": 1}
_LANDSCAPE, _BEHIND = KINDS.words("landscape"), KINDS.words("behind_landscape")


def english_name(scope: Scope) -> str:
    """A keyed name: in equal shares a surname and a name that houses bear."""
    names = (_founders(), load_list("organizations_en")["single"])[scope.integer(2, "kind")]
    return names[scope.integer(len(names), "name")]


def feature(scope: Scope, name: str) -> str:
    """A word of landscape behind a name of one word."""
    words = load_list("organizations_en")["feature"]
    return (
        f"{name} {words[scope.integer(len(words), 'feature', name)]}" if " " not in name else name
    )


def plain(name: str) -> str:
    """A name without the word of landscape behind it, where another word follows."""
    first, _, last = name.rpartition(" ")
    return first if first and last.title() in load_list("organizations_en")["feature"] else name


def is_told(run: Sequence[Word]) -> bool:
    """Whether a name is a parish's by its title (`Our Lady of Mercy`, `Mt Zion`)."""
    kept = _TITLES.get(run[0].key, 0)
    return 0 < kept < len(run) and (run[0].key != "our" or run[1].key == "lady")


def parish(scope: Scope, run: Sequence[Word]) -> tuple[int, str]:
    """How many words of a name are a title of the Virgin or a mountain's (`Our Lady`, `Mt`), and
    what stands behind it then; nothing for other names.
    """
    first = run[0].key
    if not is_told(run):
        return 0, ""
    kept = _TITLES[first]
    names = load_list("organizations_en")[_PARISHES[first]]
    key = " ".join(word.key for word in run[kept:])
    at = scope.integer(len(names), "parish", key)
    turned = (*names[at:], *names[:at])
    told = set(key.split())
    other = next(n for n in turned if told.isdisjoint({fold(n.split()[-1])}))
    return kept, other


def names_landscape(tokens: Sequence[Word]) -> bool:
    """Whether a name begins with a landscape's (`River City Digestive`), not with a kind."""
    return len(tokens) > 1 and tokens[0].key in _LANDSCAPE and tokens[1].key in _BEHIND


@cache
def _founders() -> tuple[str, ...]:
    return tuple(name for name in classes()["family/anglo"].names if name.isalpha())
