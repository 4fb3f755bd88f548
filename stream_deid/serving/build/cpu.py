"""`stream-deid models build --target cpu`: engines from the committed weights; needs no torch.

What is committed of a BERT classifier (`training/export/bert.py` writes it):

* `<model>/weights.safetensors`: everything but the embeddings, fp16;
* `shared/<trunk>.safetensors`: the embeddings, once for all models on the same trunk, fp16 or
  4 bits without loss (`packing`);
* `<model>/calibration.json`: `input_ids` of windows of training notes, a list of lists;
* `<model>/manifest.json`, with the key

      "build": {"weights": "weights.safetensors",
                "embeddings": {"file": "shared/me5s-en-es.safetensors", "sha256": "..."},
                "calibration": "calibration.json",
                "layers": 12, "heads": 12, "epsilon": 1e-12,
                "int8": true, "preset": "performance" or "mixed" (asymmetric activations),
                "keep_float": ["trunk.encoder.layer.11.output.dense/matmul", ...]}

  of heads on the trunk of another model of the repository, whose own weights are the heads alone,

      "trunk": {"file": "bert_en/weights.safetensors", "sha256": "..."},
      "reads": {"names-a": 12, ...}         the layer that each head reads, in their order

What is built, into the model's version folder, which git ignores:

* `engine.onnx` (`1/model.onnx`): the whole graph in fp32, for TensorRT as well;
* `engine.file` (`1/model.xml` + `.bin`): OpenVINO's IR; with `int8` quantised after training by
  NNCF (symmetric weights, calibrated activations), save the nodes of `keep_float`;
* `1/built.json`: SHA-256 of the inputs and versions of the tools, so that a second build
  of the same inputs does nothing.

Models whose manifest has no `build` (their graph is committed as it is served) are left alone.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.hardening import silence_engines
from stream_deid.serving import manifest as manifests
from stream_deid.serving.build.packing import unpack
from stream_deid.serving.manifest import Manifest


def build_all(repo: Path) -> int:
    """Build every model of the repository that is not up to date; the exit status, 0.

    Raises `Halt` where committed files are missing or are not the ones that the manifest names,
    or where a tool is not installed.
    """
    for name in manifests.names(repo):
        did = build(repo, name)
        sys.stdout.write(f"{name}: {did}\n")
        sys.stdout.flush()
    return 0


def build(repo: Path, name: str, *, force: bool = False) -> str:
    """Build one model; says what was done."""
    manifest = manifests.load(repo, name, hashes=False)
    recipe = manifest.build
    if not recipe:
        return "served as committed"
    folder = manifest.directory
    graph_file, engine_file = folder / manifest.engine.onnx, folder / manifest.engine.file
    stamp, at = _stamp(repo, manifest), manifests.stamp_of(manifest)
    there = all(path.is_file() for path in (at, engine_file, graph_file))
    if not force and there and _made(at) == stamp:
        return "up to date"
    engine_file.parent.mkdir(parents=True, exist_ok=True)
    at.unlink(missing_ok=True)
    write_onnx(repo, folder, recipe, graph_file)
    write_openvino(graph_file, engine_file, recipe, samples(folder, recipe))
    made = {path.name: manifests.sha256(path) for path in _engines(engine_file, graph_file)}
    atomic.write(at, json.dumps(stamp | {"engines": made}, indent=1))
    return f"built {engine_file.relative_to(repo)} ({'int8' if recipe['int8'] else 'fp32'})"


def _engines(engine: Path, graph: Path) -> list[Path]:
    return [path for path in (engine, engine.with_suffix(".bin"), graph) if path.is_file()]


def _made(at: Path) -> dict[str, Any]:
    """What engines were made of, if they are still the ones that were made; else nothing."""
    stamp = manifests.made_of(at)
    return stamp if stamp.pop("engines", {}) and not manifests.other_engines(at) else {}


def _stamp(repo: Path, manifest: Manifest) -> dict[str, Any]:
    """What the engines depend on; raises `Halt` where a file is not the one that is named."""
    recipe, folder = manifest.build, manifest.directory
    named = {
        folder / recipe[key]: manifest.files[recipe[key]] for key in ("weights", "calibration")
    }
    named |= {repo / one["file"]: one["sha256"] for one in _shared(recipe)}
    for path, expected in named.items():
        if not path.is_file():
            raise Halt("build.missing", f"{path} is not there; restore it from git")
        if manifests.sha256(path) != expected:
            raise Halt("build.hash", f"{path} is not the file that the manifest names")
    nncf, openvino = _tools()
    return {
        "build": recipe,
        "files": {path.name: digest for path, digest in named.items()},
        "openvino": openvino.__version__,
        "nncf": nncf.__version__,
    }


def _shared(recipe: Mapping[str, Any]) -> list[Mapping[str, str]]:
    """The files that are another model's too: embeddings, and the trunk of heads."""
    return [recipe[key] for key in ("embeddings", "trunk") if key in recipe]


def _tools() -> tuple[Any, Any]:
    silence_engines()
    try:
        import nncf  # noqa: PLC0415 - heavy, and needed for building alone
        import openvino  # noqa: PLC0415
    except ImportError as error:
        raise Halt(
            "build.tools", f"{error.name} is missing: pip install 'stream-deid[cpu,build]'"
        ) from None
    return nncf, openvino


def tensors(path: Path) -> dict[str, NDArray[Any]]:
    """All tensors of a safetensors file, unpacked."""
    from safetensors.numpy import load_file  # noqa: PLC0415 - needed for building alone

    return unpack(load_file(str(path)))


def write_onnx(repo: Path, folder: Path, recipe: Mapping[str, Any], out: Path) -> None:
    """The fp32 graph of one model."""
    from onnx import save  # noqa: PLC0415 - needed for building alone

    from stream_deid.serving.build.bert_graph import Shape, graph  # noqa: PLC0415

    files = [*(repo / one["file"] for one in _shared(recipe)), folder / recipe["weights"]]
    weights = {name: one for file in files for name, one in tensors(file).items()}
    shape = Shape(int(recipe["layers"]), int(recipe["heads"]), float(recipe["epsilon"]))
    with atomic.beside(out) as part:
        save(graph(weights, shape, recipe.get("reads")), str(part))


def samples(folder: Path, recipe: Mapping[str, Any]) -> list[dict[str, NDArray[np.int32]]]:
    """Calibration inputs, one window each."""
    rows = json.loads((folder / recipe["calibration"]).read_text("utf-8"))
    return [
        {
            "input_ids": np.array([ids], dtype=np.int32),
            "attention_mask": np.ones((1, len(ids)), dtype=np.int32),
        }
        for ids in rows
    ]


def write_openvino(
    graph_file: Path,
    out: Path,
    recipe: Mapping[str, Any],
    calibration: list[dict[str, NDArray[np.int32]]],
) -> None:
    """OpenVINO's IR of an ONNX graph, quantised where the recipe says so."""
    nncf, openvino = _tools()
    model = openvino.Core().read_model(graph_file)
    if recipe["int8"]:
        nncf.set_log_level("ERROR")
        model = nncf.quantize(
            model,
            nncf.Dataset(calibration),
            model_type=nncf.ModelType.TRANSFORMER,
            preset=nncf.QuantizationPreset(recipe.get("preset", "performance")),
            subset_size=len(calibration),
            fast_bias_correction=True,
            ignored_scope=nncf.IgnoredScope(names=_present(model, recipe.get("keep_float", []))),
        )
    openvino.save_model(model, out, compress_to_fp16=False)


def _present(model: Any, wanted: list[str]) -> list[str]:
    names = {op.get_friendly_name() for op in model.get_ops()}
    if missing := sorted(set(wanted) - names):
        raise Halt("build.keep", f"no such node in the graph: {', '.join(missing)}")
    return wanted
