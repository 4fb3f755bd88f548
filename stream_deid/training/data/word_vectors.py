"""Pretrained word vectors in text form: GloVe's, and word2vec's or fastText's with a first line.

A line is a word and its numbers, parted by blanks; `.gz` is unpacked. Words are as the file has
them (GloVe's in small letters); digits count as 0, as everywhere in the word vocabulary.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stream_deid.errors import Halt
from stream_deid.text.tokens import tokenize
from stream_deid.text.wordchar import word_key

SUFFIXES = (".txt", ".vec", ".txt.gz", ".vec.gz")
_HEAD = 2


class TextVectors:
    """The vectors of one file, by word; of several words of one key the first has its vector.

    Raises `Halt`: `vectors.missing` where there is no such file, `vectors.invalid` where a line
    has other numbers than the first.
    """

    def __init__(self, file: Path) -> None:
        if not file.is_file():
            raise Halt("vectors.missing", f"no word vectors: {file.name} is no file")
        self._rows: dict[str, NDArray[np.float32]] = {}
        self._width = 0
        for number, parts in _lines(file):
            self._width = self._width or len(parts) - 1
            try:
                row = np.array(parts[-self._width :], dtype=np.float32)
            except ValueError:
                row = np.empty(0, dtype=np.float32)
            word = " ".join(parts[: -self._width])  # GloVe has a few with blanks inside
            if not word or len(row) != self._width:
                raise Halt("vectors.invalid", f"{file.name}, line {number}: not a word's numbers")
            self._rows.setdefault(word_key(word), row)
        if not self._rows:
            raise Halt("vectors.invalid", f"{file.name} holds no vectors")

    def whole_words(self) -> list[str]:
        """The words that are one token of letters, in the file's order (by frequency)."""
        return [word for word in self._rows if word.isalpha() and len(tokenize(word)) == 1]

    def vectors(self, words: Iterable[str]) -> NDArray[np.float32]:
        """Of each word, as it is or else in small letters; zeros where it has none: [n, width]."""
        nothing = np.zeros(self._width, dtype=np.float32)
        found = [self._rows.get(w, self._rows.get(w.lower(), nothing)) for w in words]
        return np.stack(found) if found else np.zeros((0, self._width), dtype=np.float32)


def _lines(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Number and parts of each line but of a first one that only counts words and numbers."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8-sig", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            parts = line.rstrip().split(" ")
            if number > 1 or len(parts) != _HEAD:
                yield number, parts
