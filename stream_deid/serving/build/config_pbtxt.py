"""Generates Triton's model configurations from the manifests, for GPU and CPU hosts.

`<model>/config.pbtxt` names a TensorRT plan; `<model>/configs/cpu.pbtxt`, chosen by
`tritonserver --model-config-name=cpu`, names the python-based backend of this package
(`serving/local/backend/model.py`). Tensors and batch size are the same in both, so a client can't
tell the hosts apart. Fields: Triton's `model_config.proto`.

No `default_queue_policy`: with a queue timeout or size the dynamic batcher of Triton 2.51 loses
wake-ups, and requests wait for multiples of 500 ms (measured; server issue 8870). Queues are
bounded where they begin instead: the client has few requests in flight and cancels late ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.serving.manifest import InputTensor, Manifest, load, names

BACKEND = "stream_deid_cpu"
GPU_FILE = "config.pbtxt"
CPU_FILE = "configs/cpu.pbtxt"
PLAN_FILE = "model.plan"
QUEUE_DELAY_US = 500
HEADER = "# Generated from manifest.json by `stream-deid models check --write`; do not edit.\n"


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What one configuration file says. `parameters` reach the python backend as strings."""

    manifest: Manifest
    platform: str = ""
    backend: str = ""
    default_file: str = ""
    instance: str = "KIND_CPU"
    profiles: tuple[str, ...] = ()
    parameters: dict[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """The configuration in protobuf text format."""
        m = self.manifest
        head = [f'name: "{m.name}"']
        head += [f'platform: "{self.platform}"'] if self.platform else []
        head += [f'backend: "{self.backend}"'] if self.backend else []
        head += [f'default_model_filename: "{self.default_file}"'] if self.default_file else []
        head += [f"max_batch_size: {m.max_batch}"]
        blocks = [*(_input(i) for i in m.inputs), _output(m), _batching(m), self._instances()]
        blocks += [_parameter(key, value) for key, value in self.parameters.items()]
        return HEADER + "\n".join([*head, *blocks]) + "\n"

    def _instances(self) -> str:
        profiles = ", ".join(f'"{p}"' for p in self.profiles)
        profile = f"\n    profile: [ {profiles} ]" if profiles else ""
        return f"instance_group [\n  {{\n    count: 1\n    kind: {self.instance}{profile}\n  }}\n]"


def gpu(manifest: Manifest) -> ModelConfig:
    """For GPU hosts: a TensorRT plan with one optimisation profile a bucket."""
    return ModelConfig(
        manifest,
        platform="tensorrt_plan",
        default_file=PLAN_FILE,
        instance="KIND_GPU",
        profiles=tuple(str(i) for i in range(len(manifest.buckets))),
    )


def cpu(manifest: Manifest) -> ModelConfig:
    """For CPU hosts: the python-based backend, told which engine to run on which file."""
    engine = manifest.engine
    return ModelConfig(
        manifest,
        backend=BACKEND,
        parameters={"engine": engine.cpu, "file": engine.file, "precision": engine.precision},
    )


def render(manifest: Manifest) -> dict[str, str]:
    """The text of every generated file of one model, by path in its folder."""
    return {GPU_FILE: gpu(manifest).text(), CPU_FILE: cpu(manifest).text()}


def write_all(repo: Path) -> list[Path]:
    """Generate the configurations of every model of a repository; returns what changed."""
    changed = []
    for name in names(repo):
        for relative, text in render(load(repo, name, hashes=False)).items():
            path = repo / name / relative
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                atomic.write(path, text)
                changed.append(path)
    return changed


def drift(repo: Path, models: Iterable[str] | None = None) -> list[str]:
    """Which configurations are not what their manifest generates (`model/file`)."""
    return [
        f"{name}/{relative}"
        for name in (names(repo) if models is None else models)
        for relative, text in render(load(repo, name, hashes=False)).items()
        if _read(repo / name / relative) != text
    ]


def check(repo: Path, models: Iterable[str] | None = None) -> None:
    """Raise `Halt("config.drift")` where a configuration was edited or is out of date."""
    stale = drift(repo, models)
    if stale:
        raise Halt("config.drift", f"{', '.join(stale)}: run `stream-deid models check --write`")


def rows(manifest: Manifest, bucket: int, tokens: int = 2048) -> int:
    """Rows of a full batch at one bucket: about `tokens` tokens, within `max_batch`."""
    return max(1, min(manifest.max_batch, tokens // bucket))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _dims(dims: tuple[int, ...]) -> str:
    return "[ " + ", ".join(str(d) for d in dims) + " ]"


def _input(tensor: InputTensor) -> str:
    reshape = "\n    reshape: { shape: [ ] }" if tensor.role == "lengths" else ""
    return (
        f'input [\n  {{\n    name: "{tensor.name}"\n    data_type: TYPE_{tensor.dtype}\n'
        f"    dims: {_dims(tensor.dims)}{reshape}\n  }}\n]"
    )


def _output(manifest: Manifest) -> str:
    dims = _dims((-1, manifest.width))
    return (
        f'output [\n  {{\n    name: "{manifest.output.name}"\n    data_type: TYPE_FP32\n'
        f"    dims: {dims}\n  }}\n]"
    )


def _batching(manifest: Manifest) -> str:
    preferred = sorted({rows(manifest, bucket) for bucket in manifest.buckets})
    return (
        f"dynamic_batching {{\n  preferred_batch_size: {_dims(tuple(preferred))}\n"
        f"  max_queue_delay_microseconds: {QUEUE_DELAY_US}\n}}"
    )


def _parameter(key: str, value: str) -> str:
    return f'parameters {{\n  key: "{key}"\n  value: {{ string_value: "{value}" }}\n}}'
