"""TensorRT plans that were built before, kept by what they hold for.

A plan holds for one model, one kind of GPU and one release of TensorRT. So each has a folder
`MODEL-DIGEST/GPU-COMPUTE-TensorRT` in the cache, where DIGEST is that of the manifest, which names
every file of the model by content. A plan appears there whole or not at all, under the name of its
own content, so several hosts may share a cache; nothing of another model, GPU or release is ever
taken, nor what a disk has changed. A cache that can't be used costs the time of a build alone.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from stream_deid.atomic import PRIVATE, beside
from stream_deid.errors import Halt
from stream_deid.serving.build.config_pbtxt import PLAN_FILE
from stream_deid.serving.manifest import Manifest, sha256

GPU_QUERY = ("nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader")
DIGEST_CHARS = 16
PLAN = ".plan"


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
        """The folder where the plan of a model is kept."""
        return self._folder / f"{model.name}-{model.digest[:DIGEST_CHARS]}" / self._host

    def fetch(self, model: Manifest, build: Callable[[Manifest], Path]) -> Path:
        """The plan in the model's own folder: the one that is kept, or a new one, then kept."""
        wanted = model.directory / "1" / PLAN_FILE
        try:
            if self._taken(model, wanted):
                return wanted
        except OSError as error:
            sys.stdout.write(f"{model.name}: {self.place(model)} can't be read: {error.strerror}\n")
        built = build(model)
        try:
            self._keep(built, self.place(model))
        except OSError as error:
            sys.stdout.write(
                f"{model.name}: the plan is not kept, and is built again at the next start: "
                f"{error.filename or self.place(model)}: {error.strerror}\n"
            )
        return built

    def _taken(self, model: Manifest, wanted: Path) -> bool:
        for kept in sorted(self.place(model).glob(f"*{PLAN}")):
            with beside(wanted) as part:
                shutil.copyfile(kept, part)
            if sha256(wanted) == kept.stem:
                sys.stdout.write(f"{model.name}: plan taken from {kept}\n")
                return True
            wanted.unlink()
            sys.stdout.write(f"{model.name}: {kept} is not what was kept there\n")
            with suppress(OSError):
                kept.unlink()
        return False

    def _keep(self, built: Path, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with beside(folder / f"{sha256(built)}{PLAN}", mode=PRIVATE) as part:
            shutil.copyfile(built, part)
