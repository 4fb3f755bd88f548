"""A BERT recipe, read and checked: trunk, corpora, schedule and augmentation of one run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stream_deid.errors import Halt
from stream_deid.training import recipe as recipes
from stream_deid.training.data.augment import Augmenting


@dataclass(frozen=True, slots=True)
class TrunkSettings:
    """`[model]` of a recipe. `trunk`: as `trunks.find` reads it; `rounded`: its embeddings are
    rounded to 4 bits; `start`: the earlier run to go on from, a folder beside this one's, or
    `served:MODEL`, the committed weights of the model repository, with the head where the tags are
    the same; `borrow`: another model on the trunk, named likewise: what its layers have learnt
    since the trunk is added to those of `start`, `borrowed` times (task arithmetic: Ilharco et al.
    2023); `titled`: as `SubwordEncoder` has it.
    """

    trunk: str
    start: str = ""
    borrow: str = ""
    borrowed: float = 0.0
    rounded: bool = False
    window: int = 256
    overlap: int = 64
    line_spans: bool = True
    frozen_layers: int = 0
    titled: bool = False


@dataclass(frozen=True, slots=True)
class HeadSettings:
    """`[heads]` of a recipe: one head for each entity and version, all on one frozen trunk.

    `entities`: the labels of each, with a head of its own in each version; `versions`: the layer
    whose hidden states a version reads (the last: the number of layers); `width`: of a head's one
    hidden layer, which sees a piece and its two neighbours. `joins`: the model that exported heads
    are set beside the ones of, in place of a model of their own.
    """

    entities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)
    width: int = 64
    joins: str = ""

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Labels by head, `ENTITY-VERSION`: all of the first version, then of the next."""
        return {
            f"{name}-{version}": tuple(labels)
            for version in self.versions
            for name, labels in self.entities.items()
        }


@dataclass(frozen=True, slots=True)
class Training:
    """`[training]` of a recipe; `minutes` 0: no limit; `bf16`: where the processor has it."""

    epochs: int = 6
    rate: float = 3e-4
    head_rate: float = 1e-3
    layer_decay: float = 0.9
    warm_up: float = 0.1
    batch: int = 8
    clip: float = 1.0
    weight_decay: float = 0.01
    mask: float = 0.05
    minutes: float = 0.0
    threads: int = 1
    bf16: bool = True


@dataclass(frozen=True, slots=True)
class Sources:
    """`[data]` of a recipe; `dev_sample`: notes of each dev corpus scored after an epoch.

    `replay`: corpora of earlier rounds, of which each epoch sees a `replay_share` of the notes.
    `beside`: corpora of another language, of which each epoch sees a `beside_share` of the notes:
    their tags are learnt too, and left out where the model is exported.
    `carriers`: unmarked clinical texts (`corpora.plain`) or marked ones (as in `train`), of which
    `inserted` notes an epoch are composed with marked lines of `train` (`insertion.Insertion`).
    `labels`: the ones that the model learns, all where empty.
    """

    train: tuple[str, ...]
    replay: tuple[str, ...] = ()
    replay_share: float = 0.5
    beside: tuple[str, ...] = ()
    beside_share: float = 0.5
    carriers: tuple[str, ...] = ()
    inserted: int = 0
    dev: tuple[str, ...] = ()
    dev_sample: int = 0
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BertRun:
    """A recipe, read and checked."""

    name: str
    language: str
    seed: int
    data: Sources
    model: TrunkSettings
    training: Training
    augment: Augmenting
    heads: HeadSettings = field(default_factory=HeadSettings)

    @classmethod
    def read(cls, path: Path) -> BertRun:
        table = recipes.read(path)
        unknown = set(table) - {
            "system", "name", "language", "seed", "data", "model", "training", "augment", "heads"
        }  # fmt: skip
        if unknown or table["system"] != ("heads" if "heads" in table else "bert"):
            raise Halt(
                "recipe.key", f"{path.name}: unknown {sorted(unknown)}, or not a bert recipe"
            )
        if "heads" in table and table["data"].get("beside"):
            raise Halt("recipe.key", f"{path.name}: heads learn no notes beside their own")
        return cls(
            str(table["name"]),
            str(table["language"]),
            int(table["seed"]),
            recipes.settings(Sources, table["data"], "data"),
            recipes.settings(TrunkSettings, table["model"], "model"),
            recipes.settings(Training, table.get("training", {}), "training"),
            recipes.settings(Augmenting, table.get("augment", {}), "augment"),
            recipes.settings(HeadSettings, table.get("heads", {}), "heads"),
        )
