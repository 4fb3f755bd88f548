"""A linear-chain CRF over emissions, for training (Lafferty et al. 2001; Lample et al. 2016).

Decoding lives in `text.viterbi.crf`: the transitions leave here as plain arrays.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

_SMALLEST = 1e-30


class LinearChainCrf(nn.Module):
    """Transition scores `[L, L]` (row to column), start and end scores `[L]`."""

    def __init__(self, n_tags: int) -> None:
        super().__init__()
        self.transitions = nn.Parameter(torch.empty(n_tags, n_tags).uniform_(-0.1, 0.1))
        self.start = nn.Parameter(torch.zeros(n_tags))
        self.end = nn.Parameter(torch.zeros(n_tags))

    def forward(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """Negative log-likelihood of `tags` [B, T] under `emissions` [B, T, L], mean per token.

        `lengths` [B], all at least 1; what lies beyond a row's length is ignored.
        """
        nll = self._partition(emissions, lengths) - self._path(emissions, tags, lengths)
        return nll.sum() / lengths.sum()

    def _path(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        mask = torch.arange(tags.shape[1])[None] < lengths[:, None]
        scores = emissions.gather(2, tags[..., None])[..., 0] * mask
        steps = self.transitions[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]
        last = tags.gather(1, lengths[:, None] - 1)[:, 0]
        return scores.sum(1) + steps.sum(1) + self.start[tags[:, 0]] + self.end[last]

    def _partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """Log of the sum over all paths; each step is a product with exp(transitions)."""
        kernel = self.transitions.exp()
        alpha = self.start + emissions[:, 0]
        for t in range(1, emissions.shape[1]):
            top = alpha.max(1, keepdim=True).values.detach()
            summed = ((alpha - top).exp() @ kernel).clamp_min(_SMALLEST).log()
            step = summed + top + emissions[:, t]
            alpha = torch.where((t < lengths)[:, None], step, alpha)
        return torch.logsumexp(alpha + self.end, 1)
