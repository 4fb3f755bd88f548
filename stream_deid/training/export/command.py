"""`stream-deid models export`: a trained run into the model repository, as it is to be served."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stream_deid import config
from stream_deid.errors import Halt
from stream_deid.training import recipe as recipes
from stream_deid.training.export.choice import Choice

_OF_THE_PROGRAM = ("crf", "pairs")


@dataclass(frozen=True, slots=True)
class Trained:
    """What is exported: the file of its recipe, the folder of its run, and that of the corpora."""

    recipe: Path
    run: Path
    data: Path


def main(recipe: str, run: Path, repo: Path, choice: Choice | None) -> int:
    """Write the model's folder; `models build` makes its engine. The judge of pairs and the feature
    CRF are part of the program instead, and need neither.

    Raises `Halt`: `export.system` for systems that are scored but not served, `export.choice` where
    nobody has said what the development notes decided.
    """
    path = recipes.find(recipe)
    system = str(recipes.read(path)["system"])
    if system in _OF_THE_PROGRAM:
        from stream_deid.training.run import crf, pairs  # noqa: PLC0415 - slow to import

        file = crf.export(path, run) if system == "crf" else pairs.export(path, run)
        sys.stdout.write(f"wrote {file}: a restart takes it\n")
        return 0
    if choice is None or not (choice.version or system == "stacking"):
        raise Halt("export.choice", f"{system}: --version and --o-bias are needed")
    data = config.data_dir()
    if system not in _EXPORTERS:
        raise Halt(
            "export.system",
            f"{system} has no engine: {', '.join(sorted({*_EXPORTERS, *_OF_THE_PROGRAM}))} do",
        )
    folder = _EXPORTERS[system](Trained(path, run, data), repo, choice)
    sys.stdout.write(f"wrote {folder.name}: now `stream-deid models check --write` and `build`\n")
    return 0


def _bert(trained: Trained, repo: Path, choice: Choice) -> Path:
    from stream_deid.training import bert_recipe  # noqa: PLC0415 - slow to import, as all below
    from stream_deid.training.export import bert  # noqa: PLC0415

    read = bert_recipe.BertRun.read(trained.recipe)
    return bert.export(read, trained.run, repo, trained.data, choice)


def _heads(trained: Trained, repo: Path, choice: Choice) -> Path:
    from stream_deid.training import bert_recipe  # noqa: PLC0415
    from stream_deid.training.export import heads  # noqa: PLC0415

    return heads.export(bert_recipe.BertRun.read(trained.recipe), trained.run, repo, choice)


def _tagger(trained: Trained, repo: Path, choice: Choice) -> Path:
    from stream_deid.training.export import tagger as export_tagger  # noqa: PLC0415
    from stream_deid.training.run import tagger  # noqa: PLC0415

    opened = tagger.open_run(trained.recipe, trained.run, trained.data)
    return export_tagger.export(opened, repo, choice)


def _stacking(trained: Trained, repo: Path, choice: Choice) -> Path:
    from stream_deid.training.run import stacking  # noqa: PLC0415

    return stacking.export(trained.recipe, trained.run, repo, choice.o_bias)


_EXPORTERS: dict[str, Callable[[Trained, Path, Choice], Path]] = {
    "bert": _bert,
    "bilstm": _tagger,
    "e2ej": _tagger,
    "heads": _heads,
    "skeleton": _tagger,
    "stacking": _stacking,
}


def figures(path: Path | None) -> dict[str, Any]:
    """The figures of a JSON file, or none."""
    try:
        parsed: dict[str, Any] = json.loads(path.read_text("utf-8-sig")) if path else {}
    except (OSError, ValueError) as error:
        raise Halt("export.figures", f"{path}: {error}") from None
    return parsed
