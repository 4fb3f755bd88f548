"""Files that are there whole or as they were: written beside their place, moved there at the end.

A crash or a full disk leaves what was there before. What `stream-deid file` writes is more careful
still (`files/writing.py`).
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OPEN, PRIVATE = 0o666, 0o600
"""Modes of a new file, before the process's mask; one that is replaced keeps its own."""


def write(path: Path, content: str | bytes, *, mode: int = OPEN) -> None:
    """Write a file, text as UTF-8. Raises `OSError`."""
    raw = content.encode() if isinstance(content, str) else content
    with beside(path, mode=mode) as part:
        part.write_bytes(raw)


@contextmanager
def beside(path: Path, *, mode: int = OPEN) -> Iterator[Path]:
    """An empty file to write to, by whatever writes files; moved to `path` when all went well.

    Links are followed. What is no file (`/dev/stdout`) is itself what is written to. Raises
    `OSError`.
    """
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        yield path
        return
    part = place.with_name(f".{place.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        if place.exists():
            part.chmod(stat.S_IMODE(place.stat().st_mode))
        yield part
        _settle(part)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)


def _settle(part: Path) -> None:
    """On disk, before it gets its name."""
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
