"""Engines in this process, as emitters: what a served model or a run scores, without a server.

`engine` opens one by its name: `onnx:FOLDER`, `openvino:FOLDER` or `run:RECIPE:FOLDER`, each with
`@1.5` for another `o_bias`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.errors import Halt
from stream_deid.hardening import silence_engines
from stream_deid.labels import PhiType
from stream_deid.note import Window
from stream_deid.serving import manifest
from stream_deid.serving.manifest import Manifest, model_spec
from stream_deid.training import recipe as recipes
from stream_deid.training.scores.offline import Emitter, Engine

silence_engines()
import onnxruntime  # noqa: E402
import openvino  # noqa: E402

_ROWS = 32


def onnx_emitter(graph: Path) -> Emitter:
    """A word-and-character graph on onnxruntime, one thread, windows of like length together."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(graph), options)
    wanted = [tensor.name for tensor in session.get_inputs()]

    def emit(windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        order = sorted(range(len(windows)), key=lambda i: len(windows[i]))
        out: dict[int, NDArray[np.float32]] = {}
        for at in range(0, len(order), _ROWS):
            some = [windows[i] for i in order[at : at + _ROWS]]
            (scores,) = session.run(["emissions"], _padded(some, wanted))
            out.update({i: scores[k, : len(w)] for k, (i, w) in enumerate(zip(order[at:], some))})  # noqa: B905
        return [out[i] for i in range(len(windows))]

    return emit


def _padded(windows: Sequence[Window], names: Sequence[str]) -> dict[str, NDArray[np.int32]]:
    width = max(len(w) for w in windows)
    arrays = {}
    for name in names:
        deeper = windows[0].inputs[name].shape[1:]
        arrays[name] = np.zeros((len(windows), width, *deeper), dtype=np.int32)
        for row, window in enumerate(windows):
            arrays[name][row, : len(window)] = window.inputs[name]
    return arrays


def openvino_emitter(file: Path, pad: int, buckets: Sequence[int], rows: int = 8) -> Emitter:
    """Scores through OpenVINO as served: fp32 arithmetic around whatever the file quantises."""
    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    compiled = openvino.Core().compile_model(str(file), "CPU", settings)

    def emit(found: Sequence[Window]) -> list[NDArray[np.float32]]:
        out: dict[int, NDArray[np.float32]] = {}
        order = sorted(range(len(found)), key=lambda i: len(found[i]))
        for at in range(0, len(order), rows):
            some = order[at : at + rows]
            width = next(b for b in buckets if b >= len(found[some[-1]]))
            ids = np.full((len(some), width), pad, dtype=np.int32)
            mask = np.zeros_like(ids)
            for row, i in enumerate(some):
                ids[row, : len(found[i])] = found[i].inputs["input_ids"]
                mask[row, : len(found[i])] = 1
            logits = compiled({"input_ids": ids, "attention_mask": mask})[0]
            out.update({i: logits[row, : len(found[i])].copy() for row, i in enumerate(some)})
        return [out[i] for i in range(len(found))]

    return emit


def engine(spec: str, data: Path) -> Engine:
    """A model and what scores it; raises `Halt("system.unknown")` for another kind."""
    if "@" in spec:
        spec, _, bias = spec.rpartition("@")
        model, emit = engine(spec, data)
        return with_bias(model, _number(bias)), emit
    kind, _, rest = spec.partition(":")
    if kind == "onnx":
        return model_spec(_manifest(rest)), onnx_emitter(Path(rest) / "1" / "model.onnx")
    if kind == "openvino":
        served = _manifest(rest)
        emit = openvino_emitter(
            served.directory / "1" / "model.xml", served.inputs[0].pad, served.buckets
        )
        return model_spec(served), emit
    if kind == "run":
        recipe, _, folder = rest.partition(":")
        return _run(recipe, Path(folder), data)
    raise Halt("system.unknown", f"no such kind of system: {kind}")


def with_bias(
    model: ModelSpec, o_bias: float, type_bias: Mapping[PhiType, float] | None = None
) -> ModelSpec:
    """The model at another `o_bias` (and `type_bias`, if given), its second opinion likewise."""
    change: dict[str, Any] = {"o_bias": o_bias}
    if type_bias is not None:
        change["type_bias"] = type_bias
    stacking = model.stacking and replace(model.stacking, **change)
    return replace(model, stacking=stacking, **change)


def _manifest(folder: str) -> Manifest:
    """Of a model in a repository, whose engines may have been built from elsewhere."""
    path = Path(folder)
    return manifest.load(path.parent, path.name, hashes=False)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Halt("system.bias", f"{text!r} is no number: MODEL@1.5") from None


def _run(recipe: str, folder: Path, data: Path) -> Engine:
    """The last checkpoint of a run, through torch."""
    from stream_deid.training.models import bert, heads  # noqa: PLC0415 - they need torch
    from stream_deid.training.run import tagger  # noqa: PLC0415 - they need torch

    trained = {"bert": bert.trained, "heads": heads.trained}
    system = str(recipes.read(recipes.find(recipe))["system"])
    if system in trained:
        return trained[system](recipes.find(recipe), folder, data)
    run = tagger.open_run(recipe, folder, data)
    run.resume()
    return run.spec(), tagger.emitter(run.model)
