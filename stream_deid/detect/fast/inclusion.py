"""The inclusion list: sentences known to be free of identifiers (nference, "prevalent sentences").

A sentence of a note that equals one of the list, but for case, spacing, bullets and end marks,
needs no model. The list never suppresses another detector's hit: it only says which stretches of
a text are settled. Entries hold no digits and no names; `Inclusion` refuses those with digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stream_deid.detect.fast.inclusion_lists import SENTENCES
from stream_deid.errors import Halt
from stream_deid.text.folding import folded

_ENDS = frozenset(".!?;")
_BULLETS = " \t\r-*+>.,;:!?()[]#=_"


def normal(sentence: str) -> str:
    """The form in which sentences are compared: folded, lower-case, single spaces, bare ends."""
    return " ".join(folded(sentence).lower().split()).strip(_BULLETS)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between line ends and end marks, without white space at the edges."""
    start = 0
    for at, char in enumerate(text):
        ends = char in _ENDS and (at + 1 == len(text) or text[at + 1].isspace())
        if char == "\n" or ends:
            yield from _stripped(text, start, at + ends)
            start = at + 1
    yield from _stripped(text, start, len(text))


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


class Inclusion:
    """A list of sentences free of identifiers; raises `Halt` on an entry with a digit."""

    name = "inclusion"
    version = "1"

    def __init__(self, lines: Iterable[str]) -> None:
        entries = [normal(line) for line in lines]
        if any(c.isdecimal() for entry in entries for c in entry):
            raise Halt("inclusion.digits", "an entry of the inclusion list holds a digit")
        self._entries = frozenset(e for e in entries if e)

    def __len__(self) -> int:
        return len(self._entries)

    def settled(self, text: str) -> list[tuple[int, int]]:
        """The stretches `[start, end)` of `text` that are sentences of the list, in order."""
        return [
            (start, end)
            for start, end in sentences(text)
            if normal(text[start:end]) in self._entries
        ]


def shipped(language: str) -> Inclusion:
    """The project's own small list for a language; empty for one that it has none for."""
    return Inclusion(SENTENCES.get(language[:2].lower(), ()))
