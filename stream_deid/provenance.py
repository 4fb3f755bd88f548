"""What decides an output besides settings and models: this code, its data, its libraries.

A release names it, so that two outputs of one release come from the same code, and a replay under
another is known to be one. All of the package counts but what `provenance.toml` lists with the
reason.
"""

from __future__ import annotations

import hashlib
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parent

_LISTS = tomllib.loads((ROOT / "provenance.toml").read_text("utf-8"))
BESIDE: Mapping[str, str] = MappingProxyType(_LISTS["beside"])
"""What no output depends on, and why."""
LIBRARIES: Mapping[str, str] = MappingProxyType(_LISTS["libraries"])
"""The packages that outputs depend on, by the module that is imported."""
ENGINES: Mapping[str, str] = MappingProxyType(_LISTS["engines"])
"""Packages that stand beside, and why."""


@cache
def code() -> str:
    """SHA-256 over the deciding files by name and content, and the deciding libraries' versions."""
    digest = hashlib.sha256()
    for path in files():
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {content}\n".encode())
    for name in sorted(LIBRARIES.values()):
        digest.update(f"{name} {_version(name)}\n".encode())
    digest.update(unicodedata.unidata_version.encode())
    return digest.hexdigest()


def files() -> list[Path]:
    """The files of the package that an output depends on."""
    return sorted(path for top in ROOT.iterdir() if top.name not in BESIDE for path in _within(top))


def _within(part: Path) -> Iterator[Path]:
    found = part.rglob("*") if part.is_dir() else [part]
    hidden = (path for path in found if path.is_file() and path.suffix != ".pyc")
    return (path for path in hidden if not path.name.startswith("."))


def _version(name: str) -> str:
    """Its version; empty where it isn't there, as those of extras may not."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
