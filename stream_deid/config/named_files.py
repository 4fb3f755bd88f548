"""Files and folders that settings name: whether they are there, and can be read or written.

No file is opened. In a folder that is to be written one is made and taken away, as rights alone
tell little of read-only disks and of what root may.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from stream_deid.config.declare import leaves
from stream_deid.config.problems import Problem
from stream_deid.config.settings import Settings

_KINDS = frozenset({"file", "folder", "scratch"})
_REMEDIES = {
    "keys.file": "mount it, or mend it; `stream-deid keygen FILE` makes one (docs/keys.md)",
    "release.former_keys": "mount the key that served before, or mend it (docs/keys.md)",
    "formats.hl7_maps": "mount it, or mend it; docs/interfaces.md says what maps are",
    "formats.json_maps": "mount it, or mend it; docs/json.md says what maps are",
    "triton.repository": "copy `triton_models/` of the source and name the copy; docs/models.md",
    "profile_file": "mount it, or mend it; docs/models.md says what it holds",
    "fast_lists": "mount it, or mend it; docs/fast-paths.md says what it holds",
    "kafka.state_dir": "name a folder that can be written, or leave it empty",
}


def unreadable(settings: Settings) -> Iterator[Problem]:
    """Every path among the settings where not lies what should."""
    for leaf in leaves(settings, _KINDS):
        if why := _why_not(Path(leaf.text), leaf.kind):
            remedy = _REMEDIES.get(leaf.path, "mount it, or mend it")
            yield Problem(leaf.path, f"{leaf.path}: {leaf.text} {why}", remedy)


def _why_not(path: Path, kind: str) -> str:
    if kind == "scratch":
        return _why_not_made(path)
    try:
        folder = stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError) as error:  # ValueError: a zero within
        return f"can't be read: {getattr(error, 'strerror', None) or 'no path'}"
    if folder != (kind == "folder"):
        return "is a folder, not a file" if folder else "is no folder"
    can = os.access(path, os.R_OK | os.X_OK if folder else os.R_OK)
    return "" if can else "can't be read: Permission denied"


def _why_not_made(path: Path) -> str:
    """Why a folder can neither be written nor made."""
    try:
        there = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
    except (OSError, ValueError):
        return "can't be made: no path"
    if not there.is_dir():
        return "can't be made: there is a file in its place"
    why = not_writable(there)
    return f"can't be written: {there}: {why}" if why else ""


def not_writable(folder: Path) -> str:
    """Why nothing can be made in a folder; empty where something can."""
    try:
        with tempfile.TemporaryDirectory(dir=folder):
            return ""
    except OSError as error:
        return error.strerror or type(error).__name__
