"""What the modules of commands share."""

from __future__ import annotations

import argparse
import math
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


def number(text: str) -> int:
    """An argument that is the number of something among others, from 0 on."""
    if not (text.isdecimal() and int(text) < 2**53):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 0 or more")
    return int(text)


def count(text: str) -> int:
    """An argument that counts something: 1 or more."""
    if not (text.isdecimal() and 1 <= int(text) < 2**53):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of 1 or more")
    return int(text)


def amount(text: str) -> float:
    """An argument that is a finite number above 0."""
    if (found := at_least_0(text)) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return found


def at_least_0(text: str) -> float:
    """An argument that is a finite number of 0 or more."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
    return found


def share(text: str) -> float:
    """An argument that is a part of a whole, 0 to 1."""
    if (found := at_least_0(text)) > 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share (0 to 1)")
    return found


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
