"""The last look: nothing that the message states of its people still stands in the output.

A proof of its own, beside coverage. Detection, settling, policy and rewriting have all run; this
looks only at what they left as it was, and knows nothing of how they decided. It compares whole
words with the names, and whole runs of letters and digits with the numbers, of the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.lists.known_words import TITLES
from stream_deid.lists.name_words import is_word
from stream_deid.lists.titles import PARTICLES
from stream_deid.note import Edit, Known
from stream_deid.text.canonical import canonical, words

_MIN_NAME = 4
_MIN_NUMBER = 6
_RUN = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")


class Stated:
    """The names and numbers of a record that may not stand in an output.

    `hidden` says whether the policy hides a type at all. Words that are common language, short
    ones, titles and particles are left to the detectors, who see their context.
    """

    __slots__ = ("_names", "_numbers")

    def __init__(self, known: Iterable[Known], hidden: Callable[[PhiType], bool]) -> None:
        names: set[str] = set()
        numbers: set[str] = set()
        for one in known:
            if not hidden(one.type):
                continue
            if one.type in PERSONS and one.role != "suffix":
                names.update(word.key for word in words(one.value))
            elif one.type in NUMBERS:
                numbers.add(canonical(one.value))
        self._names = frozenset(name for name in names if _tells(name))
        self._numbers = frozenset(
            n for n in numbers if len(n) >= _MIN_NUMBER and any(map(str.isdecimal, n))
        )

    def __len__(self) -> int:
        return len(self._names) + len(self._numbers)

    def standing(self, text: str, edits: Sequence[Edit]) -> int:
        """How many of them stand in what `edits` left of `text`."""
        if not self._names and not self._numbers:
            return 0
        return sum(self._in(stretch) for stretch in left(text, edits))

    def _in(self, text: str) -> int:
        found = sum(word.key in self._names for word in words(text)) if self._names else 0
        if self._numbers:
            found += sum(canonical(run) in self._numbers for run in _RUN.findall(text))
        return found


def left(text: str, edits: Sequence[Edit]) -> Iterator[str]:
    """The stretches of a text that its edits left as they were."""
    at = 0
    for edit in edits:
        yield text[at : edit.finding.start]
        at = edit.finding.end
    yield text[at:]


def _tells(name: str) -> bool:
    word = is_word(name) or name in TITLES or name in PARTICLES
    return len(name) >= _MIN_NAME and not word
