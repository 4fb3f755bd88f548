"""Engines in this process, as emitters: what a served model scores, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stream_deid.hardening import silence_engines
from stream_deid.note import Window
from stream_deid.training.evaluate.offline import Emitter

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
