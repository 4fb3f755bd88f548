"""Fine-tuning a pretrained encoder as a BIO tagger (Devlin et al. 2019, section 5.3).

The trunk is any Hugging Face encoder (`trunks`). Its embeddings stay frozen, so that
several models share them in git and in memory; layers learn the slower the lower they are
(Howard & Ruder 2018). `run.bert` trains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn
from transformers import AutoModel

from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.errors import Halt
from stream_deid.labels import AUTHORED, MEDDOCAN
from stream_deid.text.bio import tag_names
from stream_deid.text.subword import SubwordEncoder
from stream_deid.training.bert_recipe import BertRun, Training
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.models import trunks
from stream_deid.training.scores.offline import Engine
from stream_deid.training.scores.progress_score import score_windows


class BertTagger(nn.Module):
    """Encoder and a linear layer: ids and mask [B, S] to logits [B, S, number of tags]."""

    head: nn.Module

    def __init__(self, trunk: str | Path, n_tags: int, *, rounded: bool = False) -> None:
        super().__init__()
        self.trunk = AutoModel.from_pretrained(
            trunk,
            dtype=torch.float32,
            attn_implementation="eager",
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            add_pooling_layer=False,
        )
        self.trunk.embeddings.requires_grad_(False)
        if rounded:
            words = self.trunk.embeddings.word_embeddings.weight
            words.data = trunks.rounded(words.data)
        head = nn.Linear(self.trunk.config.hidden_size, n_tags)
        nn.init.normal_(head.weight, std=0.02)
        nn.init.zeros_(head.bias)
        self.head = head

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state
        logits: torch.Tensor = self.head(hidden)
        return logits

    def learnt(self) -> dict[str, torch.Tensor]:
        """Everything but the frozen embeddings."""
        return {k: v for k, v in self.state_dict().items() if not k.startswith("trunk.embeddings.")}

    def load_learnt(self, path: Path, *, head: bool = True) -> None:
        """What `learnt` gave, from a safetensors file (fp16 or fp32), with its head or without."""
        left_out = ("trunk.embeddings.",) if head else ("trunk.embeddings.", "head.")
        tensors = {k: v.float() for k, v in load_file(path).items() if not k.startswith(left_out)}
        missing, unexpected = self.load_state_dict(tensors, strict=False)
        lost = [k for k in missing if not k.startswith(left_out)]
        if lost or unexpected:
            raise Halt("checkpoint.keys", f"{path.name} does not fit: {lost[:3]} {unexpected[:3]}")

    @torch.no_grad()
    def load_head(self, path: Path, theirs: Sequence[str], own: Sequence[str]) -> None:
        """Of a file's head, whose rows are for `theirs`, those of tags that are among `own`."""
        lent, known = load_file(path), {tag: row for row, tag in enumerate(theirs)}
        for row, tag in enumerate(own):
            if tag in known:
                for name in ("weight", "bias"):
                    getattr(self.head, name)[row] = lent[f"head.{name}"][known[tag]].float()

    def layers(self) -> dict[str, torch.Tensor]:
        """A copy of what can be learnt but the head."""
        return {k: v.clone() for k, v in self.learnt().items() if not k.startswith("head.")}

    @torch.no_grad()
    def add_learnt(self, path: Path, since: Mapping[str, torch.Tensor], times: float) -> None:
        """Add `times` what the layers of `path` have learnt since they were `since`."""
        lent, own = load_file(path), self.state_dict()
        for name, before in since.items():
            own[name].add_(lent[name].float() - before, alpha=times)


def tag_set(
    notes: Sequence[AnnotatedNote], language: str, labels: Sequence[str] = ()
) -> tuple[str, ...]:
    """BIO tags of the labels that occur (and are among `labels`), in the guideline's order."""
    present = {label for note in notes for _, _, label in note.spans}
    known = _labels_of(language)
    if unknown := sorted(present - set(known)):
        raise Halt("corpus.label", f"labels without a type: {', '.join(unknown)}")
    if unseen := sorted(set(labels) - present):
        raise Halt("recipe.labels", f"labels that no note has: {', '.join(unseen)}")
    return tag_names(label for label in known if label in (labels or present))


def _labels_of(language: str) -> Iterable[str]:
    return MEDDOCAN if language == "es" else AUTHORED


def own_tags(tags: Sequence[str], language: str, labels: Sequence[str] = ()) -> tuple[str, ...]:
    """Of a run's tags those of its own language (and its recipe's `labels`): not what only notes
    beside have.
    """
    own = set(tag_names(label for label in _labels_of(language) if label in (labels or (label,))))
    return tuple(tag for tag in tags if tag in own)


def groups(model: BertTagger, run: Training, frozen_layers: int) -> list[dict[str, Any]]:
    """Parameter groups: each layer with its own rate, the head with the highest."""
    layers = list(model.trunk.encoder.layer)
    out = [{"params": list(model.head.parameters()), "peak": run.head_rate}]
    for depth, layer in enumerate(layers):
        if depth < frozen_layers:
            layer.requires_grad_(False)
            continue
        peak = run.rate * run.layer_decay ** (len(layers) - 1 - depth)
        weights = [p for p in layer.parameters() if p.ndim > 1]
        others = [p for p in layer.parameters() if p.ndim <= 1]
        out.append({"params": weights, "peak": peak, "weight_decay": run.weight_decay})
        out.append({"params": others, "peak": peak, "weight_decay": 0.0})
    return out


def tagger_of(run: BertRun, out: Path, trunk: str | Path) -> tuple[tuple[str, ...], BertTagger]:
    """The tags of a run's own language, and what it has learnt with their rows of the head."""
    learnt, weights = read_tags(out), out / "model.safetensors"
    tags = own_tags(learnt, run.language, run.data.labels)
    model = BertTagger(trunk, len(tags), rounded=run.model.rounded)
    model.load_learnt(weights, head=False)
    model.load_head(weights, learnt, tags)
    return tags, model


def trained(recipe_path: Path, out: Path, data: Path) -> Engine:
    """The weights of a run as a model that can be scored; nothing but its folder is read."""
    run = BertRun.read(recipe_path)
    trunk = trunks.find(run.model.trunk, data)
    tags, model = tagger_of(run, out, trunk)
    model.eval()
    encoder = SubwordEncoder(trunks.tokenizer_json(trunk), titled=run.model.titled)
    spec = model_of(run, tags, encoder, out.name)
    pad = model.trunk.config.pad_token_id
    return spec, lambda found: score_windows(model, found, pad)


def read_tags(out: Path) -> tuple[str, ...]:
    """The tags of the run in `out`."""
    return tuple((out / "tags.txt").read_text("utf-8").split("\n"))


def model_of(
    run: BertRun, tags: tuple[str, ...], encoder: SubwordEncoder, version: str
) -> ModelSpec:
    """What decoding needs of a run."""
    return ModelSpec(
        run.name, version, "subword", (run.language,), tags, run.model.window,
        run.model.overlap, line_spans=run.model.line_spans, subword=encoder,
    )  # fmt: skip


def has_bf16() -> bool:
    """Whether the processor multiplies bf16 itself; elsewhere torch imitates it, at a third of
    the speed of fp32.
    """
    cpu = torch.cpu
    return bool(cpu._is_amx_tile_supported() or cpu._is_avx512_bf16_supported())  # noqa: SLF001 - no public name
