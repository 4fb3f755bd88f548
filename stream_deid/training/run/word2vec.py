"""Word vectors from notes without marks: skip-gram with negative samples (Mikolov et al. 2013).

For `vectors` of a recipe, with the settings of Dernoncourt et al. 2017, 3.3 as defaults: window
10, at least 5 occurrences, 15 iterations, 10 negative samples. Frequent words are left out at
random and the window shrinks at random, as in Mikolov's program. Negative samples are drawn for
groups of pairs and not for each one, which makes them products of matrices. A run's folder holds
`vectors.vec`, in word2vec's text form; marks in the notes aren't read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.text.tokens import tokenize
from stream_deid.text.wordchar import word_key
from stream_deid.training import recipe as recipes
from stream_deid.training.data import vocabulary
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.run.fit import say

VECTORS = "vectors.vec"
_GROUP = 32  # pairs that share their negative samples
_POWER = 0.75  # of a word's frequency, for how often it is a negative sample
_LEAST_RATE = 1e-4  # of the first rate


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """The `[vectors]` table of a recipe; `sample`: the share from which on a word is frequent."""

    width: int = 100
    window: int = 10
    least: int = 5
    epochs: int = 15
    negative: int = 10
    sample: float = 1e-3
    rate: float = 0.025
    groups: int = 8
    seed: int = 1


class SkipGram:
    """The vectors of `words` in the order of their ids, and how they learn."""

    def __init__(self, notes: Sequence[AnnotatedNote], settings: VectorSettings) -> None:
        """Raises `Halt("vectors.words")` where no word occurs often enough."""
        self.settings = settings
        counts = vocabulary.count_words(notes)
        self.words = [w for w, n in counts.most_common() if n >= settings.least]
        if not self.words:
            raise Halt("vectors.words", f"no word occurs {settings.least} times")
        ids = {w: i for i, w in enumerate(self.words)}
        keys = [map(word_key, tokenize(note.text).words) for note in notes]
        self._texts = [np.array([ids[k] for k in of if k in ids], dtype=np.int64) for of in keys]
        often = np.array([counts[w] for w in self.words], dtype=float)
        share = settings.sample * often.sum() / often
        self._kept = np.minimum(np.sqrt(share) + share, 1)
        self._drawn = np.cumsum(often**_POWER / (often**_POWER).sum())
        start = torch.Generator().manual_seed(settings.seed)
        shape = (len(self.words), settings.width)
        self.vectors = (torch.rand(shape, generator=start) - 0.5) / settings.width
        self._contexts = torch.zeros(shape)

    def epoch(self, number: int) -> float:
        """One pass over all pairs; the mean loss of a pair."""
        rng = np.random.default_rng([self.settings.seed, number])
        pairs = rng.permutation(np.concatenate([self._pairs(t, rng) for t in self._texts]))
        pairs = pairs[: len(pairs) // _GROUP * _GROUP]
        size = _GROUP * self.settings.groups
        batches = [pairs[at : at + size] for at in range(0, len(pairs), size)]
        lost = 0.0
        for i, batch in enumerate(batches):
            done = (number + i / len(batches)) / self.settings.epochs
            draws = rng.random((len(batch) // _GROUP, self.settings.negative))
            others = np.searchsorted(self._drawn, draws).clip(max=len(self.words) - 1)
            rate = self.settings.rate * max(1 - done, _LEAST_RATE)
            lost += self._learn(torch.from_numpy(batch), torch.from_numpy(others), rate)
        return lost / max(len(pairs), 1)

    def _pairs(self, text: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Word and neighbour [n, 2], frequent words left out at random."""
        text = text[rng.random(len(text)) < self._kept[text]]
        reach = rng.integers(1, self.settings.window + 1, len(text))
        found = [np.zeros((0, 2), dtype=np.int64)]
        for step in range(1, min(self.settings.window + 1, len(text))):
            left, right = text[:-step], text[step:]
            ahead, behind = reach[:-step] >= step, reach[step:] >= step
            found.append(np.stack([left[ahead], right[ahead]], 1))
            found.append(np.stack([right[behind], left[behind]], 1))
        return np.concatenate(found)

    def _learn(self, pairs: Tensor, others: Tensor, rate: float) -> float:
        """One step on `pairs` [n, 2] and negative samples [n / _GROUP, k]; the loss of all."""
        words, neighbours = pairs[:, 0], pairs[:, 1]
        own, beside = self.vectors[words], self._contexts[neighbours]
        false = self._contexts[others]
        grouped = own.view(len(others), -1, own.shape[1])
        near, far = (own * beside).sum(1), grouped @ false.transpose(1, 2)
        pull, push = torch.sigmoid(-near)[:, None], torch.sigmoid(far)
        self.vectors.index_add_(0, words, rate * (pull * beside - (push @ false).view_as(own)))
        self._contexts.index_add_(0, neighbours, rate * pull * own)
        away = (push.transpose(1, 2) @ grouped).view(-1, own.shape[1])
        self._contexts.index_add_(0, others.view(-1), -rate * away)
        lost = torch.nn.functional.softplus(-near).sum() + torch.nn.functional.softplus(far).sum()
        return float(lost)


def train(recipe: Path, out: Path, data: Path) -> None:
    """Make the vectors of a recipe's training notes."""
    table = recipes.read(recipe)
    settings = recipes.settings(VectorSettings, table.get("vectors", {}), "vectors")
    sources = recipes.settings(recipes.Data, table["data"], "data")
    notes = recipes.train_notes(sources, data)
    grams = SkipGram(notes, settings)
    say(f"{len(notes)} notes, {len(grams.words)} words")
    for number in range(settings.epochs):
        say(f"epoch {number + 1}/{settings.epochs}: loss {grams.epoch(number):.4f}")
    out.mkdir(parents=True, exist_ok=True)
    lines = [f"{len(grams.words)} {settings.width}"]
    for word, row in zip(grams.words, grams.vectors.tolist(), strict=True):
        lines.append(" ".join([word, *(f"{v:.4f}" for v in row)]))
    atomic.write(out / VECTORS, "\n".join(lines) + "\n")
