"""Fine-tuning a pretrained encoder as a BIO tagger (Devlin et al. 2019, section 5.3).

The trunk is any Hugging Face encoder (`trunks`). Its embeddings stay frozen, so that
several models share them in git and in memory; layers learn the slower the lower they are
(Howard & Ruder 2018); pieces are masked at random in place of dropout inside the layers, which
costs much on a CPU. The rate falls with the run's progress, in steps or in minutes, whichever is
further on, so a run ends in its time whatever else the machine does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import AutoModel

from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.errors import Halt
from stream_deid.labels import AUTHORED, MEDDOCAN
from stream_deid.serving import manifest as manifests
from stream_deid.text.bio import tag_names
from stream_deid.text.subword import SubwordEncoder
from stream_deid.training.data.augment import Augmenter
from stream_deid.training.data.batches import Batch, bucketed, examples
from stream_deid.training.data.corpora import AnnotatedNote, is_marked, plain
from stream_deid.training.data.gazetteers import Gazetteers
from stream_deid.training.data.insertion import (
    Carrier,
    Insertion,
    carriers,
    donors,
    marked_carriers,
)
from stream_deid.training.evaluate.offline import Engine
from stream_deid.training.models import trunks
from stream_deid.training.run import recipe as recipes
from stream_deid.training.run.bert_recipe import Run, Training
from stream_deid.training.run.progress_score import binary_counts, score_windows

_PAUSED_S = 30.0


class Tagger(nn.Module):
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


def tag_set(
    notes: Sequence[AnnotatedNote], language: str, labels: Sequence[str] = ()
) -> tuple[str, ...]:
    """BIO tags of the labels that occur (and are among `labels`), in the guideline's order."""
    present = {label for note in notes for _, _, label in note.spans}
    known = MEDDOCAN if language == "es" else AUTHORED
    if unknown := sorted(present - set(known)):
        raise Halt("corpus.label", f"labels without a type: {', '.join(unknown)}")
    if unseen := sorted(set(labels) - present):
        raise Halt("recipe.labels", f"labels that no note has: {', '.join(unseen)}")
    return tag_names(label for label in known if label in (labels or present))


def _carriers(run: Run, data: Path, gazetteers: Gazetteers) -> list[Carrier]:
    """Of marked corpora (`recipe.load`) and of plain texts (`corpora.plain`)."""
    marked = [s for s in run.data.carriers if is_marked(s)]
    texts = [t for s in run.data.carriers if s not in marked for t in plain(s, data)]
    return [
        *marked_carriers(recipes.load_all(tuple(marked), data)),
        *carriers(texts, gazetteers.maybe_name, run.language),
    ]


def groups(model: Tagger, run: Training, frozen_layers: int) -> list[dict[str, Any]]:
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


class Trainer:
    """One run: epochs over freshly drawn notes, a checkpoint after each, resumable."""

    def __init__(self, run: Run, out: Path, data: Path) -> None:
        torch.manual_seed(run.seed)
        torch.set_num_threads(run.training.threads)
        self.bf16 = run.training.bf16 and has_bf16()
        self.run, self.out = run, out
        self.new = recipes.load_all(run.data.train, data)
        self.former = recipes.load_all(run.data.replay, data)
        self.notes = [*self.new, *self.former]
        self.dev = {source: recipes.load(source, data) for source in run.data.dev}
        self.tags = tag_set(self.notes, run.language, run.data.labels)
        trunk = trunks.find(run.model.trunk, data)
        self.encoder = SubwordEncoder(trunks.tokenizer_json(trunk), titled=run.model.titled)
        self.model = self.made(trunk)
        if run.model.start:
            tags, weights = _start(run.model.start, out.parent)
            if tags != self.tags:
                say(f"{run.name}: other tags than {run.model.start}, so the head starts anew")
            self.model.load_learnt(weights, head=tags == self.tags)
        gazetteers = Gazetteers(data / "gazetteers")
        self.augmenter = Augmenter(self.notes, gazetteers, run.augment, run.seed)
        wholly = replace(run.augment, keep=0.0, keep_value=0.0, noisy=True)
        self.anew = Augmenter(self.notes, gazetteers, wholly, run.seed)
        found = _carriers(run, data, gazetteers)
        self.insertion = Insertion(found, donors(self.notes), run.seed) if found else None
        self.optimizer = torch.optim.AdamW(
            self.groups(), lr=0.0, betas=(0.9, 0.98), eps=1e-6, fused=True
        )
        self.step = self.epoch = 0
        self.spent = 0.0
        out.mkdir(parents=True, exist_ok=True)

    def made(self, trunk: str | Path) -> Tagger:
        """The model before it has learnt anything."""
        return Tagger(trunk, len(self.tags), rounded=self.run.model.rounded)

    def groups(self) -> list[dict[str, Any]]:
        """What learns, at which rate."""
        return groups(self.model, self.run.training, self.run.model.frozen_layers)

    @property
    def spec(self) -> ModelSpec:
        """What decoding needs, for scoring on the development notes."""
        return model_of(self.run, self.tags, self.encoder, f"epoch-{self.epoch}")

    def batches(self, epoch: int) -> Iterator[Batch]:
        """The batches of one epoch, the same for the same seed."""
        rng = random.Random(self.run.seed * 1000 + epoch)
        found = (
            example
            for note in self.drawn(epoch)
            for example in examples(
                note,
                self.encoder,
                self.tags,
                window=self.run.model.window,
                rng=rng,
            )
        )
        return bucketed(found, self.run.training.batch, self.encoder.pad, rng)

    def drawn(self, epoch: int) -> Iterator[AnnotatedNote]:
        """The notes of one epoch: variants of the marked ones, and composed ones."""
        rng = random.Random(f"{self.run.seed}|replay|{epoch}")
        former = [n for n in self.former if rng.random() < self.run.data.replay_share]
        for copy, note in enumerate([*self.new, *former]):
            yield self.augmenter.draw(note, epoch * 100_000 + copy)
        if self.insertion is not None:
            for note in self.insertion.notes(epoch, self.run.data.inserted):
                yield self.anew.draw(note, epoch)

    def progress(self, batch: int, batches: int) -> float:
        """How far the run is, 0 to 1, in steps or in minutes."""
        steps = (self.epoch + batch / batches) / self.run.training.epochs
        limit = self.run.training.minutes * 60
        return min(1.0, max(steps, self.spent / limit if limit else 0.0))

    def train(self) -> None:
        """All epochs that are left, or until the minutes are spent."""
        self.resume()
        (self.out / "tags.txt").write_text("\n".join(self.tags), "utf-8")
        while self.epoch < self.run.training.epochs and not self._late():
            loss, pieces, seconds = self._epoch()
            self.epoch += 1
            self.save()
            say(
                f"{self.run.name} epoch {self.epoch}: loss {loss:.4f}, "
                f"{pieces / max(seconds, 1e-9):.0f} pieces/s, {self.spent / 60:.1f} min"
            )
            self.score()

    def _late(self) -> bool:
        limit = self.run.training.minutes * 60
        return bool(limit and self.spent >= limit)

    def _epoch(self) -> tuple[float, int, float]:
        batches = list(self.batches(self.epoch))
        self.model.train()
        total, pieces, begun, told = 0.0, 0, time.monotonic(), time.monotonic()
        for i, batch in enumerate(batches):
            at = time.monotonic()
            total += self._learn(batch, self.progress(i, len(batches)))
            pieces += int(batch.mask.sum())
            self.spent += min(time.monotonic() - at, _PAUSED_S)  # a run may be paused
            if time.monotonic() - told > 30:
                told = time.monotonic()
                rate = pieces / (told - begun)
                say(
                    f"  {self.run.name} epoch {self.epoch + 1} batch {i + 1}/{len(batches)} loss "
                    f"{total / (i + 1):.4f} {rate:.0f} pieces/s {self.spent / 60:.1f} min"
                )
            if self._late():
                break
        return total / max(len(batches), 1), pieces, time.monotonic() - begun

    def _learn(self, batch: Batch, progress: float) -> float:
        run = self.run.training
        warm = min(1.0, (progress + 1e-3) / run.warm_up)
        factor = warm * max(0.02, (1.0 - progress) / (1.0 - run.warm_up)) if warm == 1.0 else warm
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * factor
        logits = self.logits(batch)
        loss = self.loss(logits.float(), batch.targets)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.model.parameters(), run.clip)
        self.optimizer.step()
        self.step += 1
        return loss.item()

    def logits(self, batch: Batch) -> torch.Tensor:
        """What the model says of a batch, some of whose pieces are masked."""
        hide = torch.rand(batch.ids.shape) < self.run.training.mask
        hide &= batch.ids > self.encoder.unknown
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            said: torch.Tensor = self.model(
                batch.ids.masked_fill(hide, self.encoder.mask), batch.mask
            )
        return said

    def loss(self, logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Of one batch: logits [B, S, tags] against targets [B, S]."""
        labelled = targets >= 0
        return nn.functional.cross_entropy(logits[labelled], targets[labelled])

    def score(self) -> None:
        """Binary-token recall and precision on (a sample of) each development corpus."""
        self.model.eval()
        for source, notes in self.dev.items():
            sample = notes[:: max(1, len(notes) // self.run.data.dev_sample)] if (
                self.run.data.dev_sample and len(notes) > self.run.data.dev_sample
            ) else notes  # fmt: skip
            found = binary_counts(self.spec, self.model, sample)
            say(f"{self.run.name} epoch {self.epoch} {source}: {found}")

    def save(self) -> None:
        """Weights of the epoch, and all that resuming needs."""
        learnt = self.model.learnt()
        save_file(learnt, self.out / f"epoch-{self.epoch}.safetensors")
        state = {
            "epoch": self.epoch, "step": self.step, "spent": self.spent,
            "optimizer": self.optimizer.state_dict(), "random": torch.get_rng_state(),
        }  # fmt: skip
        torch.save(state, self.out / "state.part")
        (self.out / "state.part").replace(self.out / "state.pt")
        save_file(learnt, self.out / "model.safetensors")

    def resume(self) -> None:
        """Go on after the last whole epoch, if the folder holds one."""
        if not (self.out / "state.pt").exists():
            return
        state = torch.load(self.out / "state.pt", weights_only=True)
        self.epoch, self.step, self.spent = state["epoch"], state["step"], state["spent"]
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.model.load_learnt(self.out / f"epoch-{self.epoch}.safetensors")
        say(f"{self.run.name}: goes on after epoch {self.epoch}")


def trained(recipe_path: Path, out: Path, data: Path) -> Engine:
    """The weights of a run as a model that can be scored; nothing but its folder is read."""
    run = Run.read(recipe_path)
    tags = read_tags(out)
    trunk = trunks.find(run.model.trunk, data)
    model = Tagger(trunk, len(tags), rounded=run.model.rounded)
    model.load_learnt(out / "model.safetensors")
    model.eval()
    encoder = SubwordEncoder(trunks.tokenizer_json(trunk), titled=run.model.titled)
    spec = model_of(run, tags, encoder, out.name)
    pad = model.trunk.config.pad_token_id
    return spec, lambda found: score_windows(model, found, pad)


def _start(name: str, runs: Path) -> tuple[tuple[str, ...], Path]:
    """Tags and weights to go on from: a run's in `runs`, or `served:MODEL` of the repository."""
    if name.startswith(trunks.SERVED):
        served = manifests.load(
            manifests.repository(), name.removeprefix(trunks.SERVED), hashes=False
        )
        return served.labels, served.directory / "weights.safetensors"
    return read_tags(runs / name), runs / name / "model.safetensors"


def read_tags(out: Path) -> tuple[str, ...]:
    """The tags of the run in `out`."""
    return tuple((out / "tags.txt").read_text("utf-8").split("\n"))


def model_of(run: Run, tags: tuple[str, ...], encoder: SubwordEncoder, version: str) -> ModelSpec:
    """What decoding needs of a run."""
    return ModelSpec(
        run.name, version, "subword", (run.language,), tags, run.model.window,
        run.model.overlap, line_spans=run.model.line_spans, subword=encoder,
    )  # fmt: skip


def has_bf16() -> bool:
    """Whether the processor multiplies bf16 itself; elsewhere torch imitates it, at a third of
    the speed of fp32.
    """
    return bool(torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported())  # noqa: SLF001 - torch has no public name for it


def say(line: str) -> None:
    """One line of progress."""
    print(line, flush=True)  # noqa: T201 - a training run's progress


def train(recipe_path: Path, out: Path, data: Path) -> None:
    """Run a recipe; goes on where an earlier run in `out` was stopped.

    `data`: the folder that the recipe's corpora, trunk and gazetteers lie under. Raises `Halt`
    where the recipe or a corpus is wrong.
    """
    Trainer(Run.read(recipe_path), out, data).train()
