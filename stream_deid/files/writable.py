"""Whether something can be written in a place, found out without leaving anything there."""

from __future__ import annotations

import tempfile
from pathlib import Path


def refusal(folder: Path) -> str:
    """Why nothing can be written in a folder, or in the one that it would be made in; empty where
    it can. Rights alone don't tell: `/proc` gives them to root, and a disk may be read-only.
    """
    there = folder.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        return f"{there} is no folder"
    try:
        with tempfile.TemporaryFile(dir=there):
            return ""
    except OSError as error:
        return f"nothing can be written in {there}: {error.strerror}"
