"""What the modules of commands share."""

from __future__ import annotations

import argparse

Commands = argparse._SubParsersAction  # noqa: SLF001  # argparse has no public name for it


def port(text: str) -> int:
    """An argument that is a port; 0: a free one."""
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is no port (0 to 65535)")
    return int(text)
