"""The last look: nothing that the message states of its people still stands in the output.

A proof of its own, beside coverage. Detection, settling, policy and rewriting have all run; this
looks only at what they left as it was, and knows nothing of how they decided. It compares whole
words with the names, streets and towns, whole runs of letters and digits with the numbers (of
digits also where blanks part or letters touch them), addresses of mail and the births, of the
record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from stream_deid.budget import check
from stream_deid.detect.record.people import tokens_of
from stream_deid.detect.record.place_words import PlaceWords
from stream_deid.detect.record.sought import Sought
from stream_deid.detect.record.written_forms import SURE_DIGITS, WrittenForms, date_forms
from stream_deid.detect.words.ordinary import stands_as_word
from stream_deid.detect.words.terms import is_called_after
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.lists.known_words import TITLES
from stream_deid.lists.name_words import is_word
from stream_deid.lists.titles import PARTICLES
from stream_deid.note import Edit, Known
from stream_deid.text.canonical import canonical, words
from stream_deid.text.view import View

_MIN_NAME = 4
_DIGITS = re.compile(r"[0-9]+")
_GAP = re.compile(r"[ \t./()_-]{1,2}")
_MAIL = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+")
_RUN = re.compile(r"[^\W_]+(?:[-./][^\W_]+)*")


class Stated:
    """The names and numbers of a record that may not stand in an output.

    `hidden` says whether the policy hides a type at all. Words that are common language, short
    ones, titles and particles are left to the detectors, who see their context, and so is what a
    thing is called after where it is ("Parkinson disease").
    """

    __slots__ = ("_births", "_digits", "_mails", "_names", "_numbers", "_places")

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
                numbers.add(canonical(one.value))
            elif one.type is PhiType.EMAIL and "@" in one.value:
                mails.add(canonical(one.value))
            elif one.type is PhiType.DATE and one.role == "birth_date":
                births.update(date_forms(one.value))
        self._names = frozenset(name for name in names if _tells(name))
        self._numbers = frozenset(
            n for n in numbers if len(n) >= SURE_DIGITS and any(map(str.isdecimal, n))
        )
        self._digits = Sought(n for n in self._numbers if n.isdecimal())
        self._mails, self._births = frozenset(mails), WrittenForms(births)
        self._places = PlaceWords(known, towns=True)

    def __len__(self) -> int:
        """How many are looked for; a birth counts once, in whatever form."""
        words = len(self._names) + len(self._places)
        return words + len(self._numbers) + len(self._mails) + bool(len(self._births))

    def standing(self, text: str, edits: Sequence[Edit]) -> int:
        """How many of them stand in what `edits` left of `text`."""
        if not len(self):
            return 0
        return sum(
            self._names_in(text, start, end) + self._in(text[start:end])
            for start, end in left(text, edits)
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
            found += sum(canonical(run) in self._numbers for run in _RUN.findall(text))
        if self._digits:
            found += sum(map(self._parted, _rows(text)))
        if self._mails and "@" in text:
            found += sum(canonical(one.strip(".")) in self._mails for one in _MAIL.findall(text))
        if not (len(self._places) or len(self._births)):
            return found
        view = View(text)
        if len(self._places):
            found += sum(1 for _ in self._places.places(tokens_of(view)))
        return found + sum(1 for _ in self._births.spans(view))

    def _parted(self, runs: Sequence[re.Match[str]]) -> int:
        """How many numbers are made of some of `runs` of digits that follow one another, which
        blanks part, or of one that letters touch.
        """
        starts: dict[int, int] = {}
        ends: dict[int, int] = {}
        at = 0
        for i, run in enumerate(runs):
            starts[at] = i
            at += len(run[0])
            ends[at] = i
        text = runs[0].string

        def counts(start: int, end: int) -> bool:
            if start not in starts or end not in ends:
                return False
            low, high = runs[starts[start]].start(), runs[ends[end]].end()
            if starts[start] == ends[end]:
                return text[low - 1 : low].isalpha() or text[high : high + 1].isalpha()
            return " " in text[low:high]

        return sum(1 for _ in self._digits.places("".join(run[0] for run in runs), counts))


def _rows(text: str) -> Iterator[list[re.Match[str]]]:
    """Runs of digits that follow one another with a blank or a sign or two between."""
    row: list[re.Match[str]] = []
    for run in _DIGITS.finditer(text):
        if row and not _GAP.fullmatch(text, row[-1].end(), run.start()):
            yield row
            row = []
        row.append(run)
    if row:
        yield row


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
