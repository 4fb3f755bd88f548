"""Training windows and batches for subword taggers: lines packed, lengths bucketed."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from stream_deid.detect.neural.model_windows import line_starts
from stream_deid.text import bio
from stream_deid.text.subword import SubwordEncoder
from stream_deid.text.tokens import tokenize
from stream_deid.training.data.corpora import AnnotatedNote

IGNORED = -100
"""Target of pieces that carry no label (cross entropy's `ignore_index`)."""


@dataclass(frozen=True, slots=True)
class Example:
    """One window: piece ids [n] and targets [n]."""

    ids: NDArray[np.int64]
    targets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """`ids`, `mask`, `targets`: [batch, longest] int64."""

    ids: torch.Tensor
    mask: torch.Tensor
    targets: torch.Tensor


def examples(
    note: AnnotatedNote,
    encoder: SubwordEncoder,
    tags: Sequence[str],
    *,
    window: int,
    rng: random.Random,
) -> Iterator[Example]:
    """Windows of at most `window` pieces packed from consecutive lines, the first one shorter by
    chance, so that the cuts move from epoch to epoch.
    """
    tokens = tokenize(note.text)
    if len(tokens) == 0:
        return
    pieces = encoder.pieces(tokens.words, tokens.spaced.tolist())
    costs = [len(p) for p in pieces]
    targets = bio.encode(tokens.starts, tokens.ends, note.spans, tags).tolist()
    limit = window - 2
    for first, last in _pack(costs, line_starts(tokens).tolist(), limit, rng):
        ids, gold = [encoder.first], [IGNORED]
        for i in range(first, last):
            ids += pieces[i]
            gold += [targets[i], *([IGNORED] * (costs[i] - 1))]
        yield Example(np.array([*ids, encoder.last]), np.array([*gold, IGNORED]))


def _pack(
    costs: Sequence[int], opens: Sequence[bool], limit: int, rng: random.Random
) -> Iterator[tuple[int, int]]:
    room = rng.randint(min(48, limit), limit)
    first, used, line = 0, 0, 0
    for i, cost in enumerate(costs):
        if opens[i]:
            line = i
        if used + cost > room:
            cut = line if line > first else i
            yield first, cut
            first, used, room = cut, sum(costs[cut:i]), limit
            if used + cost > room:
                yield first, i
                first, used = i, 0
        used += cost
    yield first, len(costs)


def bucketed(
    found: Iterable[Example], size: int, pad: int, rng: random.Random
) -> Iterator[TokenBatch]:
    """Batches of windows of like length, in random order."""
    order = list(found)
    rng.shuffle(order)
    pool = size * 24
    batches = []
    for at in range(0, len(order), pool):
        chunk = sorted(order[at : at + pool], key=len)
        batches += [chunk[i : i + size] for i in range(0, len(chunk), size)]
    rng.shuffle(batches)
    return (collate(batch, pad) for batch in batches)


def collate(batch: Sequence[Example], pad: int) -> TokenBatch:
    """Pad to the longest of the batch."""
    longest = max(len(e) for e in batch)
    ids = np.full((len(batch), longest), pad, dtype=np.int64)
    mask = np.zeros_like(ids)
    targets = np.full_like(ids, IGNORED)
    for row, example in enumerate(batch):
        n = len(example)
        ids[row, :n], mask[row, :n], targets[row, :n] = example.ids, 1, example.targets
    return TokenBatch(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(targets))
