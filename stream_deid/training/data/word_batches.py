"""Annotated notes as words and characters, cut anew in every epoch and packed into batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stream_deid.detect.neural.model_windows import line_starts
from stream_deid.text import bio
from stream_deid.text.tokens import tokenize
from stream_deid.text.wordchar import MAX_CHARS, WordCharEncoder
from stream_deid.training.data.corpora import AnnotatedNote


@dataclass(frozen=True, slots=True)
class WordBatch:
    """`words` [B, T]; `char_rows` [U, C], the batch's distinct tokens, `char_at` [B, T] into
    them; `lengths` [B]; `tags` [B, T]. Integers; padding is 0.
    """

    words: Tensor
    char_rows: Tensor
    char_at: Tensor
    lengths: Tensor
    tags: Tensor


@dataclass(frozen=True, slots=True)
class EncodedNote:
    """One note: word ids, rows of the corpus' character table, tags, line starts; all [n]."""

    words: NDArray[np.int64]
    char_at: NDArray[np.int64]
    tags: NDArray[np.int64]
    opens: NDArray[np.bool_]


class EncodedCorpus:
    """Encoded notes with one table of their distinct character rows."""

    def __init__(
        self, notes: Sequence[AnnotatedNote], encoder: WordCharEncoder, tags: Sequence[str]
    ) -> None:
        rows: dict[tuple[str, bool], int] = {("\0", False): 0}
        documents = [_document(n, encoder, tags, rows) for n in notes]
        table = [[0] * MAX_CHARS, *(encoder.char_ids(w, s) for w, s in list(rows)[1:])]
        self.chars = np.array(table, dtype=np.int64)
        self.documents = [d for d in documents if len(d.words)]

    def epoch(self, window: int, batch: int, rng: np.random.Generator) -> list[WordBatch]:
        """All notes, cut at random, in random batches.

        Not sorted by length: short windows are first and last ones, and batches of letter
        heads alone teach badly.
        """
        pieces = [
            (d, first, last)
            for d in self.documents
            for first, last in cuts(d.opens, window, int(rng.integers(window // 2, window + 1)))
        ]
        order = rng.permutation(len(pieces)).tolist()
        return [
            self._collate([pieces[i] for i in order[at : at + batch]])
            for at in range(0, len(order), batch)
        ]

    def _collate(self, pieces: list[tuple[EncodedNote, int, int]]) -> WordBatch:
        lengths = np.array([last - first for _, first, last in pieces])
        shape = (len(pieces), int(lengths.max()))
        words, char_at, tags = np.zeros((3, *shape), dtype=np.int64)
        for row, (d, first, last) in enumerate(pieces):
            words[row, : last - first] = d.words[first:last]
            char_at[row, : last - first] = d.char_at[first:last]
            tags[row, : last - first] = d.tags[first:last]
        distinct, at = np.unique(char_at, return_inverse=True)
        arrays = (words, self.chars[distinct], at.reshape(shape), lengths, tags)
        return WordBatch(*(torch.from_numpy(a) for a in arrays))


def _document(
    note: AnnotatedNote,
    encoder: WordCharEncoder,
    tags: Sequence[str],
    rows: dict[tuple[str, bool], int],
) -> EncodedNote:
    tokens = tokenize(note.text)
    keys = zip(tokens.words, tokens.spaced.tolist(), strict=True)
    return EncodedNote(
        np.array([encoder.word_id(w) for w in tokens.words], dtype=np.int64),
        np.array([rows.setdefault(key, len(rows)) for key in keys], dtype=np.int64),
        bio.encode(tokens.starts, tokens.ends, note.spans, tags),
        line_starts(tokens)[: len(tokens)],
    )


def cuts(opens: NDArray[np.bool_], window: int, first_size: int) -> Iterator[tuple[int, int]]:
    """Stretches of at most `window` tokens that cover all, the first of at most `first_size`;
    each ends at a line's end where one lies in its last third.
    """
    first, size, n = 0, first_size, len(opens)
    while first < n:
        last = min(first + size, n)
        lines = np.flatnonzero(opens[last - size // 3 : last]) if last < n else np.zeros(0)
        if lines.size and (snapped := last - size // 3 + int(lines[-1])) > first:
            last = snapped
        yield first, last
        first, size = last, window
