"""Where the words of an organisation's name are joined: articles, particles, gaps."""

from __future__ import annotations

from collections.abc import Sequence

from stream_deid.lists.titles import affixes
from stream_deid.surrogate.places.street_names import PARTICLES
from stream_deid.text.canonical import Word

_ARTICLES = affixes("article", "particle") | {"del"}


def before_article(tokens: Sequence[Word], at: int) -> int:
    """Where the name at token `at` begins, with the article before it (`Las Cruces`)."""
    before = tokens[at - 1] if at else None
    return before.start if before is not None and before.key in _ARTICLES else tokens[at].start


def lead(text: str, tokens: Sequence[Word], at: int) -> int:
    """Where the particles before token `at` begin."""
    start = tokens[at].start
    for before in reversed(tokens[:at]):
        gap = text[before.end : start]
        if before.key not in PARTICLES or not gap or gap.strip(" '’"):
            break
        start = before.start
    return start


def one_letter(word: Word) -> bool:
    return len(word.key) == 1


def close(text: str, left: Word, right: Word) -> bool:
    between = text[left.end : right.start]
    return "\n" not in between and all(c in " -.&'’sS" for c in between)
