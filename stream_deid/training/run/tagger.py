"""One run of a word-and-character tagger: recipe in; checkpoint, manifest and vocabulary out.

The folder of a run holds `vocabulary.json` and `counts.json` (written first: a run that goes on
must know the same words), `checkpoint.pt`, and at the end `figures.json`, the scores on the
development corpora. `TaggerRun.manifest` is what `detect.models.ModelSpec.from_manifest` reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from stream_deid import atomic
from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.errors import Halt
from stream_deid.labels import label_type
from stream_deid.note import Window
from stream_deid.text import bio
from stream_deid.text.wordchar import MAX_CHARS
from stream_deid.training import recipe as recipes
from stream_deid.training.data import vocabulary
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.data.epochs import CorpusAugmenting, EpochNotes, varied
from stream_deid.training.data.vocabulary import Inventory
from stream_deid.training.data.word_batches import EncodedCorpus, WordBatch
from stream_deid.training.data.word_vectors import SUFFIXES, TextVectors
from stream_deid.training.models import trunks
from stream_deid.training.models.bilstm import unknown_at_random
from stream_deid.training.run.fit import FitSchedule, fit, say
from stream_deid.training.run.stopping import Best
from stream_deid.training.scores.counts import Score, total
from stream_deid.training.scores.offline import Emitter, predict, score_notes

QUESTIONS = ("ner", "span", "span.merged", "token.all", "token.B")
BEST = "best.pt"
_EMIT_BATCH = 32
_DRAWS_COUNTED = 2  # epochs whose drawn words join the vocabulary


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """The `[model]` table of a recipe. `vectors` names a trunk, or a file of word vectors (GloVe,
    word2vec) here or in the folder of data; empty for learned vectors.
    """

    name: str
    version: str
    languages: tuple[str, ...]
    window: int = 128
    overlap: int = 40
    vectors: str = ""
    check_every: int = 5


def _word_vectors(name: str, data: Path) -> vocabulary.TrunkPieces | TextVectors | None:
    if not name:
        return None
    if name.endswith(SUFFIXES):
        return TextVectors(Path(name) if Path(name).is_file() else data / name)
    return vocabulary.TrunkPieces(Path(trunks.find(name, data)))


MakeModel = Callable[[Inventory, int, dict[str, Any], Tensor | None], nn.Module]


class TaggerRun:
    """Everything that a recipe says, loaded; `train` does the work."""

    def __init__(self, recipe: str | Path, out: Path, data: Path, make: MakeModel) -> None:
        table = recipes.read(recipes.find(recipe))
        self.out = out
        self.tagger = recipes.settings(TaggerSettings, table["model"], "model")
        self.schedule = recipes.settings(FitSchedule, table.get("schedule", {}), "schedule")
        self.sizes = table.get("sizes", {})
        self.sources = recipes.settings(recipes.Data, table["data"], "data")
        self.data = data
        notes = [unify(n) for n in recipes.train_notes(self.sources, data)]
        self.held = recipes.part(notes, self.sources.held) if self.sources.held else []
        back = {n.id for n in self.held}
        self.notes = [n for n in notes if n.id not in back]
        names = sorted({label for n in self.notes for _, _, label in n.spans})
        for name in names:
            label_type(name)
        self.tags = bio.tag_names(names)
        self.vary = self._notes_of_epochs(table["augment"]) if "augment" in table else None
        self.words = _word_vectors(self.tagger.vectors, data)
        self.inventory = Inventory.saved(out) or self._inventory()
        self.encoder = self.inventory.encoder
        self.model = make(self.inventory, len(self.tags), self.sizes, self._vectors())

    def _notes_of_epochs(self, table: dict[str, Any]) -> EpochNotes:
        augmenting = recipes.settings(CorpusAugmenting, table, "augment")
        if self.held or self.sources.share < 1:
            raise Halt("recipe.augment", "parts of the notes go without drawn values")
        chosen = augmenting.sources or self.sources.train
        if unknown := [s for s in chosen if s not in self.sources.train]:
            raise Halt("recipe.augment", f"not among the training data: {', '.join(unknown)}")
        fixed = tuple(s for s in self.sources.train if s not in chosen)
        kept, changed = (
            [unify(n) for n in recipes.load_all(sources, self.data)] for sources in (fixed, chosen)
        )
        return varied(kept, changed, augmenting, self.schedule.seed, self.data)

    def _inventory(self) -> Inventory:
        """The words of the notes as written, and of two epochs' variants where they are drawn."""
        counts = vocabulary.count_words(self.notes)
        for epoch in range(_DRAWS_COUNTED if self.vary else 0):
            drawn = vocabulary.count_words(self._drawn(epoch))
            counts.update({w: n for w, n in drawn.items() if w not in counts})
        extra = self.words.whole_words() if self.words else ()
        return Inventory(vocabulary.build(counts, extra), counts)

    def _vectors(self) -> Tensor | None:
        if self.words is None:
            return None
        fixed = self.words.vectors(self.encoder.words)
        special = np.zeros((3, fixed.shape[1]), dtype=np.float32)
        return torch.from_numpy(np.concatenate([special, fixed]))

    def train(self) -> None:
        """Fit, score on the development corpora, write manifest and vocabulary."""
        self._begin()
        once = torch.from_numpy(self.inventory.once())
        fixed = None if self.vary else EncodedCorpus(self.notes, self.encoder, self.tags)

        def epoch_batches(epoch: int) -> list[WordBatch]:
            rng = np.random.default_rng([self.schedule.seed, epoch])
            coins = torch.Generator().manual_seed(self.schedule.seed * 1000 + epoch)
            corpus = fixed or EncodedCorpus(self._drawn(epoch), self.encoder, self.tags)
            batches = corpus.epoch(self.tagger.window, self.schedule.batch, rng)
            rate = self.schedule.unknown_rate
            return [unknown_at_random(b, once, rate, coins) for b in batches]

        best = Best(self.out / BEST, self.schedule.patience) if self.held else None

        def after_epoch(epoch: int) -> bool:
            if best is not None:
                return best.enough(self.model, epoch, self._on_held())
            if (epoch + 1) % self.tagger.check_every == 0 and epoch + 1 < self.schedule.epochs:
                self.figures()
            return False

        fit(self.model, epoch_batches, self.schedule, self.out / "checkpoint.pt", after_epoch)
        if best is not None:
            say(f"best epoch: {best.restore(self.model)}")
        scores = self.figures()
        if not anything_found(scores.values()):
            say("nothing was learnt: try a lower `rate` in [schedule], or another `seed`")
        figures = {source: summary(score) for source, score in scores.items()}
        atomic.write(self.out / "figures.json", json.dumps(figures, indent=1) + "\n")

    def _begin(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        self.inventory.save(self.out)
        n_words = len(self.encoder.words)
        say(f"{len(self.notes)} notes, {n_words} words, {len(self.tags)} tags")

    def _drawn(self, epoch: int) -> list[AnnotatedNote]:
        return self.vary(epoch) if self.vary else self.notes

    def manifest(self) -> dict[str, Any]:
        """What the core needs of `manifest.json`; the CRF's scores as lists."""
        body: dict[str, Any] = {
            "name": self.tagger.name,
            "version": self.tagger.version,
            "kind": "wordchar",
            "languages": list(self.tagger.languages),
            "labels": list(self.tags),
            "window": self.tagger.window,
            "overlap": self.tagger.overlap,
            "vocabulary": "vocabulary.json",
        }
        crf = getattr(self.model, "crf", None)
        if crf is not None:
            names = ("transitions", "start", "end")
            arrays = {name: getattr(crf, name).detach().numpy().astype(float) for name in names}
            body["crf"] = {name: np.round(array, 4).tolist() for name, array in arrays.items()}
        return body

    def spec(self) -> ModelSpec:
        """The model as the core decodes it."""
        files = {"vocabulary.json": vocabulary.to_json(self.encoder)}
        return ModelSpec.from_manifest(self.manifest(), files)

    def figures(self) -> dict[str, Score]:
        """Scores of the model as it is on each development corpus."""
        self.model.eval()
        scores = {}
        for source in self.sources.dev:
            scores[source] = self._score(recipes.load(source, self.data))
            say(f"{source} {describe(scores[source])}")
        return scores

    def _score(self, notes: Sequence[AnnotatedNote]) -> Score:
        return total(score_notes(notes, predict(notes, (self.spec(), emitter(self.model)))))

    def _on_held(self) -> float:
        score = self._score(self.held)
        say(f"held back {describe(score)}")
        return score["token.all"].f1

    def resume(self) -> None:
        """Load the weights of the run: of its best epoch where it stopped early."""
        best = self.out / BEST
        path = best if best.exists() else self.out / "checkpoint.pt"
        if not path.exists():
            raise Halt("training.checkpoint", f"no checkpoint in {self.out.name}")
        self.model.load_state_dict(torch.load(path, weights_only=True)["model"])
        self.model.eval()


def open_run(recipe: str | Path, out: Path, data: Path) -> TaggerRun:
    """The run of any recipe of a word-and-character system."""
    system = str(recipes.read(recipes.find(recipe))["system"])
    make: MakeModel = import_module(f"stream_deid.training.models.{system}").make
    return TaggerRun(recipe, out, data, make)


def unify(note: AnnotatedNote) -> AnnotatedNote:
    """A pager is a telephone to the models."""
    spans = tuple((a, b, "PHONE" if label == "PAGER" else label) for a, b, label in note.spans)
    return AnnotatedNote(note.id, note.text, spans, note.language, note.note_type)


def to_batch(windows: Sequence[Window]) -> WordBatch:
    """Windows of a word-and-character model as one batch without tags."""
    lengths = np.array([len(w) for w in windows])
    words = np.zeros((len(windows), int(lengths.max())), dtype=np.int64)
    chars = np.zeros((*words.shape, MAX_CHARS), dtype=np.int64)
    for i, w in enumerate(windows):
        words[i, : len(w)] = w.inputs["words"]
        chars[i, : len(w)] = w.inputs["chars"]
    rows = chars.reshape(-1, MAX_CHARS)
    keys = rows.astype(np.int32).view(np.dtype((np.void, 4 * MAX_CHARS)))[:, 0]
    _, first, at = np.unique(keys, return_index=True, return_inverse=True)
    arrays = (words, rows[first], at.reshape(words.shape), lengths, np.zeros_like(words))
    return WordBatch(*(torch.from_numpy(a) for a in arrays))


def emitter(model: nn.Module) -> Emitter:
    """The torch model as an emitter."""

    def emit(windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        order = sorted(range(len(windows)), key=lambda i: len(windows[i]))
        out: dict[int, NDArray[np.float32]] = {}
        for at in range(0, len(order), _EMIT_BATCH):
            some = order[at : at + _EMIT_BATCH]
            with torch.inference_mode():
                emissions = model(to_batch([windows[i] for i in some])).numpy()
            out.update({i: emissions[row, : len(windows[i])] for row, i in enumerate(some)})
        return [out[i] for i in range(len(windows))]

    return emit


def summary(score: Score) -> dict[str, list[float]]:
    """Precision, recall and F1 of the main questions, as manifests keep them."""
    return {
        q: [round(v, 4) for v in (score[q].precision, score[q].recall, score[q].f1)]
        for q in QUESTIONS
    }


def anything_found(scores: Iterable[Score]) -> bool:
    """Whether a word of the gold was found; a rate that is too high can end in "O" throughout."""
    return any(score["token.all"].tp for score in scores)


def describe(score: Score) -> str:
    """One line of the main figures."""
    return "; ".join(f"{q} {' '.join(f'{v:.4f}' for v in vs)}" for q, vs in summary(score).items())


def threads() -> None:
    """One thread of torch unless `OMP_NUM_THREADS` says otherwise: two slow each other down."""
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
