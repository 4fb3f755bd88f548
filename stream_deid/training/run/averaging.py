"""A moving average of weights (Polyak and Juditsky 1992), kept beside those that are trained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

State = dict[str, Tensor]


class Average:
    """Of `model`; `memory` is what stays of the mean at each step, and 0 means no mean at all."""

    def __init__(self, model: nn.Module, memory: float) -> None:
        self._model = model
        mean = get_ema_multi_avg_fn(memory) if memory else None  # type: ignore[no-untyped-call]
        self._mean = AveragedModel(model, multi_avg_fn=mean) if mean else None

    def step(self) -> None:
        """The optimiser has made a step; the first one begins the mean."""
        if self._mean is not None:
            self._mean.update_parameters(self._model)

    def states(self) -> dict[str, State]:
        """`model`: the weights that count; `stepped`: those that go on, where they are others."""
        if self._mean is None:
            return {"model": self._model.state_dict()}
        return {"model": self._mean.module.state_dict(), "stepped": self._model.state_dict()}

    def load(self, states: dict[str, Any]) -> None:
        """Go on from what `states` gave."""
        self._model.load_state_dict(states.get("stepped", states["model"]))
        if self._mean is not None:
            self._mean.module.load_state_dict(states["model"])
            self._mean.n_averaged.fill_(1)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """The model has the weights that count, and afterwards its own again."""
        if self._mean is None:
            yield
            return
        own = {name: value.clone() for name, value in self._model.state_dict().items()}
        self.keep()
        try:
            yield
        finally:
            self._model.load_state_dict(own)

    @torch.no_grad()
    def keep(self) -> None:
        """Give the model the weights that count for good."""
        if self._mean is not None:
            self._model.load_state_dict(self._mean.module.state_dict())
