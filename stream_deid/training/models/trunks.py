"""Pretrained encoders: where they lie, what they are called, how their embeddings are rounded."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import torch

from stream_deid import config
from stream_deid.errors import Halt
from stream_deid.serving import manifest
from stream_deid.serving.build.packing import GROUP

PACKAGE = "package:"
SERVED = "served:"
_FINEST = 7  # codes of 4 bits lie in [-7, 7]
_SHRINKS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75)


def repository() -> Path:
    """The model repository that the settings name (`triton.repository`), or the checkout's."""
    return manifest.repository(config.load().triton.repository)


def find(name: str, data: Path) -> str | Path:
    """A trunk's folder, or its Hugging Face name.

    `name`: a folder as it is, under `data`, or in `trunks/` there or beside; or
    `package:MODULE/FOLDER`, a folder in an installed Python package; or `served:MODEL`, a model of
    the repository.
    """
    if name.startswith(SERVED):
        return repository() / name.removeprefix(SERVED)
    if name.startswith(PACKAGE):
        return _in_package(name.removeprefix(PACKAGE))
    for folder in (Path(name), data / name, data / "trunks" / name, data.parent / "trunks" / name):
        if (folder / "config.json").is_file():
            return folder
    return name


def _in_package(path: str) -> Path:
    module, _, below = path.partition("/")
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise Halt("trunk.missing", f"the trunk's package is not installed: {module}")
    return Path(spec.origin).parent / below


def file_name(name: str) -> str:
    """The name of a trunk as a file's."""
    if name.startswith(PACKAGE):
        return name.removeprefix(PACKAGE).partition("/")[0].replace("_", "-")
    return Path(name).name


def tokenizer_json(trunk: str | Path) -> str:
    """The text of `tokenizer.json` of a folder or of a Hugging Face name."""
    path = Path(trunk) / "tokenizer.json"
    if path.is_file():
        return path.read_text("utf-8")
    from transformers import AutoTokenizer  # noqa: PLC0415 - only for trunks by name

    definition: str = AutoTokenizer.from_pretrained(trunk).backend_tokenizer.to_str()
    return definition


def rounded(table: torch.Tensor) -> torch.Tensor:
    """`table` [rows, width] in 4 bits: in each group of 32 values, multiples of one fp16 scale.

    Of a few scales the one with the least squared error is taken. `serving.packing.pack` then
    stores the table without loss, in 0.28 of fp16; a model trained on it does not miss the rest.
    """
    groups = table.float().reshape(-1, GROUP)
    widest = groups.abs().amax(1, keepdim=True)
    best, least = groups, torch.full_like(widest, torch.inf)
    for shrink in _SHRINKS:
        scale = (widest * shrink / _FINEST).bfloat16().float()  # its multiples are exact in fp16
        codes = (groups / scale.clamp_min(1e-12)).round().clamp(-_FINEST, _FINEST)
        trial = scale * codes
        error = (trial - groups).square().sum(1, keepdim=True)
        best = torch.where(error < least, trial, best)
        least = torch.minimum(error, least)
    return best.reshape(table.shape)
