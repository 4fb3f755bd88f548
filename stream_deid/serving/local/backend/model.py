"""Triton's python-based backend `stream_deid_cpu`: runs one model by OpenVINO or onnxruntime.

Runs inside Triton's stub process, so it stands alone: nothing of `stream_deid` is imported.
The generated `configs/cpu.pbtxt` names the engine, its file and its precision as parameters;
`STREAM_DEID_ENGINE_THREADS` (set by whoever starts Triton; 0: all cores) its threads.

Why these engines and settings (measured): OpenVINO is the fastest for BERT, but wrong on padded
rows of recurrent models, so these run by onnxruntime. Both give each row the same bytes
whatever shares its batch, at fp32 and at OpenVINO's static int8; onnxruntime's *dynamic* int8
does not (its scale is taken over the whole batch), so such graphs are refused.
OpenVINO would choose bf16 by itself on some processors, so the precision is always explicit.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import triton_python_backend_utils as pb_utils  # type: ignore[import-not-found]  # Triton's own

THREADS_VARIABLE = "STREAM_DEID_ENGINE_THREADS"
LIFELINE_VARIABLE = "STREAM_DEID_LIFELINE"
DYNAMIC_QUANTIZATION = "DynamicQuantizeLinear"
ONNX_DTYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32", "tensor(float)": "float32"}

ROWS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)

Arrays = dict[str, Any]


def _end_with_server() -> None:
    """Have the kernel end this process with the server, whatever this process is doing then.

    The supervisor gave the server a pipe. Its models close the writing end, so that it closes with
    the server, and SIGKILL is what that sends them: a stub whose server was killed may otherwise
    wait for ever in its own clean-up (seen: one of some hundred kills).
    """
    ends = os.environ.get(LIFELINE_VARIABLE)
    if not ends:  # a Triton that somebody else started
        return
    reading, writing = map(int, ends.split())
    os.close(writing)
    fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(reading, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
    ended = select.poll()
    ended.register(reading, 0)  # POLLHUP is always told
    if ended.poll(0):
        os.kill(os.getpid(), signal.SIGKILL)


_end_with_server()


def _threads() -> int:
    return int(os.environ.get(THREADS_VARIABLE, "0")) or len(os.sched_getaffinity(0))


def _row_count(rows: int) -> int:
    return next((count for count in ROWS if count >= rows), rows)


def _pad_rows(array: Any, count: int) -> Any:
    if len(array) == count:
        return array
    return np.pad(array, [(0, count - len(array))] + [(0, 0)] * (array.ndim - 1))


class OpenVino:
    """An OpenVINO IR or ONNX file, compiled for the CPU with dynamic shapes.

    Each new shape costs about .1 s of compilation on its first use, so rows are padded to a few
    counts; a row's scores don't depend on them.
    """

    def __init__(self, file: Path, precision: str) -> None:
        sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it would call home
        import openvino  # noqa: PLC0415  # only the engine that is configured need be installed

        core = openvino.Core()
        settings = {
            "INFERENCE_PRECISION_HINT": precision,
            "INFERENCE_NUM_THREADS": _threads(),
            "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY",
        }
        compiled = core.compile_model(core.read_model(file), "CPU", settings)
        self._dtypes = {
            i.get_any_name(): np.dtype(i.get_element_type().to_dtype()) for i in compiled.inputs
        }
        self._request = compiled.create_infer_request()

    def run(self, arrays: Arrays) -> Any:
        """Scores [rows, tokens, labels] of named arrays [rows, tokens, ...]."""
        cast = {n: arrays[n].astype(d, copy=False) for n, d in self._dtypes.items()}
        rows = len(next(iter(cast.values())))
        padded = {n: _pad_rows(a, _row_count(rows)) for n, a in cast.items()}
        return self._request.infer(padded)[0][:rows].copy()


class OnnxRuntime:
    """An ONNX file run by onnxruntime; its threads sleep while idle, the cores are shared."""

    def __init__(self, file: Path, precision: str) -> None:
        os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # it looks up its maker's host when it ends
        import onnxruntime  # noqa: PLC0415  # only the engine that is configured need be installed

        if precision != "f32":
            raise ValueError("onnxruntime serves f32 graphs only")
        if DYNAMIC_QUANTIZATION.encode() in file.read_bytes():
            raise ValueError("dynamic quantisation: a row's scores would depend on its batch")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = _threads()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(
            str(file), options, providers=["CPUExecutionProvider"]
        )
        self._dtypes = {i.name: ONNX_DTYPES[i.type] for i in self._session.get_inputs()}

    def run(self, arrays: Arrays) -> Any:
        """Scores [rows, tokens, labels] of named arrays [rows, tokens, ...]."""
        cast = {n: arrays[n].astype(d, copy=False) for n, d in self._dtypes.items()}
        return self._session.run(None, cast)[0]


ENGINES: dict[str, type[OpenVino | OnnxRuntime]] = {
    "openvino": OpenVino,
    "onnxruntime": OnnxRuntime,
}


def _given_up(request: Any) -> Any:
    if not request.is_cancelled():
        return None
    failure = pb_utils.TritonError("cancelled", pb_utils.TritonError.CANCELLED)
    return pb_utils.InferenceResponse(error=failure)


class TritonPythonModel:
    """The interface that Triton's python backend calls."""

    def initialize(self, args: dict[str, str]) -> None:
        """Load the engine; an exception here keeps the model from becoming ready."""
        config = json.loads(args["model_config"])
        given = {k: v["string_value"] for k, v in config["parameters"].items()}
        file = Path(args["model_repository"]) / given["file"]
        self.inputs = [i["name"] for i in config["input"]]
        self.output = config["output"][0]["name"]
        self.engine = ENGINES[given["engine"]](file, given["precision"])

    def execute(self, requests: list[Any]) -> list[Any]:
        """Answer a dynamic batch: requests of one shape run as one, each gets its own rows.

        Requests that their client has given up are not computed any more.
        """
        responses = [_given_up(request) for request in requests]
        groups: dict[tuple[int, ...], dict[int, Arrays]] = {}
        for index, request in enumerate(requests):
            if responses[index] is None:
                arrays = self._arrays(request)
                groups.setdefault(arrays[self.inputs[0]].shape[1:], {})[index] = arrays
        for members in groups.values():
            answers = self._answer(list(members.values()))
            for index, answer in zip(members, answers, strict=True):
                responses[index] = answer
        return responses

    def _arrays(self, request: Any) -> Arrays:
        return {
            name: pb_utils.get_input_tensor_by_name(request, name).as_numpy()
            for name in self.inputs
        }

    def _answer(self, members: list[Arrays]) -> list[Any]:
        """One response a request; if the batch fails, each request is tried alone."""
        try:
            joined = {n: np.concatenate([m[n] for m in members]) for n in self.inputs}
            scores = self.engine.run(joined)
        except Exception as error:  # noqa: BLE001  # reported to the callers by kind only
            if len(members) > 1:
                return [self._answer([m])[0] for m in members]
            failure = pb_utils.TritonError(f"engine failed: {type(error).__name__}")
            return [pb_utils.InferenceResponse(error=failure)]
        cuts = np.cumsum([len(m[self.inputs[0]]) for m in members])[:-1]
        return [self._response(rows) for rows in np.split(scores, cuts)]

    def _response(self, rows: Any) -> Any:
        tensor = pb_utils.Tensor(self.output, np.ascontiguousarray(rows, dtype=np.float32))
        return pb_utils.InferenceResponse(output_tensors=[tensor])
