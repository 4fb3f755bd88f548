"""Titles, credentials, suffixes and particles: words that stand around a name and are none.

Many are names too ("Major", "Ma", "Van"), so what one reader of a text may take for an affix,
another may not; `data/titles.tsv` says of each word who does.
"""

from __future__ import annotations

import re
from functools import cache

from stream_deid.lists.lexicon import rows


@cache
def _table() -> list[tuple[str, str, frozenset[str]]]:
    return [(word, kind, frozenset(who.split("|"))) for word, kind, who in rows("titles")[1]]


@cache
def affixes(who: str, *kinds: str) -> frozenset[str]:
    """What `who` takes for a word of these `kinds` (`title`, `credential`, `suffix`, `particle`);
    of any kind, where none is named.
    """
    return frozenset(
        word for word, kind, takers in _table() if who in takers and (not kinds or kind in kinds)
    )


def nothing_but(value: str, *who: str) -> bool:
    """Whether a structured value is made of such words alone, for any of `who`."""
    taken = frozenset[str]().union(*map(affixes, who))
    bare = re.sub(r"[.']", "", value.casefold()).strip()
    return all(word in taken for word in re.split(r"[\s,/]+", bare) if word)


PARTICLES = affixes("name", "particle")
"""The particles of names; in some places they are names themselves (`surrogate.names.affixes`)."""
