"""Rows of windows as tensors, and answers as arrays: what a request to Triton holds.

Pure but for the types of `tritonclient`. A batch holds windows of one model whose padded length
is the same; every answer is checked for shape and finiteness before anyone sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tritonclient.grpc as triton
from numpy.typing import NDArray

from stream_deid.errors import Halt
from stream_deid.note import Window
from stream_deid.serving.manifest import DTYPES, InputTensor, Manifest

Arrays = dict[str, NDArray[Any]]
PROBE_TOKEN = 1


def check_window(model: Manifest, window: Window) -> int:
    """The bucket of a window whose inputs are as the manifest says; raises `Halt` otherwise."""
    n = len(window)
    for tensor in model.inputs:
        array = window.inputs.get(tensor.name)
        if array is None:
            if tensor.role == "tokens":
                raise Halt("window.input", f"{model.name}: a window lacks {tensor.name}")
        elif tensor.role != "lengths" and array.shape != (n, *tensor.dims[1:]):
            raise Halt("window.shape", f"{model.name}: {tensor.name} has shape {array.shape}")
    return model.bucket(n)


def pack(model: Manifest, windows: Sequence[Window], bucket: int) -> Arrays:
    """Arrays [rows, bucket, ...] of the windows, padded."""
    return {tensor.name: _pack_one(tensor, windows, bucket) for tensor in model.inputs}


def _pack_one(tensor: InputTensor, windows: Sequence[Window], bucket: int) -> NDArray[Any]:
    rows, dtype = len(windows), DTYPES[tensor.dtype]
    if tensor.role == "lengths":
        return np.array([[len(w)] for w in windows], dtype=dtype)
    out = np.full((rows, bucket, *tensor.dims[1:]), tensor.pad, dtype=dtype)
    for row, window in zip(out, windows, strict=True):
        row[: len(window)] = window.inputs.get(tensor.name, 1)
    return out


def request(model: Manifest, arrays: Arrays) -> tuple[list[Any], list[Any]]:
    """Inputs and requested outputs for `infer` of either of tritonclient's gRPC clients."""
    inputs = []
    for tensor in model.inputs:
        array = arrays[tensor.name]
        one = triton.InferInput(tensor.name, list(array.shape), tensor.dtype)
        one.set_data_from_numpy(array)
        inputs.append(one)
    return inputs, [triton.InferRequestedOutput(model.output.name)]


def scores(model: Manifest, result: Any, rows: int, bucket: int) -> NDArray[np.float32] | None:
    """The answer as float32 [rows, bucket, labels]; None where it is no such array, all finite."""
    array = result.as_numpy(model.output.name)
    expected = (rows, bucket, model.width)
    if array is None or array.shape != expected or array.dtype != np.float32:
        return None
    return array if bool(np.isfinite(array).all()) else None


def probe_arrays(model: Manifest) -> Arrays:
    """One row of the smallest bucket, for a health check by real inference."""
    bucket = model.buckets[0]
    arrays = {}
    for tensor in model.inputs:
        shape = (1, 1) if tensor.role == "lengths" else (1, bucket, *tensor.dims[1:])
        value = bucket if tensor.role == "lengths" else PROBE_TOKEN
        arrays[tensor.name] = np.full(shape, value, dtype=DTYPES[tensor.dtype])
    return arrays


def sample_arrays(model: Manifest, count: int) -> Arrays:
    """Rows of different lengths and small ids, the same in every call."""
    bucket, rng = model.buckets[0], np.random.default_rng(0)
    arrays = {}
    lengths = 1 + rng.integers(0, bucket, size=(count, 1))
    present = np.arange(bucket) < lengths
    for tensor in model.inputs:
        dtype, tail = DTYPES[tensor.dtype], tensor.dims[1:]
        if tensor.role == "tokens":
            ids = rng.integers(1, 20, size=(count, bucket, *tail))
            mask = present.reshape(count, bucket, *(1 for _ in tail))
            arrays[tensor.name] = np.where(mask, ids, tensor.pad).astype(dtype)
        else:
            arrays[tensor.name] = (present if tensor.role == "mask" else lengths).astype(dtype)
    return arrays


def probe_ok(model: Manifest, result: Any) -> bool:
    """Whether the answer to `probe_arrays` is sound."""
    return scores(model, result, 1, model.buckets[0]) is not None
