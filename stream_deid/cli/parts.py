"""What the modules of commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stream_deid.config import Settings

Commands = argparse._SubParsersAction  # noqa: SLF001  # argparse has no public name for it


def port(text: str) -> int:
    """An argument that is a port; 0: a free one."""
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port (0 to 65535)")
    return int(text)


def sealed(file: Path | None) -> Settings:
    """The settings, in a process that may now see the key and notes. To be called before anything
    else is imported: libraries start programs of their own, which would inherit the key.
    """
    from stream_deid import config
    from stream_deid.hardening import harden

    harden()
    settings = config.load(file)
    config.forget_secrets()
    return settings
