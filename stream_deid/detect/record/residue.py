"""The last look: nothing that the message states of its people still stands in the output.

A proof of its own, beside coverage. Detection, settling, policy and rewriting have all run; this
looks only at what they left as it was, be it by an edit that changes nothing, and knows nothing of
how they decided. It compares whole words with the names, streets and towns, whole runs of letters
and digits with the numbers (of digits, also those of a number with letters, wherever signs part or
letters touch them, or letters are drawn like them), addresses of mail and the births, of the
record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from stream_deid.budget import check
from stream_deid.detect.record.people import tokens_of
from stream_deid.detect.record.place_words import PlaceWords
from stream_deid.detect.record.stated_days import StatedDays
from stream_deid.detect.record.written_forms import SURE_DIGITS, SoughtNumbers, figures_in
from stream_deid.detect.words.ordinary import stands_as_word
from stream_deid.detect.words.terms import is_called_after
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.lists.known_words import TITLES
from stream_deid.lists.name_words import is_word
from stream_deid.lists.titles import PARTICLES
from stream_deid.note import Edit, Known
from stream_deid.text.canonical import canonical, words
from stream_deid.text.folding import folded
from stream_deid.text.view import View

_MIN_NAME = 4
_KEPT_NAMES = frozenset({PhiType.STATE, PhiType.COUNTRY, PhiType.CITY})
"""Places that a policy keeps may be called as somebody of the record is."""
_MAIL = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+")
_RUN = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")


class Stated:
    """The names and numbers of a record that may not stand in an output.

    `hidden` says whether the policy hides a type at all. Words that are common language, short
    ones, titles and particles are left to the detectors, who see their context, and so is what a
    thing is called after where it is ("Parkinson disease").
    """

    __slots__ = ("_births", "_mails", "_names", "_numbers", "_places", "_sought")

    def __init__(self, known: Iterable[Known], hidden: Callable[[PhiType], bool]) -> None:
        names: set[str] = set()
        numbers: set[str] = set()
        mails: set[str] = set()
        births: set[str] = set()
        known = [one for one in known if hidden(one.type)]
        for one in known:
            if one.type in PERSONS and one.role != "suffix":
                names.update(word.key for word in words(one.value))
            elif one.type in NUMBERS:
                number = canonical(one.value)
                numbers.update((number, *figures_in(number)))
            elif one.type is PhiType.EMAIL and "@" in one.value:
                mails.add(canonical(one.value))
            elif one.type is PhiType.DATE and one.role == "birth_date":
                births.add(one.value)
        self._names = frozenset(name for name in names if _tells(name))
        self._numbers = frozenset(
            n for n in numbers if len(n) >= SURE_DIGITS and any(map(str.isdecimal, n))
        )
        self._sought = SoughtNumbers(self._numbers)
        self._mails, self._births = frozenset(mails), StatedDays(births)
        self._places = PlaceWords(known, towns=True)

    def __len__(self) -> int:
        """How many are looked for; a birth counts once, in whatever form."""
        words = len(self._names) + len(self._places)
        return words + len(self._numbers) + len(self._mails) + bool(len(self._births))

    def standing(self, text: str, edits: Sequence[Edit]) -> int:
        """How many of them stand in what `edits` left of `text`."""
        if not len(self):
            return 0
        kept = [
            edit for edit in edits if edit.finding.type not in _KEPT_NAMES and _same(text, edit)
        ]
        return sum(
            self._names_in(text, start, end) + self._in(text[start:end])
            for start, end in (
                *left(text, edits),
                *((e.finding.start, e.finding.end) for e in kept),
            )
        )

    def _names_in(self, text: str, start: int, end: int) -> int:
        """How many names stand in a stretch; what each means there, the whole text says."""
        return sum(
            word.key in self._names
            and not is_called_after(text, start + word.start, start + word.end)
            and not stands_as_word(text, start + word.start, start + word.end)
            for word in (words(text[start:end]) if self._names else ())
        )

    def _in(self, text: str) -> int:
        found = 0
        if self._numbers:
            whole = sum(canonical(run) in self._numbers for run in _RUN.findall(text))
            found += max(whole, sum(1 for _ in self._sought.spans(folded(text))))
        if self._mails and "@" in text:
            found += sum(canonical(one.strip(".")) in self._mails for one in _MAIL.findall(text))
        if not (len(self._places) or len(self._births)):
            return found
        view = View(text)
        if len(self._places):
            found += sum(1 for _ in self._places.places(view, tokens_of(view)))
        return found + sum(1 for _ in self._births.spans(view))


def _same(text: str, edit: Edit) -> bool:
    """Whether an edit leaves what it replaces, in whatever grouping."""
    return canonical(edit.replacement) == canonical(text[edit.finding.start : edit.finding.end])


def left(text: str, edits: Sequence[Edit]) -> Iterator[tuple[int, int]]:
    """The stretches `[start, end)` of a text that its edits left as they were."""
    at = 0
    for edit in edits:
        check()
        yield at, edit.finding.start
        at = edit.finding.end
    yield at, len(text)


def _tells(name: str) -> bool:
    word = is_word(name) or name in TITLES or name in PARTICLES
    return len(name) >= _MIN_NAME and not word
