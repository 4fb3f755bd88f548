"""`stream-deid train`: one recipe, one run; its `system` decides which trainer reads it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from stream_deid.errors import Halt
from stream_deid.training import recipe as recipes

SYSTEMS = {
    **{one: f"run.{one}" for one in ("bert", "crf", "heads", "pairs", "stacking", "word2vec")},
    **dict.fromkeys(("bilstm", "e2ej", "skeleton"), "train_tagger"),
}
"""Recipe's `system` to the module whose `train(recipe, out, data)` runs it."""


def main(recipe: str, out: Path, data: Path) -> int:
    """Train, or go on with a run that was broken off; the result lies in `out`.

    Raises `Halt("recipe....")` where there is no such recipe or system.
    """
    path = recipes.find(recipe)
    system = str(recipes.read(path)["system"])
    if system not in SYSTEMS:
        known = ", ".join(sorted(SYSTEMS))
        raise Halt("recipe.system", f"{path.name}: no system {system!r}; there are {known}")
    module = import_module(f"stream_deid.training.{SYSTEMS[system]}")
    train: Callable[[Path, Path, Path], None] = module.train
    train(path, out, data)
    return 0
