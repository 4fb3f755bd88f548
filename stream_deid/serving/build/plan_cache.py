"""TensorRT plans that were built before, kept by what they hold for.

A plan holds for one model, one kind of GPU and one release of TensorRT. So each has a folder
`MODEL-DIGEST/GPU-COMPUTE-TensorRT` in the cache, where DIGEST is that of the manifest, which names
every file of the model by content. A plan appears there whole or not at all, so several hosts may
share a cache, and nothing of another model, GPU or release is ever taken.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from stream_deid.atomic import PRIVATE, beside
from stream_deid.errors import Halt
from stream_deid.serving.build.config_pbtxt import PLAN_FILE
from stream_deid.serving.manifest import Manifest

GPU_QUERY = ("nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader")
DIGEST_CHARS = 16


def gpu() -> str:
    """Name and compute capability of the GPU, as a folder may be called.

    Raises `Halt("tensorrt.gpu")` where there is none, or GPUs of several kinds: a plan built on one
    would be served on another.
    """
    try:
        query = subprocess.run(GPU_QUERY, capture_output=True, text=True, check=True)  # noqa: S603 - a constant
    except (OSError, subprocess.CalledProcessError) as error:
        raise Halt("tensorrt.gpu", f"no GPU answers nvidia-smi: {type(error).__name__}") from None
    kinds = sorted({line.strip() for line in query.stdout.splitlines() if line.strip()})
    if len(kinds) != 1:
        raise Halt("tensorrt.gpu", f"GPUs of one kind are needed here, not {', '.join(kinds)}")
    return re.sub(r"[^A-Za-z0-9.]+", "-", kinds[0])


class PlanCache:
    """Plans of one kind of GPU (`gpu`) and one release of TensorRT (`release`) under `folder`."""

    def __init__(self, folder: Path, gpu: str, release: str) -> None:
        self._folder, self._host = folder, f"{gpu}-trt{release}"

    def place(self, model: Manifest) -> Path:
        """Where the plan of a model is kept."""
        return self._folder / f"{model.name}-{model.digest[:DIGEST_CHARS]}" / self._host / PLAN_FILE

    def fetch(self, model: Manifest, build: Callable[[Manifest], Path]) -> Path:
        """The plan in the model's own folder: the one that is kept, or a new one, then kept."""
        kept, wanted = self.place(model), model.directory / "1" / PLAN_FILE
        if kept.is_file():
            with beside(wanted) as part:
                shutil.copyfile(kept, part)
            sys.stdout.write(f"{model.name}: plan taken from {kept}\n")
            return wanted
        built = build(model)
        self._keep(built, kept)
        return built

    def _keep(self, built: Path, kept: Path) -> None:
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with beside(kept, mode=PRIVATE) as part:
                shutil.copyfile(built, part)
        except OSError as error:
            raise Halt("tensorrt.cache", f"{kept}: {error.strerror}") from None
