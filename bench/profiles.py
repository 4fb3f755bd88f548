"""The profiles side by side on the same notes: recall, precision and what they cost.

The whole pipeline in this process, on the engines that serve, in turns; seconds are those of the
processor, so that other work on the machine matters little. Parts of the ensemble are taken away
one by one. "A model each": the votes of the heads, at the cost of as many whole models, each with a
pass of its own.

    .venv-training/bin/python bench/profiles.py [GOLD] [--rounds 2] [--most 1000]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from fast_paths import Run, run
from numpy.typing import NDArray

from stream_deid.detect.fast import paths
from stream_deid.detect.fast.paths import FastPaths
from stream_deid.detect.neural.ensemble import Ensemble, shipped
from stream_deid.note import Hearing, Window
from stream_deid.training import recipe as recipes
from stream_deid.training.run.engines import engine
from stream_deid.training.scores import tables
from stream_deid.training.scores.offline import Emitter

GOLD = "jsonl:en:corpora/dev/en_dev.jsonl"
POOL = ("openvino:triton_models/bert_en", "onnx:triton_models/bilstm_crf_en")
HEADS = ("openvino:triton_models/nference_en",)
APART = ", a model each"
Variant = tuple[Sequence[str], FastPaths | None, Ensemble | None]


def variants() -> dict[str, Variant]:
    """The default, both ensembles, and them without each of their parts."""
    found: dict[str, Variant] = {"default": (POOL, None, None)}
    for name, models in (("nference", POOL), ("nference-heads", HEADS)):
        whole = shipped(name)["en"]
        fast = paths.chosen(whole.fast_paths, "en")
        plain = tuple(version for version in whole.versions if not version.normalised)
        four = tuple(
            replace(one, entities={k: v for k, v in one.entities.items() if k != "rest"})
            for one in whole.versions
        )
        found |= {
            name: (models, fast, whole),
            f"{name}, without fast paths": (models, None, whole),
            f"{name}, without normalised names": (models, fast, replace(whole, versions=plain)),
            f"{name}, the paper's four entities": (models, fast, replace(whole, versions=four)),
        }
    models, fast, whole = found["nference-heads"]
    return found | {f"nference-heads{APART}": (models, fast, whole)}


def apart(emit: Emitter, ensemble: Ensemble) -> Emitter:
    """What a model of many heads says, at the cost of a pass for each of those that read."""
    of = {True: 0, False: 0}
    for version in ensemble.versions:
        of[version.normalised] += len(version.entities)

    def each(windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        for again, models in of.items():
            mine = [one for one in windows if (one.hearing is Hearing.NORMALISED) is again]
            for _ in range(models - 1 if mine else 0):
                emit(mine)
        return emit(windows)

    return each


def main(gold: str, rounds: int, most: int, only: str) -> None:
    """Print a table: a row for each variant, seconds of its best round."""
    notes = recipes.load(gold, Path())[:most]
    wanted = {name: of for name, of in variants().items() if only in name}
    served = {model: engine(model, Path()) for models, *_ in wanted.values() for model in models}
    runs: dict[str, list[Run]] = defaultdict(list)
    for _ in range(rounds):
        for name, (models, fast, ensemble) in wanted.items():
            specs, emitters = zip(*(served[model] for model in models), strict=True)
            ready = ensemble.prepared(specs) if ensemble else specs
            if ensemble and name.endswith(APART):
                emitters = tuple(apart(emit, ensemble) for emit in emitters)
            pool = list(zip(ready, emitters, strict=True))
            runs[name].append(run(notes, pool, fast, ensemble))
    rows = []
    for name, mine in runs.items():
        best = min(mine, key=lambda one: sum(one.seconds.values()))
        count = best.score["token.B"]
        stages = [f"{best.seconds[stage]:.1f}" for stage in ("begin", "models", "finish")]
        rate = len(notes) / sum(best.seconds.values())
        rows.append([name, f"{count.recall:.4f}", f"{count.precision:.4f}", *stages, f"{rate:.2f}"])
    header = ["profile", "recall", "precision", "begin s", "models s", "finish s", "notes/s"]
    print(tables.markdown(header, rows))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", nargs="?", default=GOLD)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--most", type=int, default=1000, help="notes at most")
    parser.add_argument("--only", default="", help="variants whose names hold this")
    chosen = parser.parse_args()
    main(chosen.gold, chosen.rounds, chosen.most, chosen.only)
