"""Bi-LSTM, Bi-GRU and TS-GRU: recurrent networks with a text skeleton (Zhao et al. 2019).

The skeleton of a note keeps the words that occur at least t times in training; all others are
unknown. t comes from the share r of the vocabulary that is to stay, by equation 4. TS-GRU reads
note and skeleton in two branches, each with its own embeddings and recurrent layer, over a window
of 7 words around each word; dropout and softmax follow, without a CRF. Line breaks stand for the
paper's #RETURN, digits are one symbol each (its DIGIT). `branches = ["text"]` gives the plain
Bi-GRU or Bi-LSTM.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from stream_deid.errors import Halt
from stream_deid.text.wordchar import FIRST_WORD, UNKNOWN
from stream_deid.training.data.vocabulary import Inventory
from stream_deid.training.data.word_batches import WordBatch
from stream_deid.training.models.bilstm import tuned
from stream_deid.training.models.recurrent import BiRnn
from stream_deid.training.recipe import settings


@dataclass(frozen=True, slots=True)
class SkeletonSizes:
    """The paper's "parameters of the model"; `kept`: its r."""

    word: int = 150
    hidden: int = 150
    cell: str = "gru"
    around: int = 7
    kept: float = 0.25
    dropout: float = 0.5
    branches: tuple[str, ...] = ("text", "skeleton")


def threshold(counts: Mapping[str, int], kept: float) -> int:
    """Equation 4: the n for which the number of words that occur n times or more is nearest to
    `kept` times the vocabulary; the smallest such n.
    """
    frequencies = Counter(counts.values())
    target = kept * len(counts)
    best, nearest, remaining = 1, float("inf"), len(counts)
    for n in range(1, max(frequencies, default=0) + 1):
        if abs(remaining - target) < nearest:
            best, nearest = n, abs(remaining - target)
        remaining -= frequencies[n]
    return best


def skeleton_map(inventory: Inventory, kept: float) -> Tensor:
    """Word id to its id in the skeleton: itself, or unknown."""
    t = threshold(inventory.counts, kept)
    ids = [*range(FIRST_WORD)]
    for word, number in inventory.encoder.words.items():
        ids.append(number if inventory.counts.get(word, 0) >= t else UNKNOWN)
    return torch.tensor(ids)


class SkeletonRnn(nn.Module):
    """Logits [B, T, L] from one or two branches."""

    def __init__(
        self, inventory: Inventory, n_tags: int, sizes: SkeletonSizes, vectors: Tensor | None = None
    ) -> None:
        """`vectors` [V, word]: what the word vectors of each branch are before they are learned."""
        super().__init__()
        if not sizes.branches or set(sizes.branches) - {"text", "skeleton"}:
            raise Halt("recipe.branches", "branches must be of text and skeleton")
        if sizes.around % 2 == 0:
            raise Halt("recipe.around", "the window around a word must be odd")
        n_words = FIRST_WORD + len(inventory.encoder.words)
        self.sizes = sizes
        self.skeleton_of: Tensor
        self.register_buffer("skeleton_of", skeleton_map(inventory, sizes.kept))
        self.words = nn.ModuleDict(
            {
                b: nn.Embedding(n_words, sizes.word, padding_idx=0)
                if vectors is None
                else tuned(vectors, sizes.word)
                for b in sizes.branches
            }
        )
        self.rnns = nn.ModuleDict(
            {b: BiRnn(sizes.word, sizes.hidden, sizes.cell) for b in sizes.branches}
        )
        self.dropout = nn.Dropout(sizes.dropout)
        self.outer = nn.Linear(2 * sizes.hidden * len(sizes.branches), n_tags)

    def forward(self, batch: WordBatch) -> Tensor:
        """Logits [B, T, L]."""
        side = self.sizes.around // 2
        inside = torch.arange(batch.words.shape[1])[None] < batch.lengths[:, None]
        rows = nn.functional.pad(batch.words * inside, (side, side)).unfold(1, 2 * side + 1, 1)
        rows = rows[inside]
        states = torch.cat([self._branch(b, rows) for b in self.sizes.branches], 1)
        logits = self.outer(self.dropout(states))
        out: Tensor = logits.new_zeros(*batch.words.shape, logits.shape[1])
        out[inside] = logits
        return out

    def _branch(self, branch: str, rows: Tensor) -> Tensor:
        """The state at the middle of each window [N, 2 * hidden]."""
        ids = self.skeleton_of[rows] if branch == "skeleton" else rows
        return self.branch_rnn(branch).middle(self.words[branch](ids))

    def branch_rnn(self, branch: str) -> BiRnn:
        """The recurrent layers of a branch."""
        rnn: BiRnn = self.rnns[branch]  # type: ignore[assignment]  # ModuleDict forgets
        return rnn

    def branch_table(self, branch: str) -> Tensor:
        """What each word of the vocabulary is to a branch: [V, word]."""
        with torch.no_grad():
            ids = torch.arange(len(self.skeleton_of))
            table: Tensor = self.words[branch](
                self.skeleton_of[ids] if branch == "skeleton" else ids
            )
            return table

    def loss(self, batch: WordBatch) -> Tensor:
        """Cross entropy, mean per token."""
        inside = torch.arange(batch.words.shape[1])[None] < batch.lengths[:, None]
        return nn.functional.cross_entropy(self(batch)[inside], batch.tags[inside])


def make(
    inventory: Inventory, n_tags: int, sizes: dict[str, Any], vectors: Tensor | None
) -> SkeletonRnn:
    """A model from the `[sizes]` table of a recipe; vectors that it is given are learned on."""
    return SkeletonRnn(inventory, n_tags, settings(SkeletonSizes, sizes, "sizes"), vectors)
