"""The training loop that the recurrent models share: decay, checkpoints, progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from stream_deid.atomic import beside


def say(line: str) -> None:
    """One line of progress, on standard error."""
    sys.stderr.write(time.strftime("%H:%M:%S ") + line + "\n")
    sys.stderr.flush()


_OPTIMISERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "adam": torch.optim.Adam,
    "rmsprop": torch.optim.RMSprop,
    "sgd": torch.optim.SGD,
}


@dataclass(frozen=True, slots=True)
class FitSchedule:
    """How long and how fast; with `decay` the learning rate falls linearly to 0 in the last batch.

    `patience`: epochs without a gain on held-back notes after which training ends.
    """

    epochs: int = 20
    rate: float = 3e-3
    clip: float = 5.0
    batch: int = 16
    seed: int = 1
    unknown_rate: float = 0.5
    optimiser: str = "adam"
    decay: bool = True
    patience: int = 2


def fit(
    model: nn.Module,
    epoch_batches: Callable[[int], Iterable[object]],
    schedule: FitSchedule,
    checkpoint: Path,
    after_epoch: Callable[[int], bool] | None = None,
) -> None:
    """Train `model` (it has `loss(batch)`) in place.

    `epoch_batches(e)` gives the batches of epoch e and must depend on nothing but e, so that a
    run that was stopped goes on from `checkpoint` (written after every epoch, replaced whole)
    as if it had not been. It ends early where `after_epoch(e)` says so.
    """
    make = _OPTIMISERS[schedule.optimiser]
    optimiser = make([p for p in model.parameters() if p.requires_grad], lr=schedule.rate)
    first = _resume(model, optimiser, checkpoint)
    for epoch in range(first, schedule.epochs):
        torch.manual_seed(schedule.seed * 1000 + epoch)
        began = time.monotonic()
        loss = _one_epoch(model, optimiser, list(epoch_batches(epoch)), epoch, schedule)
        say(
            f"epoch {epoch + 1}/{schedule.epochs}: loss {loss:.4f}, "
            f"{time.monotonic() - began:.0f} s"
        )
        _save(model, optimiser, epoch + 1, checkpoint)
        if after_epoch is not None:
            model.eval()
            if after_epoch(epoch):
                break
    model.eval()


def _one_epoch(
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    batches: list[object],
    epoch: int,
    schedule: FitSchedule,
) -> float:
    model.train()
    total = 0.0
    for i, batch in enumerate(batches):
        done = (epoch + i / len(batches)) / schedule.epochs
        for group in optimiser.param_groups:
            group["lr"] = schedule.rate * (1 - done if schedule.decay else 1)
        optimiser.zero_grad(set_to_none=True)
        loss: Tensor = model.loss(batch)  # type: ignore[operator]  # nn.Module hides methods
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), schedule.clip)
        optimiser.step()
        total += loss.item()
    return total / max(len(batches), 1)


def _resume(model: nn.Module, optimiser: torch.optim.Optimizer, checkpoint: Path) -> int:
    if not checkpoint.exists():
        return 0
    state = torch.load(checkpoint, weights_only=True)
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    say(f"goes on after epoch {state['epochs']}")
    return int(state["epochs"])


def _save(
    model: nn.Module, optimiser: torch.optim.Optimizer, epochs: int, checkpoint: Path
) -> None:
    state = {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "epochs": epochs,
    }
    with beside(checkpoint) as part:
        torch.save(state, part)
