"""Early stopping: a run's weights are those of the epoch that did best on notes held back."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from stream_deid.atomic import beside


class Best:
    """The best epoch so far, in `file`, so that a run that was stopped goes on with it."""

    def __init__(self, file: Path, patience: int) -> None:
        self._file = file
        self._patience = patience
        state = torch.load(file, weights_only=True) if file.is_file() else {}
        self._score = float(state.get("score", -1.0))
        self._epoch = int(state.get("epoch", -1))

    def enough(self, model: nn.Module, epoch: int, score: float) -> bool:
        """Take note of an epoch; whether `patience` epochs have passed without a better one."""
        if score > self._score:
            self._score, self._epoch = score, epoch
            with beside(self._file) as part:
                torch.save({"model": model.state_dict(), "score": score, "epoch": epoch}, part)
        return epoch - self._epoch >= self._patience

    def restore(self, model: nn.Module) -> int:
        """Load the best epoch's weights; its number, from 1 on."""
        model.load_state_dict(torch.load(self._file, weights_only=True)["model"])
        return self._epoch + 1
