"""The settings of a process that may see notes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stream_deid.config import Settings


def hardened_settings(file: Path | None, *, answers: bool = True) -> Settings:
    """The settings, in a process that may now see the key and notes. To be called before anything
    else is imported: libraries start programs of their own, which would inherit the key.
    `answers`: it gives an answer on standard output.
    """
    from stream_deid import config, stderr
    from stream_deid.hardening import harden

    harden()
    stderr.alone(answers=answers)
    settings = config.load(file)
    config.forget_secrets()
    return settings
