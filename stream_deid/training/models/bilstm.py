"""The character-enhanced BiLSTM-CRF of Dernoncourt et al. 2017 (JAMIA 24:596), section 2.2.

Token vector = word vector + last states of a BiLSTM over the token's characters; dropout; BiLSTM
over the tokens; a feed-forward layer with one hidden layer; CRF. The sizes of the paper (3.3) are
the defaults of `BilstmSizes`; recipes may take larger ones and word vectors made from the pieces of
a pretrained trunk, which stay fixed while a projection of them is learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from stream_deid.errors import Halt
from stream_deid.text.wordchar import FIRST_CHAR, FIRST_WORD, UNKNOWN, WordCharEncoder
from stream_deid.training.data.vocabulary import Inventory
from stream_deid.training.data.word_batches import WordBatch
from stream_deid.training.models.neural_crf import LinearChainCrf
from stream_deid.training.models.recurrent import BiRnn
from stream_deid.training.recipe import settings

_SHORT = 8  # characters, the mark of what goes before included


@dataclass(frozen=True, slots=True)
class BilstmSizes:
    """Widths of the layers and dropout; the defaults are the paper's.

    `words`, `characters`, `sequence`: what the paper takes away one at a time (3.7, figure 4): the
    token embeddings, the character embeddings, the label sequence optimization layer (CRF).
    `tuned`: given word vectors are updated like all else, as in the paper (3.3), and not projected.
    """

    word: int = 100
    char: int = 25
    char_hidden: int = 25
    hidden: int = 100
    head: int = 100
    dropout: float = 0.5
    words: bool = True
    characters: bool = True
    sequence: bool = True
    tuned: bool = False

    @property
    def whole(self) -> bool:
        """Whether nothing is taken away: what can be served."""
        return self.words and self.characters and self.sequence


class BiLstmCrf(nn.Module):
    """Emissions [B, T, L] of batches; `crf` holds the transitions, if there is such a layer."""

    def __init__(
        self,
        encoder: WordCharEncoder,
        n_tags: int,
        sizes: BilstmSizes,
        vectors: Tensor | None = None,
    ) -> None:
        """`vectors` [V, width]: fixed word vectors by word id (0 for padding and unknown).

        Raises `Halt("recipe.sizes")` where neither words nor characters are left.
        """
        super().__init__()
        if not (sizes.words or sizes.characters):
            raise Halt("recipe.sizes", "words or characters must stay")
        n_words = FIRST_WORD + len(encoder.words)
        self.sizes = sizes
        self.word = _words(n_words, sizes, vectors)
        self.char = nn.Embedding(FIRST_CHAR + len(encoder.alphabet), sizes.char, padding_idx=0)
        self.char_rnn = BiRnn(sizes.char, sizes.char_hidden)
        token = sizes.words * sizes.word + sizes.characters * 2 * sizes.char_hidden
        self.rnn = BiRnn(token, sizes.hidden)
        self.inner = nn.Linear(2 * sizes.hidden, sizes.head)
        self.outer = nn.Linear(sizes.head, n_tags)
        self.dropout = nn.Dropout(sizes.dropout)
        self.crf = LinearChainCrf(n_tags) if sizes.sequence else None
        for layer in (self.inner, self.outer):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)

    def token_vectors(self, batch: WordBatch) -> Tensor:
        """Character-enhanced token vectors [B, T, word + 2 * char_hidden]."""
        vectors = [self.word(batch.words)] if self.sizes.words else []
        if self.sizes.characters:
            vectors.append(self._spelled(batch.char_rows)[batch.char_at])
        return torch.cat(vectors, 2)

    def _spelled(self, rows: Tensor) -> Tensor:
        """Character vectors [U, 2 * char_hidden]; short words apart from long ones, for speed."""
        n_chars = (rows != 0).sum(1).clamp_min(1)
        order = torch.argsort(n_chars, stable=True)
        n_short = int((n_chars <= _SHORT).sum())
        parts = [
            self.char_rnn.last(self.char(rows[some, : int(n_chars[some].max())]), n_chars[some])
            for some in (order[:n_short], order[n_short:])
            if len(some)
        ]
        return torch.cat(parts)[torch.argsort(order)]

    def forward(self, batch: WordBatch) -> Tensor:
        """Emissions [B, T, L]; those beyond a row's length mean nothing."""
        states = self.rnn(self.dropout(self.token_vectors(batch)), batch.lengths)
        emissions: Tensor = self.outer(torch.tanh(self.inner(self.dropout(states))))
        return emissions

    def loss(self, batch: WordBatch) -> Tensor:
        """Negative log-likelihood of the gold tags, mean per token."""
        emissions = self(batch)
        if self.crf is None:
            inside = torch.arange(batch.words.shape[1])[None] < batch.lengths[:, None]
            return nn.functional.cross_entropy(emissions[inside], batch.tags[inside])
        nll: Tensor = self.crf(emissions, batch.tags, batch.lengths)
        return nll

    def word_table(self) -> Tensor:
        """The word vectors as they reach the BiLSTM: [V, word]."""
        return word_table(self.word)


def _words(n_words: int, sizes: BilstmSizes, vectors: Tensor | None) -> nn.Module:
    if vectors is None:
        return nn.Embedding(n_words, sizes.word, padding_idx=0)
    return tuned(vectors, sizes.word) if sizes.tuned else ProjectedVectors(vectors, sizes.word)


def tuned(vectors: Tensor, size: int) -> nn.Embedding:
    """Word vectors that begin as `vectors` [V, size] and are learned on.

    Raises `Halt("recipe.vectors")` where they have another width.
    """
    if vectors.shape[1] != size:
        raise Halt("recipe.vectors", f"vectors of {vectors.shape[1]} numbers for words of {size}")
    table = nn.Embedding(len(vectors), size, padding_idx=0)
    with torch.no_grad():
        table.weight.copy_(vectors)
    return table


def word_table(words: nn.Module) -> Tensor:
    """The vectors [V, width] that a layer of word vectors gives."""
    with torch.no_grad():
        table = words.weight if isinstance(words, nn.Embedding) else words.vectors
        assert isinstance(table, Tensor)
        found: Tensor = words(torch.arange(len(table)))
        return found


class ProjectedVectors(nn.Module):
    """A learned linear map of fixed vectors, with learned vectors for the special words."""

    def __init__(self, vectors: Tensor, size: int) -> None:
        super().__init__()
        self.vectors: Tensor
        self.register_buffer("vectors", vectors, persistent=False)
        self.projection = nn.Linear(vectors.shape[1], size)
        nn.init.xavier_uniform_(self.projection.weight)
        self.special = nn.Embedding(FIRST_WORD, size, padding_idx=0)

    def forward(self, words: Tensor) -> Tensor:
        """[..., size] of word ids [...]."""
        ids, back = torch.unique(words, return_inverse=True)
        mapped = self.projection(self.vectors[ids])
        special = self.special(ids.clamp_max(FIRST_WORD - 1))
        table: Tensor = torch.where((ids < FIRST_WORD)[:, None], special, mapped)
        return table[back]


def unknown_at_random(
    batch: WordBatch, once: Tensor, rate: float, rng: torch.Generator
) -> WordBatch:
    """Words that occur once in training become unknown with probability `rate`, so that the
    unknown word has a vector (Lample et al. 2016, 4.2).
    """
    coins = torch.rand(batch.words.shape, generator=rng) < rate
    words = batch.words.masked_fill(coins & once[batch.words], UNKNOWN)
    return WordBatch(words, batch.char_rows, batch.char_at, batch.lengths, batch.tags)


def make(
    inventory: Inventory, n_tags: int, sizes: dict[str, Any], vectors: Tensor | None
) -> BiLstmCrf:
    """A model from the `[sizes]` table of a recipe."""
    return BiLstmCrf(inventory.encoder, n_tags, settings(BilstmSizes, sizes, "sizes"), vectors)
