"""Look-alikes drawn anew: eponyms, brands, abbreviations, numbers that identify nobody.

Where only the marked values change from epoch to epoch, a model may learn that what it has not
seen before is an identifier. So what merely looks like one changes as well: listed words become
others of their kind, figures other figures, and short phrases without identifiers are set between
sentences, their slots ("{disease}") filled from the lists. Spans stay exact by construction.

A folder of look-alikes holds `words/<slot>.txt` and `phrases/*.txt`, one entry a line.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from stream_deid.errors import Halt
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.data.noise import CharEdit, apply

_SLOT = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"[A-Za-z][^\s,;:()\[\]|]*")
_NUMBER = re.compile(r"(?<![A-Za-z\d])\d{1,4}(?![A-Za-z\d])")
_PLACE = re.compile(r"(?<=[a-z\d)][.;])(?=[ ])|(?=\n)|\Z")
_SWAPPED = 0.5
_ABBREVIATIONS_SWAPPED = 0.2
"""Fewer of them: a text whose abbreviations are all others makes no sense."""
_NEAR = 3
"""What stands within so many characters of a span is its label or title, and stays."""
_RENUMBERED = 0.5
_CHARS_A_PHRASE = 500


class Lookalikes:
    """Swaps and sets in what looks like an identifier; see the module.

    `words`: entries by slot; `phrases`: with slots in braces. Raises `Halt("lookalikes.slot")`
    where a phrase names a slot without words.
    """

    def __init__(self, words: Mapping[str, Sequence[str]], phrases: Sequence[str]) -> None:
        self._words = {slot: tuple(dict.fromkeys(found)) for slot, found in words.items()}
        self._phrases = tuple(phrases)
        slots = {s for phrase in phrases for s in _SLOT.findall(phrase)}
        if unknown := sorted(slots - {s for s, found in self._words.items() if found}):
            raise Halt("lookalikes.slot", f"no words for the slots {', '.join(unknown)}")
        self._slot_of = {e: slot for slot, found in self._words.items() for e in found}
        self._longest = max((e.count(" ") for e in self._slot_of), default=0) + 1

    @classmethod
    def read(cls, folder: Path) -> Lookalikes:
        """The look-alikes of a folder. Raises `Halt("lookalikes.missing")` where there are none."""
        words = {p.stem: _lines(p) for p in sorted(folder.glob("words/*.txt"))}
        phrases = [line for p in sorted(folder.glob("phrases/*.txt")) for line in _lines(p)]
        if not words or not phrases:
            raise Halt("lookalikes.missing", f"{folder} has no words or no phrases")
        return cls(words, phrases)

    def vary(self, note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
        """`note` with other look-alikes; what is marked stays as it is."""
        note = apply(note, self._swaps(note, rng))
        if rng.random() < _RENUMBERED:
            note = apply(note, list(_renumbered(note, rng)))
        return apply(note, self._set_in(note, rng))

    def phrase(self, rng: random.Random) -> str:
        """A phrase with its slots filled."""
        return _SLOT.sub(lambda m: rng.choice(self._words[m[1]]), rng.choice(self._phrases))

    def _swaps(self, note: AnnotatedNote, rng: random.Random) -> list[CharEdit]:
        edits: list[CharEdit] = []
        at = 0
        for start, end, slot in self._listed(note.text):
            share = _ABBREVIATIONS_SWAPPED if slot == "abbr" else _SWAPPED
            if start >= at and not _near(note, start, end) and rng.random() < share:
                edits.append((start, end, rng.choice(self._words[slot])))
                at = end
        return edits

    def _listed(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Listed words and their slots, the longest that begins at a word."""
        words = [(m.start(), m.end()) for m in _WORD.finditer(text)]
        for i, (start, _) in enumerate(words):
            for _, end in reversed(words[i : i + self._longest]):
                bare = text[start:end].rstrip(".")
                if slot := self._slot_of.get(bare):
                    yield start, start + len(bare), slot
                    break

    def _set_in(self, note: AnnotatedNote, rng: random.Random) -> list[CharEdit]:
        places = [m.start() for m in _PLACE.finditer(note.text)]
        places = [i for i in places if not any(a < i < b for a, b, _ in note.spans)]
        most = 1 + len(note.text) // _CHARS_A_PHRASE
        chosen = sorted(set(rng.choices(places, k=rng.randint(0, most)))) if places else []
        return [(i, i, self._joined(note.text, i, rng)) for i in chosen]

    def _joined(self, text: str, at: int, rng: random.Random) -> str:
        phrase = self.phrase(rng)
        if at and text[at - 1] in ".;":
            return f" {phrase}" if phrase[-1] in ".;:?!" else f" {phrase}{text[at - 1]}"
        return rng.choice(("\n", "\n", " ", "  ", ". ", "; ")) + phrase


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line.strip()]


def _near(note: AnnotatedNote, start: int, end: int) -> bool:
    """Whether a span overlaps [start, end) or stands within `_NEAR` characters of it."""
    return any(a <= end + _NEAR and start <= b + _NEAR for a, b, _ in note.spans)


def _renumbered(note: AnnotatedNote, rng: random.Random) -> Iterator[CharEdit]:
    """Unmarked numbers of one to four digits as others of their length."""
    for match in _NUMBER.finditer(note.text):
        if rng.random() < _RENUMBERED and not _near(note, *match.span()):
            length = len(match[0])
            low = 10 ** (length - 1) if match[0][0] != "0" else 0
            yield *match.span(), str(rng.randrange(low, 10**length)).zfill(length)
