"""Texts of examples in which a span is marked in place."""

from __future__ import annotations


def split(marked: str) -> tuple[str, int, int]:
    """A text and the place of what stands between "<" and ">" in it."""
    before, _, rest = marked.partition("<")
    word, _, after = rest.partition(">")
    return before + word + after, len(before), len(before) + len(word)
