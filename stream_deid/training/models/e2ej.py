"""E2E and E2EJ (Jabreel et al. 2019, IberLEF MEDDOCAN): type tagging helped by sensitivity.

Words as fixed vectors and a convolution over their characters; two BiLSTM layers; sub-model 1
(section 2.3) says whether a token is sensitive; sub-model 2 (2.4) tags its type with a CRF and
sees sub-model 1's hidden layer. The loss is J = Js + Jt (equation 10). Sizes and dropout are those
of table 1 and section 2.5. E2E is the same without sub-model 1 (`joint = false`).

The paper's GloVe vectors are replaced by those that the recipe names, mapped to 300 dimensions;
tokens are the project's. `narrow`: the paper's convolution over characters (equation 1), which
reaches over no end of the word; words shorter than the kernel are padded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from stream_deid.errors import Halt
from stream_deid.text.wordchar import FIRST_CHAR, FIRST_WORD
from stream_deid.training.data.vocabulary import Inventory
from stream_deid.training.data.word_batches import WordBatch
from stream_deid.training.models.bilstm import ProjectedVectors, word_table
from stream_deid.training.models.neural_crf import LinearChainCrf
from stream_deid.training.models.recurrent import BiRnn
from stream_deid.training.recipe import settings

_CHAR_INIT = 0.1


@dataclass(frozen=True, slots=True)
class E2ejSizes:
    """Table 1 of the paper; `joint` false gives E2E."""

    word: int = 300
    char: int = 50
    char_filters: int = 100
    hidden: int = 256
    filters: int = 200
    sensitive: int = 200
    kernel: int = 3
    dropout: float = 0.3
    joint: bool = True
    narrow: bool = False


class E2ej(nn.Module):
    """Emissions [B, T, L]; with `joint` the loss has the sensitivity term as well."""

    def __init__(
        self, inventory: Inventory, n_tags: int, sizes: E2ejSizes, vectors: Tensor | None
    ) -> None:
        super().__init__()
        encoder = inventory.encoder
        n_words = FIRST_WORD + len(encoder.words)
        self.sizes = sizes
        self.word: nn.Module = (
            nn.Embedding(n_words, sizes.word, padding_idx=0)
            if vectors is None
            else ProjectedVectors(vectors, sizes.word)
        )
        self.char = nn.Embedding(FIRST_CHAR + len(encoder.alphabet), sizes.char)
        nn.init.uniform_(self.char.weight, -_CHAR_INIT, _CHAR_INIT)
        self.spell = nn.Conv1d(sizes.char, sizes.char_filters, sizes.kernel, padding="same")
        self.lower = BiRnn(sizes.word + sizes.char_filters, sizes.hidden)
        self.upper = BiRnn(2 * sizes.hidden, sizes.hidden)
        around = {"kernel_size": sizes.kernel, "padding": "same"}
        self.context_t = nn.Conv1d(2 * sizes.hidden, sizes.filters, **around)  # type: ignore[arg-type]
        seen = sizes.filters
        if sizes.narrow and sizes.kernel != 3:
            raise Halt("recipe.kernel", "the narrow convolution has a kernel of 3")
        if sizes.joint:
            self.context_s = nn.Conv1d(2 * sizes.hidden, sizes.filters, **around)  # type: ignore[arg-type]
            self.inner_s = nn.Linear(sizes.filters, sizes.sensitive)
            self.outer_s = nn.Linear(sizes.sensitive, 1)
            seen += sizes.sensitive
        self.outer_t = nn.Linear(seen, n_tags)
        self.dropout = nn.Dropout(sizes.dropout)
        self.crf = LinearChainCrf(n_tags)

    def _states(self, batch: WordBatch) -> tuple[Tensor, Tensor]:
        """BiLSTM states [B, T, 2 * hidden], zero beyond the rows' lengths, and the mask [B, T]."""
        spelled = torch.tanh(self.spell(self.char(batch.char_rows).transpose(1, 2)))
        spelled = spelled.masked_fill(self._outside(batch.char_rows)[:, None], -1.0).amax(2)
        tokens = torch.cat([self.word(batch.words), spelled[batch.char_at]], 2)
        mask = torch.arange(batch.words.shape[1])[None] < batch.lengths[:, None]
        lower = self.lower(self.dropout(tokens), batch.lengths)
        upper = self.upper(lower, batch.lengths)
        return self.dropout(upper) * mask[..., None], mask

    def _outside(self, rows: Tensor) -> Tensor:
        """Which characters [U, C] give no feature: padding, with `narrow` the ends of words too."""
        padding = rows == 0
        if not self.sizes.narrow:
            return padding
        edge = nn.functional.pad(rows, (1, 1)).unfold(1, 3, 1).eq(0).any(2)
        return padding | (edge & ((~padding).sum(1, keepdim=True) >= self.sizes.kernel))

    def word_table(self) -> Tensor:
        """The word vectors as they reach the BiLSTM: [V, word]."""
        return word_table(self.word)

    def _scores(self, batch: WordBatch) -> tuple[Tensor, Tensor | None, Tensor]:
        """Emissions, sensitivity logits [B, T] where there are any, mask."""
        states, mask = self._states(batch)
        columns = states.transpose(1, 2)
        seen = torch.tanh(self.context_t(columns)).transpose(1, 2)
        if not self.sizes.joint:
            return self.outer_t(seen), None, mask
        inner = torch.tanh(self.inner_s(torch.tanh(self.context_s(columns)).transpose(1, 2)))
        emissions = self.outer_t(torch.cat([inner, seen], 2))
        return emissions, self.outer_s(inner)[..., 0], mask

    def forward(self, batch: WordBatch) -> Tensor:
        """Emissions [B, T, L]."""
        return self._scores(batch)[0]

    def loss(self, batch: WordBatch) -> Tensor:
        """J = Js + Jt, both means per token."""
        emissions, sensitive, mask = self._scores(batch)
        loss: Tensor = self.crf(emissions, batch.tags, batch.lengths)
        if sensitive is not None:
            gold = (batch.tags[mask] > 0).float()
            loss = loss + nn.functional.binary_cross_entropy_with_logits(sensitive[mask], gold)
        return loss


def make(inventory: Inventory, n_tags: int, sizes: dict[str, Any], vectors: Tensor | None) -> E2ej:
    """A model from the `[sizes]` table of a recipe."""
    return E2ej(inventory, n_tags, settings(E2ejSizes, sizes, "sizes"), vectors)
