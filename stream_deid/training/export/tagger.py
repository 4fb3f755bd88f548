"""From a trained word-and-character tagger to the files that Triton serves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import onnx
from torch import nn

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.serving import manifest as manifests
from stream_deid.training.data import vocabulary
from stream_deid.training.export import bilstm_crf, e2ej, skeleton
from stream_deid.training.export.choice import Choice
from stream_deid.training.export.onnx_graph import INPUTS
from stream_deid.training.models.bilstm import BiLstmCrf
from stream_deid.training.models.e2ej import E2ej
from stream_deid.training.models.skeleton import SkeletonRnn
from stream_deid.training.run.tagger import TaggerRun

BUCKETS = (32, 64, 128)
GRAPH = "1/model.onnx"


def build(model: nn.Module) -> onnx.ModelProto:
    """The graph of any of the models; raises `Halt("export.system")` for one that has none."""
    if isinstance(model, BiLstmCrf):
        return bilstm_crf.build(model)
    if isinstance(model, E2ej):
        return e2ej.build(model)
    if isinstance(model, SkeletonRnn):
        return skeleton.build(model)
    raise Halt("export.system", f"{type(model).__name__} has no graph")


def manifest(run: TaggerRun, folder: Path, choice: Choice | None = None) -> dict[str, Any]:
    """The whole manifest: what the core needs, what serving needs, hashes and figures."""
    scored = run.out / "figures.json"
    figures = json.loads(scored.read_bytes()) if scored.exists() else {}
    chosen = {}
    if choice is not None:
        chosen = {"version": choice.version, "o_bias": choice.o_bias, "weight": choice.weight}
        figures = choice.figures or figures
    return {
        **run.manifest(),
        **chosen,
        "buckets": [b for b in BUCKETS if b < run.tagger.window] + [run.tagger.window],
        "inputs": [
            {"name": one.name, "dtype": "INT32", "dims": [-1, *INPUTS[one.name]]}
            for one in onnx.load(folder / GRAPH).graph.input
        ],
        "output": {"name": "emissions", "dtype": "FP32"},
        "engine": {"cpu": "onnxruntime", "file": GRAPH, "onnx": GRAPH},
        "files": {name: manifests.sha256(folder / name) for name in (GRAPH, "vocabulary.json")},
        "sources": list(run.sources.train),
        "figures": figures,
    }


def export(run: TaggerRun, repository: Path, choice: Choice | None = None) -> Path:
    """Write a trained run into a Triton model repository; returns the model's folder.

    `<name>/1/model.onnx`, `<name>/vocabulary.json`, `<name>/manifest.json`.
    """
    folder = repository / run.tagger.name
    (folder / "1").mkdir(parents=True, exist_ok=True)
    run.resume()
    with atomic.beside(folder / GRAPH) as part:
        onnx.save(build(run.model), part)
    atomic.write(folder / "vocabulary.json", vocabulary.to_json(run.encoder))
    text = json.dumps(manifest(run, folder, choice), ensure_ascii=False, indent=1)
    atomic.write(folder / manifests.FILE, _flat_numbers(text) + "\n")
    return folder


def _flat_numbers(text: str) -> str:
    """Lists of numbers on one line: a transition matrix is not read number by number."""
    return re.sub(
        r"\[\s+(-?[\d.e-]+(?:,\s+-?[\d.e-]+)*)\s+\]",
        lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]",
        text,
    )
