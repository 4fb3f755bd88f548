"""The inclusion list: sentences known to be free of identifiers (nference 2021, supplement).

A piece of a note that equals an entry, but for case, accents, spacing, bullets and end marks,
needs no model. The list never suppresses another detector's hit (`detect.fast.paths`): it only
says which stretches of a text are settled.
"""

from __future__ import annotations

from collections.abc import Iterable

from stream_deid.detect.fast.reviewed import Reviewed
from stream_deid.detect.fast.units import normal, pieces
from stream_deid.errors import Halt

LEAST_WORDS = 2
"""A single word may be a surname on a line of its own."""


class Inclusion:
    """A compiled list; raises `Halt("inclusion.entry")` for an entry that no list may hold: one
    with a digit, of fewer than two words, or not in the form that sentences are compared in.
    """

    def __init__(self, reviewed: Reviewed) -> None:
        for entry in reviewed.entries:
            if problem := refused(entry):
                raise Halt("inclusion.entry", f"an entry of the inclusion list {problem}")
        self._entries = frozenset(reviewed.entries)
        self.rule = f"inclusion@{reviewed.version}"

    def __len__(self) -> int:
        return len(self._entries)

    def settled(
        self, text: str, sentences: Iterable[tuple[int, int]] | None = None
    ) -> list[tuple[int, int]]:
        """The stretches `[start, end)` of `text` that are entries of the list, in order.

        `sentences`: what `units.whole` says of the text, where that is known.
        """
        if not self._entries:
            return []
        return [(a, b) for a, b in pieces(text, sentences) if normal(text[a:b]) in self._entries]


def refused(entry: str) -> str:
    """Why no list may hold an entry; nothing where one may."""
    if any(c.isdecimal() for c in entry):
        return "holds a digit"
    if len(entry.split()) < LEAST_WORDS:
        return "is a single word"
    return "" if normal(entry) == entry else "is not in normal form"
