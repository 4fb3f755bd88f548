"""Models by entity as heads on one frozen trunk (nference 2021, made affordable).

The paper fine-tunes a whole BERT for each entity, and keeps two versions of each that err
differently. Here the trunk is one that is served already and stays as it is; a head sees the
hidden states of a piece and of its two neighbours, in one version of the trunk's last layer and in
another of a lower one. All heads share one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn

from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.hardening import silence_engines
from stream_deid.serving import manifest
from stream_deid.text.bio import tag_names
from stream_deid.text.subword import SubwordEncoder
from stream_deid.training.bert_recipe import BertRun
from stream_deid.training.models import trunks
from stream_deid.training.models.bert import model_of, read_tags
from stream_deid.training.scores.offline import Engine
from stream_deid.training.scores.progress_score import score_windows

LAYER = "trunk.encoder.layer.{}.output.LayerNorm/out"
"""What a layer's output is called in the graph (`serving.build.bert_graph`)."""

HeadTags = Mapping[str, tuple[str, ...]]
"""The tags of each head, in the order of their logits."""


def head_tags(run: BertRun) -> dict[str, tuple[str, ...]]:
    """The tags of each head of a recipe."""
    return {name: tag_names(labels) for name, labels in run.heads.labels.items()}


def layers(run: BertRun) -> dict[str, int]:
    """The layer that each head reads."""
    return {name: run.heads.versions[name.partition("-")[2]] for name in run.heads.labels}


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
