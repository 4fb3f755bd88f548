"""Builds TensorRT plans from the exported ONNX graphs, on the GPU host that will run them.

A plan holds for one kind of GPU and one TensorRT release, so it is built where it is served
(or in the container image of the same release) and never committed; `plan_cache` keeps it. One
optimisation profile a bucket, in the manifest's order, as `config.pbtxt` names them: rows from 1
to `max_batch`, best at a full batch, and the token axis fixed to the bucket.

Needs a GPU and the package `tensorrt` (extra `gpu`); it could not be run where it was written.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.serving import manifest
from stream_deid.serving.build.config_pbtxt import PLAN_FILE, rows
from stream_deid.serving.build.plan_cache import PlanCache, gpu
from stream_deid.serving.manifest import InputTensor, Manifest

WORKSPACE_BYTES = 2 << 30


def build_all(repo: Path, models: Sequence[str], cache: Path | None = None) -> int:
    """Build a plan for each model, or take it from `cache`, where plans are kept; returns 0.

    Raises `Halt` where one can't be built.
    """
    kept = PlanCache(cache, gpu(), str(_tensorrt().__version__)) if cache else None
    for name in models:
        model = manifest.load(repo, name)
        path = kept.fetch(model, build) if kept else build(model)
        sys.stdout.write(f"{name}: {path.relative_to(repo)}, {path.stat().st_size} bytes\n")
    return 0


def build(model: Manifest, *, half: bool = True) -> Path:
    """Build `1/model.plan` of one model; `half` allows fp16 kernels."""
    trt = _tensorrt()
    logger = trt.Logger(trt.Logger.WARNING)
    builder = trt.Builder(logger)
    network = _parse(trt, builder, logger, model)
    config = builder.create_builder_config()
    config.set_memory_pool_limit(trt.MemoryPoolType.WORKSPACE, WORKSPACE_BYTES)
    if half and hasattr(trt.BuilderFlag, "FP16"):  # newer releases take the graph's own types
        config.set_flag(trt.BuilderFlag.FP16)
    for bucket in model.buckets:
        config.add_optimization_profile(_profile(builder, network, model, bucket))
    plan = builder.build_serialized_network(network, config)
    if plan is None:
        raise Halt("tensorrt.build", f"{model.name}: TensorRT built no plan; see its messages")
    path = model.directory / "1" / PLAN_FILE
    atomic.write(path, bytes(plan))
    return path


def shapes(tensor: InputTensor, model: Manifest, bucket: int) -> tuple[tuple[int, ...], ...]:
    """Smallest, best and largest shape of one input at one bucket."""
    counts = (1, rows(model, bucket), model.max_batch)
    if tensor.role == "lengths":
        return tuple((count,) for count in counts)
    return tuple((count, bucket, *tensor.dims[1:]) for count in counts)


def _profile(builder: Any, network: Any, model: Manifest, bucket: int) -> Any:
    known = {tensor.name: tensor for tensor in model.inputs}
    profile = builder.create_optimization_profile()
    for index in range(network.num_inputs):
        name = network.get_input(index).name
        if name not in known:
            raise Halt("tensorrt.input", f"{model.name}: the graph's {name} is not in the manifest")
        profile.set_shape(name, *shapes(known[name], model, bucket))
    return profile


def _parse(trt: Any, builder: Any, logger: Any, model: Manifest) -> Any:
    path = model.directory / model.engine.onnx
    if not path.is_file():
        raise Halt(
            "tensorrt.graph",
            f"{model.name}: no {model.engine.onnx}; `stream-deid models build --target cpu` "
            "exports it from the committed weights",
        )
    network = builder.create_network(0)  # TensorRT 10: batches are always explicit
    parser = trt.OnnxParser(network, logger)
    if not parser.parse(_graph(path)):
        errors = "; ".join(str(parser.get_error(i)) for i in range(parser.num_errors))
        raise Halt("tensorrt.parse", f"{model.name}: {errors}")
    return network


def _graph(path: Path) -> bytes:
    """The graph with its narrow constants widened.

    Word tables are stored as int8 or fp16 and cast after the look-up; TensorRT takes such a
    constant for a quantised one and refuses it.
    """
    import onnx  # noqa: PLC0415  # on GPU hosts only

    narrow = (onnx.TensorProto.INT8, onnx.TensorProto.FLOAT16)
    model = onnx.load(str(path))
    for constant in model.graph.initializer:
        if constant.data_type in narrow:
            wide = onnx.numpy_helper.to_array(constant).astype("float32")
            constant.CopyFrom(onnx.numpy_helper.from_array(wide, constant.name))
    data: bytes = model.SerializeToString()
    return data


def _tensorrt() -> Any:
    try:
        import tensorrt  # type: ignore[import-not-found]  # noqa: PLC0415  # on GPU hosts only
    except ImportError:
        raise Halt(
            "tensorrt.missing",
            "plans are built on the GPU host: `pip install 'stream-deid[gpu]'` there",
        ) from None
    return tensorrt
