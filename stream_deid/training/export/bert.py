"""From a trained BERT tagger to the files that serving builds engines from.

Writes `<repo>/<model>/{weights.safetensors, calibration.json, tokenizer.json, manifest.json}` and
`<repo>/shared/<trunk>.safetensors` (the frozen embeddings, once for all models on a trunk).
`serving/build/cpu.py` says how engines are made of them.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file
from safetensors.numpy import save_file as save_arrays
from safetensors.torch import load_file as load_tensors
from safetensors.torch import save_file

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.serving import manifest as manifests
from stream_deid.serving.build.packing import pack
from stream_deid.text.subword import SubwordEncoder
from stream_deid.training import recipe as recipes
from stream_deid.training.bert_recipe import BertRun
from stream_deid.training.data.batches import examples
from stream_deid.training.export.choice import Choice
from stream_deid.training.models import trunks
from stream_deid.training.models.bert import BertTagger, tagger_of

BUCKETS = (32, 64, 128, 192, 256)
CALIBRATION_WINDOWS = 64


def export(run: BertRun, trained: Path, repo: Path, data: Path, choice: Choice) -> Path:
    """Write the files of one model; returns its folder.

    Raises `Halt("export.share")` where the model that the repository holds is of another shape.
    """
    trunk = trunks.find(run.model.trunk, data)
    tags, model = tagger_of(run, trained, trunk)
    folder = repo / run.name
    folder.mkdir(parents=True, exist_ok=True)
    atomic.write(folder / ".gitignore", "1/\n")
    weights = folder / "weights.safetensors"
    save_half(_mean(model.learnt(), weights, choice.share), weights)
    shared = repo / "shared" / f"{trunks.file_name(run.model.trunk)}.safetensors"
    save_embeddings(model, shared)
    definition = trunks.tokenizer_json(trunk)
    atomic.write(folder / "tokenizer.json", definition)
    rows = calibration(run, tags, SubwordEncoder(definition, titled=run.model.titled), data)
    atomic.write(folder / "calibration.json", json.dumps(rows, separators=(",", ":")))
    body = manifest(run, tags, model, shared, choice)
    atomic.write(folder / manifests.FILE, json.dumps(body, indent=1) + "\n")
    return folder


def _mean(learnt: dict[str, torch.Tensor], served: Path, share: float) -> dict[str, torch.Tensor]:
    if share == 1.0:
        return learnt
    other = load_tensors(served) if served.exists() else {}
    if {k: v.shape for k, v in other.items()} != {k: v.shape for k, v in learnt.items()}:
        raise Halt("export.share", f"{served.parent.name}: the repository holds no such model")
    return {k: v.float() * share + other[k].float() * (1 - share) for k, v in learnt.items()}


def save_half(tensors: dict[str, torch.Tensor], path: Path) -> None:
    """Tensors as fp16."""
    with atomic.beside(path) as part:
        save_file({k: v.half().contiguous() for k, v in tensors.items()}, part)
        part.chmod(0o644)


def save_embeddings(model: BertTagger, path: Path) -> None:
    """The frozen embeddings; a file that is there must hold the same ones."""
    own = {
        f"trunk.embeddings.{k}": v.half().contiguous().numpy()
        for k, v in model.trunk.embeddings.named_parameters()
    }
    packed: dict[str, NDArray[Any]] = {}
    for name, table in own.items():
        packed |= pack(name, table)
    if path.exists():
        there = load_file(path)
        same = there.keys() == packed.keys()
        if not same or any(not np.array_equal(there[k], packed[k]) for k in packed):
            raise Halt("export.embeddings", f"{path.name} holds others: they were not frozen")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic.beside(path) as part:
        save_arrays(packed, part)
        part.chmod(0o644)


def calibration(
    run: BertRun, tags: tuple[str, ...], encoder: SubwordEncoder, data: Path
) -> list[list[int]]:
    """Piece ids of windows of training notes that may be published (the project's own)."""
    sources = tuple(s for s in dict.fromkeys(run.data.train) if ":corpora/" in s)
    rng = random.Random(run.seed)
    notes = recipes.load_all(sources, data)
    rng.shuffle(notes)
    found = (
        e.ids.tolist()
        for note in notes
        for e in examples(note, encoder, tags, window=run.model.window, rng=rng)
        if len(e) >= 48
    )
    return [ids for ids, _ in zip(found, range(CALIBRATION_WINDOWS), strict=False)]


def manifest(
    run: BertRun,
    tags: tuple[str, ...],
    model: BertTagger,
    shared: Path,
    choice: Choice,
) -> dict[str, Any]:
    """What `manifest.json` says."""
    config = model.trunk.config
    folder = shared.parents[1] / run.name
    files = ("weights.safetensors", "calibration.json", "tokenizer.json")
    return {
        "name": run.name,
        "version": choice.version,
        "kind": "subword",
        "languages": [run.language],
        "labels": list(tags),
        "window": run.model.window,
        "overlap": run.model.overlap,
        "o_bias": choice.o_bias,
        "weight": choice.weight,
        "line_spans": run.model.line_spans,
        "titled": run.model.titled,
        "tokenizer": "tokenizer.json",
        "buckets": [b for b in BUCKETS if b < run.model.window] + [run.model.window],
        "inputs": [
            {"name": "input_ids", "dtype": "INT32", "dims": [-1], "pad": int(config.pad_token_id)},
            {"name": "attention_mask", "dtype": "INT32", "dims": [-1], "role": "mask"},
        ],
        "output": {"name": "logits", "dtype": "FP32"},
        "engine": {
            "cpu": "openvino",
            "file": "1/model.xml",
            "precision": "f32",
            "onnx": "1/model.onnx",
        },
        "build": {
            "weights": "weights.safetensors",
            "embeddings": {
                "file": f"shared/{shared.name}",
                "sha256": manifests.sha256(shared),
            },
            "calibration": "calibration.json",
            "layers": int(config.num_hidden_layers),
            "heads": int(config.num_attention_heads),
            "epsilon": float(config.layer_norm_eps),
            "int8": choice.int8,
            "preset": choice.preset,
            "keep_float": list(choice.keep_float),
        },
        "files": {name: manifests.sha256(folder / name) for name in files},
        "figures": choice.figures,
    }
