"""What decides an output besides settings and models: this code, its data, its libraries.

A release names it, so that two outputs of one release come from the same code, and a replay under
another is known to be one.
"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache
from importlib.metadata import version
from pathlib import Path

PARTS = (
    "audit.py", "detect", "formats", "labels.py", "lists", "note.py", "pipeline.py", "processor.py",
    "surrogate", "text",
)  # fmt: skip
"""The files and folders of the package that an output depends on."""

LIBRARIES = (
    "google-re2", "lingua-language-detector", "numpy", "orjson", "rapidfuzz", "tokenizers",
)  # fmt: skip
_KINDS = {".py", ".toml", ".tsv", ".txt"}


@cache
def code() -> str:
    """SHA-256 over the deciding files by name and content, and the deciding libraries' versions."""
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(path for part in PARTS for path in _files(root / part)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(root).as_posix()} {content}\n".encode())
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\n".encode())
    digest.update(unicodedata.unidata_version.encode())
    return digest.hexdigest()


def _files(part: Path) -> list[Path]:
    found = part.rglob("*") if part.is_dir() else [part]
    return [path for path in found if path.suffix in _KINDS]
