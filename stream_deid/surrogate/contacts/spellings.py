"""What words of the houses of a note spell, written in one word as hosts write them.

"Bayou Regional Clinic" spells "bayou", "bayouregional", "bayouregionalclinic", "regionalclinic"
no: words of kind alone name nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

KINDS = Vocabulary("contacts_addresses", "surrogates").words("kinds")
"""Words of kind in the name of a house."""
_LONGEST = 8  # words of a house's name


class Spellings:
    """The names of houses by what runs of their words spell, of which the first name counts; made
    when it is first asked for.
    """

    __slots__ = ("_made", "_names")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = tuple(names)
        self._made: Mapping[str, tuple[str, str]] | None = None

    def of(self, key: str) -> tuple[str, str]:
        """The name of a house and its words that spell `key`; nothing where none do."""
        if self._made is None:
            made: dict[str, tuple[str, str]] = {}
            for name in self._names:
                for letters, said in _runs(name):
                    made.setdefault(letters, (name, said))
            self._made = made
        return self._made.get(key, ("", ""))


def _runs(name: str) -> Iterable[tuple[str, str]]:
    """Runs of a name's words that are not of kind alone, by the letters that they spell."""
    found = words(name)[:_LONGEST]
    ends = [word.start for word in found[1:]] + [len(name)]
    for at, first in enumerate(found):
        for behind, end in enumerate(ends[at:], at + 1):
            if any(word.key not in KINDS for word in found[at:behind]):
                said = name[first.start : end].strip()
                yield plain(said), said


def plain(name: str) -> str:
    """The plain letters of a name, in one word."""
    return "".join(char for char in fold(name).lower() if char.isascii() and char.isalpha())
