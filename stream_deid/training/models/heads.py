"""Models by entity as heads on one frozen trunk (nference 2021, made affordable).

The paper fine-tunes a whole BERT for each entity, and keeps two versions of each that err
differently. Here the trunk is one that is served already and stays as it is; a head sees the
hidden states of a piece and of its two neighbours, in one version of the trunk's last layer and in
another of a lower one. All heads share one pass.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn

from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.hardening import silence_engines
from stream_deid.serving import manifest
from stream_deid.text.bio import tag_names
from stream_deid.text.subword import SubwordEncoder
from stream_deid.training.data.batches import IGNORED, TokenBatch
from stream_deid.training.evaluate.offline import Engine
from stream_deid.training.models import trunks
from stream_deid.training.models.bert import model_of, read_tags
from stream_deid.training.models.bert_run import Trainer
from stream_deid.training.run.bert_recipe import BertRun
from stream_deid.training.run.progress_score import score_windows

LAYER = "trunk.encoder.layer.{}.output.LayerNorm/out"
"""What a layer's output is called in the graph (`serving.build.bert_graph`)."""

HeadTags = Mapping[str, tuple[str, ...]]
"""The tags of each head, in the order of their logits."""


def head_tags(run: BertRun) -> dict[str, tuple[str, ...]]:
    """The tags of each head of a recipe."""
    return {name: tag_names(labels) for name, labels in run.heads.labels.items()}


def layers(run: BertRun) -> dict[str, int]:
    """The layer that each head reads."""
    return {name: run.heads.versions[name.rpartition("-")[2]] for name in run.heads.labels}


class EntityHeads(nn.Module):
    """Hidden states of every layer to the logits of all heads, side by side [B, S, all tags].

    The heads of one layer share the product of their first layer: `inner.LAYER` is as wide as all
    of them, and each takes its own share of it.
    """

    def __init__(self, size: int, tags: HeadTags, reads: Mapping[str, int], width: int) -> None:
        super().__init__()
        self.width = width
        self.by_layer = [
            (layer, list(names)) for layer, names in groupby(tags, key=lambda name: reads[name])
        ]
        self.inner = nn.ModuleDict(
            {str(layer): nn.Linear(3 * size, width * len(of)) for layer, of in self.by_layer}
        )
        self.outer = nn.ModuleDict({name: nn.Linear(width, len(of)) for name, of in tags.items()})

    def forward(self, hidden: Mapping[int, torch.Tensor]) -> torch.Tensor:
        logits = []
        for layer, names in self.by_layer:
            inner = nn.functional.gelu(self.inner[str(layer)](beside(hidden[layer])))
            shares = torch.split(inner, self.width, dim=-1)
            logits += [self.outer[name](one) for name, one in zip(names, shares, strict=True)]
        return torch.cat(logits, dim=-1)


def beside(hidden: torch.Tensor) -> torch.Tensor:
    """Each piece between its neighbours: [B, S, D] to [B, S, 3 D], zeros outside."""
    padded = nn.functional.pad(hidden, (0, 0, 1, 1))
    return torch.cat((padded[:, :-2], hidden, padded[:, 2:]), dim=-1)


class ServedTrunk:
    """A served encoder as it serves (OpenVINO, in the integers that it was quantised to)."""

    def __init__(self, folder: Path, wanted: Sequence[int]) -> None:
        silence_engines()
        import openvino  # noqa: PLC0415 - slow to import

        model = openvino.Core().read_model(folder / "1" / "model.xml")
        names = [LAYER.format(layer - 1) for layer in wanted]
        model.add_outputs(names)
        settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
        self._compiled = openvino.Core().compile_model(model, "CPU", settings)
        self.size = int(self._compiled.output(names[0]).partial_shape[2].get_length())
        self._outputs = {layer: self._compiled.output(LAYER.format(layer - 1)) for layer in wanted}

    def hidden(self, ids: torch.Tensor, mask: torch.Tensor) -> dict[int, torch.Tensor]:
        """Hidden states [B, S, D] by layer."""
        said = self._compiled(
            {
                "input_ids": ids.numpy().astype("int32"),
                "attention_mask": mask.numpy().astype("int32"),
            }
        )
        return {layer: torch.from_numpy(said[out].copy()) for layer, out in self._outputs.items()}


class Headed(nn.Module):
    """A served trunk that doesn't learn, and heads that do: ids and mask [B, S] to logits."""

    def __init__(self, folder: Path, run: BertRun) -> None:
        super().__init__()
        self.pad = manifest.load(folder.parent, folder.name, hashes=False).inputs[0].pad
        self.trunk = ServedTrunk(folder, sorted(set(layers(run).values())))
        self.head = EntityHeads(self.trunk.size, head_tags(run), layers(run), run.heads.width)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.head(self.trunk.hidden(ids, mask))
        return logits

    def learnt(self) -> dict[str, torch.Tensor]:
        """The heads."""
        return self.state_dict()

    def load_learnt(self, path: Path) -> None:
        """What `learnt` gave."""
        self.load_state_dict({k: v.float() for k, v in load_file(path).items()})


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


def spec(run: BertRun, tags: tuple[str, ...], encoder: SubwordEncoder, version: str) -> ModelSpec:
    """What decoding needs of a run of heads."""
    return replace(model_of(run, tags, encoder, version), heads=head_tags(run))


def trained(recipe_path: Path, out: Path, data: Path) -> Engine:
    """The weights of a run as a model that can be scored."""
    run = BertRun.read(recipe_path)
    trunk = Path(trunks.find(run.model.trunk, data))
    model = Headed(trunk, run)
    model.load_learnt(out / "model.safetensors")
    model.eval()
    encoder = SubwordEncoder(trunks.tokenizer_json(trunk), titled=run.model.titled)
    made = spec(run, read_tags(out), encoder, out.name)
    return made, lambda found: score_windows(model, found, model.pad)


def train(recipe_path: Path, out: Path, data: Path) -> None:
    """Run a recipe of heads; as `bert_run.train`."""
    HeadTrainer(BertRun.read(recipe_path), out, data).train()
