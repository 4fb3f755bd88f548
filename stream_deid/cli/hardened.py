"""What a process that may see notes does before anything else."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stream_deid.config import Settings

Run = Callable[[argparse.Namespace], int]


def hardened_settings(file: Path | None, *, answers: bool = True) -> Settings:
    """The settings, in a process that may now see the key and notes. To be called before anything
    else is imported: libraries start programs of their own, which would inherit the key.
    `answers`: it gives an answer on standard output.
    """
    from stream_deid import stderr
    from stream_deid.hardening import harden

    harden()
    stderr.alone(answers=answers)
    return settings_alone(file)


def settings_alone(file: Path | None) -> Settings:
    """The settings, which stand nowhere in this process's environment any more."""
    from stream_deid import config

    settings = config.load(file)
    config.forget_secrets()
    return settings


def sees_notes(run: Run) -> Run:
    """Marks and hardens a command of people who may see notes: what it writes holds them, and it
    may print them.
    """

    @wraps(run)
    def hardened(arguments: argparse.Namespace) -> int:
        from stream_deid.hardening import harden

        harden()
        return run(arguments)

    return hardened
