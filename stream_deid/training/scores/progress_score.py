"""Quick scores while a model is trained: binary tokens, PHI or not, on development notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from stream_deid.detect.neural.decoding import Reading, decode, tag_types
from stream_deid.detect.neural.model_windows import ModelSpec, windows
from stream_deid.note import Window
from stream_deid.text.tokens import NEWLINE, tokenize
from stream_deid.training.data.corpora import AnnotatedNote


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens that are PHI in the gold, in the output, in both."""

    gold: int
    found: int
    both: int

    def __str__(self) -> str:
        recall, precision = self.both / max(self.gold, 1), self.both / max(self.found, 1)
        return f"binary tokens R {recall:.4f} P {precision:.4f} ({self.gold} gold)"


@torch.inference_mode()
def score_windows(
    model: nn.Module, found: Sequence[Window], pad: int, size: int = 8
) -> list[NDArray[np.float32]]:
    """Logits of each window, through torch, in batches of like length."""
    out: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32)] * len(found)
    order = sorted(range(len(found)), key=lambda i: len(found[i]))
    for at in range(0, len(order), size):
        rows = order[at : at + size]
        longest = max(len(found[i]) for i in rows)
        ids = np.full((len(rows), longest), pad, dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, i in enumerate(rows):
            n = len(found[i])
            ids[row, :n], mask[row, :n] = found[i].inputs["input_ids"], 1
        logits = model(torch.from_numpy(ids), torch.from_numpy(mask)).float().numpy()
        for row, i in enumerate(rows):
            out[i] = logits[row, : len(found[i])]
    return out


def scored(
    spec: ModelSpec, model: nn.Module, notes: Sequence[AnnotatedNote]
) -> Iterator[tuple[AnnotatedNote, list[Window], list[NDArray[np.float32]]]]:
    """Each note with its windows and their logits."""
    assert spec.subword is not None
    of_notes = [windows(spec, i, note.text) for i, note in enumerate(notes)]
    every = [w for found in of_notes for w in found]
    logits = score_windows(model, every, spec.subword.pad)
    at = 0
    for note, found in zip(notes, of_notes, strict=True):
        yield note, found, logits[at : at + len(found)]
        at += len(found)


def binary_counts(spec: ModelSpec, model: nn.Module, notes: Sequence[AnnotatedNote]) -> TokenCounts:
    """Counts over all notes; neutral labels are not PHI."""
    types = tag_types(spec)
    gold = found = both = 0
    for note, its_windows, logits in scored(spec, model, notes):
        tokens = tokenize(note.text)
        real = tokens.kinds != NEWLINE
        wanted = [(a, b) for a, b, label in note.spans if types.get(label) is not None]
        reading = Reading(spec, its_windows, logits)
        got = [(d.start, d.end) for d in decode(note.text, [reading])]
        in_gold = touched(tokens.starts, tokens.ends, wanted) & real
        in_found = touched(tokens.starts, tokens.ends, got) & real
        gold, found = gold + int(in_gold.sum()), found + int(in_found.sum())
        both += int((in_gold & in_found).sum())
    return TokenCounts(gold, found, both)


def touched(
    starts: NDArray[np.int32], ends: NDArray[np.int32], spans: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """Which tokens a span touches."""
    out = np.zeros(len(starts), dtype=bool)
    for start, end in spans:
        first = int(np.searchsorted(ends, start, side="right"))
        last = int(np.searchsorted(starts, end, side="left"))
        out[first:last] = True
    return out
