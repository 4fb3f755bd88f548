"""Runs of fine-tuned encoders (`bert`): epochs over freshly drawn notes, resumable.

Pieces are masked at random in place of dropout inside the layers, which costs much on a CPU. The
rate falls with the run's progress, in steps or in minutes, whichever is further on, so a run ends
in its time whatever else the machine does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn

from stream_deid import atomic
from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.errors import Halt
from stream_deid.serving import manifest as manifests
from stream_deid.text.subword import SubwordEncoder
from stream_deid.training import recipe as recipes
from stream_deid.training.bert_recipe import BertRun, TrunkSettings
from stream_deid.training.data.augment import Augmenter
from stream_deid.training.data.batches import TokenBatch, bucketed, examples
from stream_deid.training.data.corpora import AnnotatedNote, is_marked, plain
from stream_deid.training.data.gazetteers import Gazetteers
from stream_deid.training.data.insertion import (
    Carrier,
    Insertion,
    carriers,
    donors,
    marked_carriers,
)
from stream_deid.training.models import trunks
from stream_deid.training.models.bert import (
    BertTagger,
    groups,
    has_bf16,
    model_of,
    read_tags,
    tag_set,
)
from stream_deid.training.scores.progress_score import binary_counts

_PAUSED_S = 30.0


def _carriers(run: BertRun, data: Path, gazetteers: Gazetteers) -> list[Carrier]:
    """Of marked corpora (`recipe.load`) and of plain texts (`corpora.plain`)."""
    marked = [s for s in run.data.carriers if is_marked(s)]
    texts = [t for s in run.data.carriers if s not in marked for t in plain(s, data)]
    return [
        *marked_carriers(recipes.load_all(tuple(marked), data)),
        *carriers(texts, gazetteers.maybe_name, run.language),
    ]


class Trainer:
    """One run: epochs over freshly drawn notes, a checkpoint after each, resumable."""

    def __init__(self, run: BertRun, out: Path, data: Path) -> None:
        torch.manual_seed(run.seed)
        torch.set_num_threads(run.training.threads)
        self.bf16 = run.training.bf16 and has_bf16()
        self.run, self.out = run, out
        self.new = recipes.load_all(run.data.train, data)
        self.former = recipes.load_all(run.data.replay, data)
        self.notes = [*self.new, *self.former]
        self.dev = {source: recipes.load(source, data) for source in run.data.dev}
        self.beside = recipes.load_all(run.data.beside, data)
        self.tags = _tags(run, self.notes, self.beside)
        trunk = trunks.find(run.model.trunk, data)
        self.encoder = SubwordEncoder(trunks.tokenizer_json(trunk), titled=run.model.titled)
        self.model = self.made(trunk)
        if run.model.start:
            self._begin_at(run.model, out.parent)
        gazetteers = Gazetteers(data / "gazetteers")
        self.augmenter = Augmenter(self.notes, gazetteers, run.augment, run.seed)
        wholly = replace(run.augment, keep=0.0, keep_value=0.0, noisy=True)
        self.anew = Augmenter(self.notes, gazetteers, wholly, run.seed)
        self.augmenter_beside = Augmenter(self.beside, gazetteers, run.augment, run.seed)
        found = _carriers(run, data, gazetteers)
        self.insertion = Insertion(found, donors(self.notes), run.seed) if found else None
        self.optimizer = torch.optim.AdamW(
            self.groups(), lr=0.0, betas=(0.9, 0.98), eps=1e-6, fused=True
        )
        self.step = self.epoch = 0
        self.spent = 0.0
        out.mkdir(parents=True, exist_ok=True)

    def _begin_at(self, model: TrunkSettings, runs: Path) -> None:
        """The layers of an earlier run, and the rows of its head whose tags are known here."""
        tags, weights = _start(model.start, runs)
        if tags != self.tags and not self.beside:
            say(f"{self.run.name}: other tags than {model.start}, so the head starts anew")
        trunks_own = self.model.layers() if model.borrow else {}
        self.model.load_learnt(weights, head=tags == self.tags)
        if self.beside:
            self.model.load_head(weights, tags, self.tags)
        if model.borrow:
            lender = _start(model.borrow, runs)[1]
            self.model.add_learnt(lender, trunks_own, model.borrowed)

    def made(self, trunk: str | Path) -> BertTagger:
        """The model before it has learnt anything."""
        return BertTagger(trunk, len(self.tags), rounded=self.run.model.rounded)

    def groups(self) -> list[dict[str, Any]]:
        """What learns, at which rate."""
        return groups(self.model, self.run.training, self.run.model.frozen_layers)

    @property
    def spec(self) -> ModelSpec:
        """What decoding needs, for scoring on the development notes."""
        return model_of(self.run, self.tags, self.encoder, f"epoch-{self.epoch}")

    def batches(self, epoch: int) -> Iterator[TokenBatch]:
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
        for copy, note in enumerate(self.beside):
            if rng.random() < self.run.data.beside_share:
                yield self.augmenter_beside.draw(note, epoch * 100_000 + copy)
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
        atomic.write(self.out / "tags.txt", "\n".join(self.tags))
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

    def _learn(self, batch: TokenBatch, progress: float) -> float:
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

    def logits(self, batch: TokenBatch) -> torch.Tensor:
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
        for name in (f"epoch-{self.epoch}", "model"):
            with atomic.beside(self.out / f"{name}.safetensors") as part:
                save_file(learnt, part)
        state = {
            "epoch": self.epoch, "step": self.step, "spent": self.spent,
            "optimizer": self.optimizer.state_dict(), "random": torch.get_rng_state(),
        }  # fmt: skip
        with atomic.beside(self.out / "state.pt") as part:
            torch.save(state, part)

    def resume(self) -> None:
        """Go on after the last whole epoch, if the folder holds one; raises `Halt` where the rows
        of its head are for other tags.
        """
        if not (self.out / "state.pt").exists():
            return
        if (self.out / "tags.txt").exists() and read_tags(self.out) != self.tags:
            raise Halt("checkpoint.keys", f"{self.out.name} has other tags: its corpora changed")
        state = torch.load(self.out / "state.pt", weights_only=True)
        self.epoch, self.step, self.spent = state["epoch"], state["step"], state["spent"]
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.model.load_learnt(self.out / f"epoch-{self.epoch}.safetensors")
        say(f"{self.run.name}: goes on after epoch {self.epoch}")


def _tags(
    run: BertRun, notes: Sequence[AnnotatedNote], beside: Sequence[AnnotatedNote]
) -> tuple[str, ...]:
    """The tags that a run's notes have, and behind them those that only the notes beside have."""
    tags = tag_set(notes, run.language, run.data.labels)
    if beside:
        tags += tuple(t for t in tag_set(beside, beside[0].language) if t not in tags)
    return tags


def _start(name: str, runs: Path) -> tuple[tuple[str, ...], Path]:
    """Tags and weights to go on from: a run's in `runs`, or `served:MODEL` of the repository."""
    if name.startswith(trunks.SERVED):
        served = manifests.load(trunks.repository(), name.removeprefix(trunks.SERVED), hashes=False)
        return served.labels, served.directory / "weights.safetensors"
    return read_tags(runs / name), runs / name / "model.safetensors"


def say(line: str) -> None:
    """One line of progress."""
    print(line, flush=True)  # noqa: T201 - a training run's progress


def train(recipe_path: Path, out: Path, data: Path) -> None:
    """Run a recipe; goes on where an earlier run in `out` was stopped.

    `data`: the folder that the recipe's corpora, trunk and gazetteers lie under. Raises `Halt`
    where the recipe or a corpus is wrong.
    """
    Trainer(BertRun.read(recipe_path), out, data).train()
