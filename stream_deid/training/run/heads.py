"""Runs of heads on a frozen trunk (`models.heads`): the trunk reads once, the heads learn."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.training.bert_recipe import BertRun
from stream_deid.training.data.batches import IGNORED, TokenBatch
from stream_deid.training.models.heads import Headed, head_tags, spec
from stream_deid.training.run.bert import Trainer


class HeadTrainer(Trainer):
    """A run of heads: notes are drawn once, the trunk reads them once, and in every epoch each head
    learns its own labels from what the trunk made of them.
    """

    model: Headed  # type: ignore[assignment]

    def made(self, trunk: str | Path) -> Headed:  # type: ignore[override]
        own = head_tags(self.run)
        self.places = [(len(tags), places(self.tags, tags)) for tags in own.values()]
        self._drawn: list[TokenBatch] = []
        self._read: dict[int, dict[int, torch.Tensor]] = {}
        return Headed(Path(trunk), self.run)

    def groups(self) -> list[dict[str, Any]]:
        run = self.run.training
        return [
            {"params": list(self.model.head.parameters()), "peak": run.head_rate,
             "weight_decay": run.weight_decay},
        ]  # fmt: skip

    def batches(self, epoch: int) -> Iterator[TokenBatch]:
        self._drawn = self._drawn or list(super().batches(0))
        return iter(random.Random(f"{self.run.seed}|{epoch}").sample(self._drawn, len(self._drawn)))

    def logits(self, batch: TokenBatch) -> torch.Tensor:
        read = self._read.get(id(batch))
        if read is None:
            hidden = self.model.trunk.hidden(batch.ids, batch.mask)
            read = self._read[id(batch)] = {layer: one.half() for layer, one in hidden.items()}
        logits: torch.Tensor = self.model.head({layer: one.float() for layer, one in read.items()})
        return logits

    @property
    def spec(self) -> ModelSpec:
        return spec(self.run, self.tags, self.encoder, f"epoch-{self.epoch}")

    def loss(self, logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        labelled = targets != IGNORED
        wanted, said = targets[labelled], logits[labelled]
        shares = torch.split(said, [width for width, _ in self.places], dim=-1)
        losses = [
            nn.functional.cross_entropy(share, place[wanted])
            for share, (_, place) in zip(shares, self.places, strict=True)
        ]
        return torch.stack(losses).sum()


def places(tags: Sequence[str], own: Sequence[str]) -> torch.Tensor:
    """For each of `tags` its place in a head's `own`; a label that the head lacks is "O" to it."""
    known = {tag: place for place, tag in enumerate(own)}
    return torch.tensor([known.get(tag, 0) for tag in tags])


def train(recipe_path: Path, out: Path, data: Path) -> None:
    """Run a recipe of heads; as `bert.train`."""
    HeadTrainer(BertRun.read(recipe_path), out, data).train()
