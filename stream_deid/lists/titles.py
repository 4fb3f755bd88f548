"""Titles, credentials, suffixes and particles: words that stand around a name and are none.

Many are names too ("Major", "Ma", "Van"), so what one reader of a text may take for an affix,
another may not; `data/titles.tsv` says of each word who does.
"""

from __future__ import annotations

import re
from functools import cache

from stream_deid.lists.vocabulary import rows


@cache
def _table() -> list[tuple[str, str, frozenset[str], str]]:
    """Word, kind, takers and written form of each affix."""
    return [
        (word, kind, frozenset(who.split("|")), "".join(form) or _form(word, kind))
        for word, kind, who, *form in rows("titles")[1]
    ]


def _form(word: str, kind: str) -> str:
    return word.upper() if kind == "credential" else word.capitalize()


@cache
def affixes(who: str, *kinds: str) -> frozenset[str]:
    """What `who` takes for a word of these `kinds` (`title`, `credential`, `suffix`, `particle`);
    of any kind, where none is named.
    """
    return frozenset(
        word for word, kind, takers, _ in _table() if who in takers and kind in (kinds or (kind,))
    )


@cache
def any_of(who: str, *kinds: str) -> str:
    """An expression that any of them is, in small letters."""
    return "|".join(sorted(affixes(who, *kinds)))


@cache
def written(who: str, *kinds: str) -> str:
    """An expression that any of them is, as it is written (`Mr`, `MD`)."""
    return "|".join(
        form for _, kind, takers, form in _table() if who in takers and kind in (kinds or (kind,))
    )


def nothing_but(value: str, *who: str) -> bool:
    """Whether a structured value is made of such words alone, for any of `who`."""
    taken = frozenset[str]().union(*map(affixes, who))
    bare = re.sub(r"[.']", "", value.casefold()).strip()
    return all(word in taken for word in re.split(r"[\s,/]+", bare) if word)


PARTICLES = affixes("name", "particle")
"""The particles of names; in some places they are names themselves (`surrogate.names.affixes`)."""
