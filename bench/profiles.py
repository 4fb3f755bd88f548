"""The profiles side by side on the same notes: recall, precision and what they cost.

The whole pipeline in this process, on the engines that serve, in turns; seconds are those of the
processor, so that other work on the machine matters little. Parts of the ensemble are taken away
one by one.

    .venv-training/bin/python bench/profiles.py [GOLD] [--rounds 2] [--most 1000]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from fast_paths import Run, run

from stream_deid.detect.fast import paths
from stream_deid.detect.fast.paths import FastPaths
from stream_deid.detect.neural.ensemble import Ensemble, shipped
from stream_deid.training import recipe as recipes
from stream_deid.training.run import engines
from stream_deid.training.scores import tables

GOLD = "jsonl:en:corpora/dev/en_dev.jsonl"
ENGINES = {"bert_en": "openvino", "bilstm_crf_en": "onnx"}
Variant = tuple[FastPaths | None, Ensemble | None]


def variants() -> dict[str, Variant]:
    """The default, the ensemble, and it without each of its parts."""
    whole = shipped("nference")["en"]
    fast = paths.chosen(whole.fast_paths, "en")
    plain = tuple(version for version in whole.versions if not version.normalised)
    four = tuple(
        replace(one, entities={k: v for k, v in one.entities.items() if k != "rest"})
        for one in whole.versions
    )
    return {
        "default": (None, None),
        "nference": (fast, whole),
        "without fast paths": (None, whole),
        "without normalised names": (fast, replace(whole, versions=plain)),
        "the paper's four entities": (fast, replace(whole, versions=four)),
    }


def main(gold: str, rounds: int, most: int) -> None:
    """Print a table: a row for each variant, seconds of its best round."""
    notes = recipes.load(gold, Path())[:most]
    served = [
        engines.engine(f"{kind}:triton_models/{name}", Path()) for name, kind in ENGINES.items()
    ]
    runs: dict[str, list[Run]] = defaultdict(list)
    for _ in range(rounds):
        for name, (fast, ensemble) in variants().items():
            specs = [spec for spec, _ in served]
            ready = ensemble.prepared(specs) if ensemble else specs
            engines = [(spec, emit) for spec, (_, emit) in zip(ready, served, strict=True)]
            runs[name].append(run(notes, engines, fast, ensemble))
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
    chosen = parser.parse_args()
    main(chosen.gold, chosen.rounds, chosen.most)
