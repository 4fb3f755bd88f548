"""The manifest of a model: what training hands to serving, checked before anything is served.

`triton_models/<model>/manifest.json`:

    {"name": "bilstm_crf_es", "version": "1", "kind": "wordchar", "languages": ["es"],
     "labels": ["O", "B-DATE", "I-DATE", ...], "window": 128, "overlap": 32,
     "buckets": [32, 64, 128, 256],            token counts that rows are padded to
     "inputs": [{"name": "words", "dtype": "INT32", "dims": [-1]},
                {"name": "chars", "dtype": "INT32", "dims": [-1, 24]},
                {"name": "mask", "dtype": "INT32", "dims": [-1], "role": "mask"}],
     "output": {"name": "scores", "dtype": "FP32"},
     "engine": {"cpu": "onnxruntime", "file": "1/model.onnx"},
     "files": {"1/model.onnx": "<sha256>", "words.txt": "<sha256>"}}

`dims` leave out the batch; the token axis is the first and the only -1. `role` says where an
input comes from: `tokens` (the default) is an array of `Window.inputs`, padded with `pad`
(default 0); `mask` is 1 on tokens and 0 on padding; `lengths` (dims [1]) is the number of
tokens of the row. A `mask` or `lengths` that `Window.inputs` holds is taken from there.
`build` says how `serving/build/cpu.py` makes the engine where its file is not committed.
Other keys (transitions, thresholds, vocabularies) belong to `detect/neural/model_windows.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from stream_deid.detect.neural.model_windows import KINDS, ModelSpec
from stream_deid.errors import Halt

FILE = "manifest.json"
BUILT = "built.json"
CPU_ENGINES = ("openvino", "onnxruntime")
PRECISIONS = ("f32", "bf16")
ROLES = ("tokens", "mask", "lengths")
DTYPES: Mapping[str, str] = {"INT32": "int32", "INT64": "int64", "FP32": "float32"}
DEFAULT_BUCKETS = (32, 64, 128, 256)
DEFAULT_MAX_BATCH = 64


@dataclass(frozen=True, slots=True)
class InputTensor:
    """One input tensor; `dims` without the batch dimension."""

    name: str
    dtype: str
    dims: tuple[int, ...]
    role: str = "tokens"
    pad: int = 0


@dataclass(frozen=True, slots=True)
class OutputTensor:
    """The scores, [n, `Manifest.width`], as raw logits or emissions."""

    name: str
    dtype: str


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs the model on CPU hosts; `precision`: of its floating-point parts; `onnx`: the graph
    that TensorRT plans are built from.
    """

    cpu: str
    file: str
    precision: str = "f32"
    onnx: str = "1/model.onnx"


@dataclass(frozen=True, slots=True)
class Manifest:
    """One model as serving sees it. `digest` is the SHA-256 of the manifest's bytes, `body` what
    they say: also to the core (`model_spec`).
    """

    name: str
    version: str
    kind: str
    languages: tuple[str, ...]
    labels: tuple[str, ...]
    window: int
    overlap: int
    buckets: tuple[int, ...]
    max_batch: int
    inputs: tuple[InputTensor, ...]
    output: OutputTensor
    engine: Engine
    files: Mapping[str, str] = field(repr=False)
    build: Mapping[str, Any] = field(repr=False)
    directory: Path = field(repr=False)
    digest: str = field(repr=False)
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def width(self) -> int:
        """So many scores has each token: of tags, or of those of all heads."""
        return sum(map(len, self.body.get("heads", {}).values())) or len(self.labels)

    def bucket(self, length: int) -> int:
        """The padded length of a window of `length` tokens: a function of its length only, so it is
        computed at the same shape whatever shares its batch. Raises `Halt("window.too-long")`.
        """
        for size in self.buckets:
            if length <= size:
                return size
        raise Halt(
            "window.too-long",
            f"{self.name}: a window of {length} tokens; buckets end at {self.buckets[-1]}",
        )


def repository(configured: str = "") -> Path:
    """The model repository: as configured, or `triton_models/` of the checkout.

    Raises `Halt("models.missing")` where there is none.
    """
    path = Path(configured) if configured else Path(__file__).parents[2] / "triton_models"
    if not path.is_dir():
        named = f"{path} is no folder" if configured else "none is named, and this is no checkout"
        raise Halt(
            "models.missing",
            f"no model repository: {named}. The package brings no models: copy `triton_models/` "
            "of the source and name the copy (triton.repository in the settings, or "
            "STREAM_DEID_TRITON__REPOSITORY)",
        )
    return path


def names(repo: Path) -> list[str]:
    """The models of a repository: the folders that hold a manifest, in order."""
    return sorted(path.parent.name for path in repo.glob(f"*/{FILE}"))


def load(repo: Path, name: str, *, hashes: bool = True) -> Manifest:
    """Read and check the manifest of one model. `hashes=False` leaves out the SHA-256 of the files
    (for a client on another host than the weights, say). Raises `Halt("manifest....")` with what
    is wrong and what to do.
    """
    path = repo / name / FILE
    try:
        raw = path.read_bytes()
    except OSError as error:
        known = ", ".join(names(repo)) or "none"
        raise Halt(
            "manifest.missing", f"{path}: {error.strerror}; models that are there: {known}"
        ) from None
    try:
        manifest = _parse(orjson.loads(raw), path.parent, hashlib.sha256(raw).hexdigest())
    except (KeyError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise Halt("manifest.invalid", f"{path}: {what}") from None
    _check(manifest, name)
    if hashes:
        check_files(manifest)
    return manifest


def load_all(repo: Path, models: Iterable[str], *, hashes: bool = True) -> dict[str, Manifest]:
    """The manifests of `models`, each once, in order."""
    return {name: load(repo, name, hashes=hashes) for name in dict.fromkeys(models)}


def needed(configured: str, models: Sequence[str], *, hashes: bool = True) -> dict[str, Manifest]:
    """The manifests of `models`; where no model is served, no repository is asked for."""
    return load_all(repository(configured), models, hashes=hashes) if models else {}


def model_spec(manifest: Manifest) -> ModelSpec:
    """What the core needs of a model: its manifest with the text of the files it names, checked as
    they are read, wherever the model itself is served. Raises `Halt("manifest....")`.
    """
    files = {name: _checked(manifest, name).decode("utf-8") for name in _cores(manifest.body)}
    return ModelSpec.from_manifest(manifest.body, files)


def _cores(body: Mapping[str, Any]) -> list[str]:
    return [body[key] for key in ("tokenizer", "vocabulary", "stacking") if key in body]


def _checked(manifest: Manifest, relative: str) -> bytes:
    content = _existing(manifest, relative).read_bytes()
    _same(manifest, relative, hashlib.sha256(content).hexdigest())
    return content


def _same(manifest: Manifest, relative: str, actual: str) -> None:
    expected = manifest.files[relative]
    if actual != expected:
        raise Halt(
            "manifest.hash",
            f"{manifest.name}: {relative} has SHA-256 {actual[:12]}..., the manifest says "
            f"{expected[:12]}...; restore the file or export the model again",
        )


def check_files(manifest: Manifest) -> None:
    """Raise `Halt` where a file of the manifest is missing or is not the one it names."""
    for relative in manifest.files:
        _same(manifest, relative, sha256(_existing(manifest, relative)))
    _existing(manifest, manifest.engine.file)
    if manifest.build:
        _check_built(manifest)


def _check_built(manifest: Manifest) -> None:
    """An engine that was built here must come from the files that the manifest names."""
    stamp = stamp_of(manifest)
    built = made_of(stamp)
    used = built.get("files", {})
    stale = [name for name, digest in manifest.files.items() if used.get(name, digest) != digest]
    named = Path(manifest.engine.file).name in built.get("engines", {})
    if stale or built.get("build") != manifest.build or not named:
        raise Halt(
            "manifest.stale-engine",
            f"{manifest.name}: {manifest.engine.file} was not built from this manifest's weights; "
            "run `stream-deid models build`",
        )
    for path in other_engines(stamp):
        raise Halt(
            "manifest.engine-hash",
            f"{manifest.name}: {path.name} is not the engine that was built here; "
            "run `stream-deid models build`",
        )


def stamp_of(manifest: Manifest) -> Path:
    """Where the engines that are built here say what they were made of."""
    return (manifest.directory / manifest.engine.file).with_name(BUILT)


def made_of(stamp: Path) -> dict[str, Any]:
    """What a stamp says: `build`, `files`, `engines`, the tools' versions; nothing without one."""
    said: dict[str, Any] = orjson.loads(stamp.read_bytes()) if stamp.is_file() else {}
    return said


def other_engines(stamp: Path) -> list[Path]:
    """The engines beside a stamp that are gone, or are not the ones that it names."""
    named = made_of(stamp).get("engines", {})
    paths = {stamp.with_name(name): digest for name, digest in named.items()}
    return [path for path, digest in paths.items() if not path.is_file() or sha256(path) != digest]


def served_files(manifest: Manifest) -> list[str]:
    """What a server needs of a model's folder, and what is checked of it: nothing else is there."""
    stamp = stamp_of(manifest)
    folder = stamp.parent.relative_to(manifest.directory)
    built = [BUILT, *made_of(stamp).get("engines", {})] if manifest.build else []
    named = (FILE, *manifest.files, manifest.engine.file, *(str(folder / one) for one in built))
    return list(dict.fromkeys(named))


def sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _existing(manifest: Manifest, relative: str) -> Path:
    path = manifest.directory / relative
    if not path.is_file():
        raise Halt(
            "manifest.file-missing",
            f"{manifest.name}: {relative} is not there; `stream-deid models build` makes engines "
            "from the committed weights",
        )
    return path


def _parse(body: dict[str, Any], directory: Path, digest: str) -> Manifest:
    return Manifest(
        name=str(body["name"]),
        version=str(body["version"]),
        kind=body["kind"],
        languages=tuple(body["languages"]),
        labels=tuple(body["labels"]),
        window=int(body["window"]),
        overlap=int(body["overlap"]),
        buckets=tuple(int(b) for b in body.get("buckets", DEFAULT_BUCKETS)),
        max_batch=int(body.get("max_batch", DEFAULT_MAX_BATCH)),
        inputs=tuple(_input(entry) for entry in body["inputs"]),
        output=OutputTensor(body["output"]["name"], body["output"].get("dtype", "FP32")),
        engine=Engine(**body["engine"]),
        files={str(name): str(digest) for name, digest in body["files"].items()},
        build=body.get("build", {}),
        directory=directory,
        digest=digest,
        body=body,
    )


def _input(entry: dict[str, Any]) -> InputTensor:
    dims = tuple(int(d) for d in entry["dims"])
    role, pad = entry.get("role", "tokens"), int(entry.get("pad", 0))
    return InputTensor(entry["name"], entry["dtype"], dims, role, pad)


def _check(manifest: Manifest, name: str) -> None:
    problems = [*_check_body(manifest, name), *_check_tensors(manifest)]
    if problems:
        raise Halt("manifest.invalid", f"{name}: " + "; ".join(problems))


def _check_body(m: Manifest, name: str) -> Iterable[str]:
    rules = {
        f"name is {m.name}, the folder's is {name}": m.name == name,
        f"kind must be one of {KINDS}": m.kind in KINDS,
        "languages must not be empty": bool(m.languages),
        "labels must be distinct and begin with O": m.labels[:1] == ("O",)
        and len(m.labels) == len(set(m.labels)) > 1,
        "buckets must be positive and ascending": bool(m.buckets)
        and list(m.buckets) == sorted(set(m.buckets))
        and m.buckets[0] > 0,
        "a window must fit the largest bucket": 0 < m.window <= max(m.buckets, default=0),
        "overlap must be at most half of window": 0 <= m.overlap * 2 <= m.window,
        "max_batch must be positive": m.max_batch > 0,
        f"engine must be one of {CPU_ENGINES} at one of {PRECISIONS}": m.engine.cpu in CPU_ENGINES
        and m.engine.precision in PRECISIONS,
        "files must name the tokenizer, the vocabulary and the stacking": all(
            name in m.files for name in _cores(m.body)
        ),
        "files must lie in the model's folder": not any(
            Path(path).is_absolute() or ".." in Path(path).parts
            for path in (m.engine.file, *m.files)
        ),
    }
    return [rule for rule, holds in rules.items() if not holds]


def _check_tensors(m: Manifest) -> Iterable[str]:
    if len({i.name for i in m.inputs}) != len(m.inputs):
        yield "names of inputs must be distinct"
    if not any(i.role == "tokens" for i in m.inputs):
        yield "one input at least must have the role tokens"
    for tensor in m.inputs:
        expected = (1,) if tensor.role == "lengths" else (-1, *tensor.dims[1:])
        if tensor.dtype not in DTYPES or tensor.role not in ROLES:
            yield f"{tensor.name}: dtype must be one of {tuple(DTYPES)}, role one of {ROLES}"
        elif tensor.dims != expected or -1 in tensor.dims[1:]:
            yield f"{tensor.name}: dims must be [-1, fixed...] (lengths: [1]), not {tensor.dims}"
    if m.output.dtype != "FP32":
        yield "output must be FP32"
