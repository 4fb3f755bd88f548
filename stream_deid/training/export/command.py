"""`stream-deid models export`: a trained run into the model repository, as it is to be served."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from stream_deid import config
from stream_deid.errors import Halt
from stream_deid.training import recipe as recipes
from stream_deid.training.export.choice import Choice

_OF_THE_PROGRAM = ("crf", "pairs")


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
    if system == "bert":
        from stream_deid.training import bert_recipe  # noqa: PLC0415 - slow to import
        from stream_deid.training.export import bert as export_bert  # noqa: PLC0415 - slow to import

        folder = export_bert.export(bert_recipe.BertRun.read(path), run, repo, data, choice)
    elif system == "heads":
        from stream_deid.training import bert_recipe  # noqa: PLC0415 - slow to import
        from stream_deid.training.export import heads as export_heads  # noqa: PLC0415 - slow to import

        folder = export_heads.export(bert_recipe.BertRun.read(path), run, repo, choice)
    elif system in {"bilstm", "e2ej", "skeleton"}:
        from stream_deid.training.export import tagger as export_tagger  # noqa: PLC0415 - slow to import
        from stream_deid.training.run import tagger  # noqa: PLC0415 - slow to import

        folder = export_tagger.export(tagger.open_run(path, run, data), repo, choice)
    elif system == "stacking":
        from stream_deid.training.run import stacking  # noqa: PLC0415 - slow to import

        folder = stacking.export(path, run, repo, choice.o_bias)
    else:
        raise Halt(
            "export.system",
            f"{system} has no engine: bert, bilstm, crf, e2ej, heads, pairs, skeleton, stacking do",
        )
    sys.stdout.write(f"wrote {folder.name}: now `stream-deid models check --write` and `build`\n")
    return 0


def figures(path: Path | None) -> dict[str, Any]:
    """The figures of a JSON file, or none."""
    try:
        parsed: dict[str, Any] = json.loads(path.read_text("utf-8-sig")) if path else {}
    except (OSError, ValueError) as error:
        raise Halt("export.figures", f"{path}: {error}") from None
    return parsed
