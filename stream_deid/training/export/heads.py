"""From trained heads to a model of the repository: heads of its own on the trunk of another model.

Writes `<repo>/<model>/{heads.safetensors, calibration.json, tokenizer.json, manifest.json}`; the
trunk is not copied but named by its content (`serving/build/cpu.py`), and is quantised as in the
model that it is of. When that model is trained anew, so are the heads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.serving import manifest as manifests
from stream_deid.serving.build.bert_graph import float_nodes
from stream_deid.serving.manifest import Manifest
from stream_deid.training.bert_recipe import BertRun
from stream_deid.training.export.bert import save_half
from stream_deid.training.export.choice import Choice
from stream_deid.training.models import trunks
from stream_deid.training.models.bert import read_tags
from stream_deid.training.models.heads import head_tags, layers

FILE = "heads.safetensors"
_COPIED = ("calibration.json", "tokenizer.json")


def export(run: BertRun, trained: Path, repo: Path, choice: Choice) -> Path:
    """Write the files of one model, or set its heads beside those of the model that it joins;
    returns the folder. Raises `Halt("export.trunk")` where that one is of another trunk.
    """
    trunk = manifests.load(repo, run.model.trunk.removeprefix(trunks.SERVED), hashes=False)
    file = trunk.directory / trunk.build["weights"]
    shared = {"file": file.relative_to(repo).as_posix(), "sha256": manifests.sha256(file)}
    own = by_head(run, load_file(trained / "model.safetensors"))
    tags, reads = head_tags(run), layers(run)
    folder = repo / (run.heads.joins or run.name)
    if run.heads.joins:
        body = dict(manifests.load(repo, run.heads.joins, hashes=False).body)
        if body["build"].get("trunk") != shared:
            raise Halt("export.trunk", f"{run.heads.joins} is on another trunk: export it first")
        own = load_file(folder / FILE) | own
        tags, reads = body["heads"] | tags, body["build"]["reads"] | reads
    else:
        folder.mkdir(parents=True, exist_ok=True)
        atomic.write(folder / ".gitignore", "1/\n")
        for name in _COPIED:
            atomic.write(folder / name, (trunk.directory / name).read_bytes())
        body = manifest(run, read_tags(trained), trunk, choice)
    save_half(own, folder / FILE)
    body["heads"] = tags
    body["build"] = dict(trunk.build) | {
        "weights": FILE,
        "trunk": shared,
        "reads": reads,
        "keep_float": [*trunk.build.get("keep_float", []), *float_nodes(reads)],
    }
    body["files"] = {name: manifests.sha256(folder / name) for name in (FILE, *_COPIED)}
    body["figures"] = choice.figures or body["figures"]
    atomic.write(folder / manifests.FILE, json.dumps(body, indent=1) + "\n")
    return folder


def by_head(run: BertRun, learnt: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The weights of a run, each head's by itself (`bert_graph`)."""
    reads, width = layers(run), run.heads.width
    found = {}
    for name, layer in reads.items():
        at = [other for other, of in reads.items() if of == layer].index(name) * width
        for part in ("weight", "bias"):
            inner = learnt[f"head.inner.{layer}.{part}"]
            found[f"heads.{name}.inner.{part}"] = inner[at : at + width]
            found[f"heads.{name}.outer.{part}"] = learnt[f"head.outer.{name}.{part}"]
    return found


def manifest(
    run: BertRun, tags: tuple[str, ...], trunk: Manifest, choice: Choice
) -> dict[str, Any]:
    """What `manifest.json` says, but for the heads, files and figures: the rest as of the trunk."""
    left_out = ("stacking", "type_bias")
    return {
        **{key: value for key, value in trunk.body.items() if key not in left_out},
        "name": run.name,
        "version": choice.version,
        "languages": [run.language],
        "labels": list(tags),
        "o_bias": choice.o_bias,
        "weight": choice.weight,
        "line_spans": run.model.line_spans,
        "titled": run.model.titled,
        "figures": {},
    }
